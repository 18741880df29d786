// What the screens of a book import and read in the browser's Python, found by drawing them in it.
import { readdirSync, readFileSync } from "node:fs";

const PACKAGES = "/lib/python3.14/site-packages";
// What has a stand-in, or is built for another processor.
const ABSENT = /^(numpy|PIL|pillow|scipy|torch|pandas|pyarrow|tokenizers|safetensors|sacrebleu|huggingface_hub)\b/;

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const bytes = (path) => new Uint8Array(readFileSync(path));
const { loadPyodide } = await import(`file://${job.python}/pyodide.mjs`);
const py = await loadPyodide({
  indexURL: job.python,
  lockFileContents: job.lock,
});
for (const wheel of job.wheels)
  py.unpackArchive(bytes(`${job.python}/${wheel}`), "wheel", { extractDir: PACKAGES });
mount(`${job.root}/app`, "/live/app");
mount(`${job.root}/model`, "/live/model");
mount(`${job.root}/pretrained`, "/live/pretrained");
mount(job.out, "/out");
for (const entry of readdirSync(job.site, { withFileTypes: true })) {
  if (ABSENT.test(entry.name)) continue;
  const path = `${job.site}/${entry.name}`;
  if (entry.isDirectory()) mount(path, `${PACKAGES}/${entry.name}`);
  else py.FS.writeFile(`${PACKAGES}/${entry.name}`, bytes(path));
}
py.globals.set("job", JSON.stringify(job));
try {
  py.runPython(readFileSync(new URL("trace.py", import.meta.url), "utf8"));
  py.runPython(job.start);
  py.runPython("trace()");
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

function mount(from, to) {
  py.FS.mkdirTree(to);
  py.mountNodeFS(to, from);
}
