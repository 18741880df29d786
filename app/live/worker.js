// Python in the browser: the app's own code draws a book's screens on a reader's sentence.

const KEPT = "illuminated-live";
const COUNT_PAUSE = 100; // milliseconds between two messages on how much has come
/** @type {((call: string, args: string) => string) | null} */
let python = null;

self.addEventListener("message", async ({ data: { call, args } }) => {
  try {
    python ??= await load();
    self.postMessage({ result: JSON.parse(python(call, JSON.stringify(args))) });
  } catch (error) {
    self.postMessage({ failed: String(error) });
  }
});

/** Load Python, the app and the model; from then on, nothing is asked for. */
async function load() {
  const { start, lock, files } = await (await fetch(place("files.json"))).json();
  const loaded = await loadAll(files);
  self.postMessage({ progress: { starting: true } });
  const { loadPyodide } = await import(script(loaded.pyodide));
  const { default: createPyodideModule } = await import(script(loaded.module));
  const served = { "pyodide.asm.wasm": () => wasm(loaded.wasm), library: () => loaded.library };
  self.fetch = async (url) => {
    const make = served[new URL(String(url), place("")).pathname.split("/").pop() ?? ""];
    if (!make) throw new Error(`Nothing is asked for any more: ${url}`);
    return new Response(make(), { headers: { "content-type": "application/wasm" } });
  };
  const py = await loadPyodide({
    indexURL: place(""),
    stdLibURL: place("library"),
    lockFileContents: lock,
    createPyodideModule,
  });
  for (const name of ["code", "model"]) py.unpackArchive(loaded[name], "zip", { extractDir: "/" });
  return py.runPython(start);
}

/** @param {Record<string, [string, number]>} files @returns {Promise<Record<string, Uint8Array>>} */
async function loadAll(files) {
  const kept = await self.caches?.open(KEPT).catch(() => undefined); // a plain http:// has none
  const total = Object.values(files).reduce((sum, [, size]) => sum + size, 0);
  let loaded = 0;
  let told = 0;
  const count = (size) => {
    loaded += size;
    const now = performance.now();
    if (now - told < COUNT_PAUSE && loaded < total) return;
    told = now;
    self.postMessage({ progress: { loaded, total } });
  };
  const all = Object.entries(files).map(async ([name, [file, size]]) => {
    const bytes = (await recall(kept, file, size, count)) ?? (await download(file, size, count));
    return /** @type {const} */ ([name, bytes]);
  });
  const bytes = Object.fromEntries(await Promise.all(all));
  if (kept) await keep(kept, files, bytes);
  return bytes;
}

async function recall(kept, file, size, count) {
  const found = await kept?.match(key(file));
  const bytes = found && new Uint8Array(await found.arrayBuffer());
  if (bytes?.length !== size) return null;
  count(size);
  return bytes;
}

async function download(file, size, count) {
  const response = await fetch(place(file));
  if (!response.ok || !response.body) throw new Error(`${file}: ${response.status}`);
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const chunk of chunks(response.body)) {
    if (at + chunk.length > size) throw new Error(`${file} is too long`);
    bytes.set(chunk, at);
    at += chunk.length;
    count(chunk.length);
  }
  if (at < size) throw new Error(`${file} is too short`);
  return bytes;
}

async function* chunks(/** @type {ReadableStream<Uint8Array>} */ body) {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Keep the files for the next visit, in the place of their older selves. */
async function keep(kept, files, bytes) {
  try {
    for (const [name, [file]] of Object.entries(files)) {
      if (await kept.match(key(file))) continue;
      const stem = key(`${file.split(".")[0]}.`);
      for (const old of await kept.keys()) if (old.url.startsWith(stem)) await kept.delete(old);
      await kept.put(key(file), new Response(bytes[name]));
    }
  } catch {
    // There is no room: it is loaded again.
  }
}

/** The name by which a file is kept: books that lie beside each other share it. */
function key(file) {
  return new URL(`/${KEPT}/${file}`, place("")).href;
}

function place(file) {
  return new URL(file, import.meta.url).href;
}

function script(bytes) {
  return URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
}

function wasm(bytes) {
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
}
