// Saving a chart as a picture with the page's font, or figures as a web page.
import { download, make, makeButton, makeSvg } from "../shared/dom.js";

const SCALE = 2; // pixels of a PNG per pixel of the page

export function build({ root }, { file, font, text, page, picture }) {
  const png = async () => pngBlob(drawn(await chartOf(picture), font));
  const html = () => new Blob([page], { type: "text/html" });
  const kinds = picture ? { png } : { html };
  for (const [kind, blob] of Object.entries(kinds)) {
    const save = async () => download(await blob(), `${file}.${kind}`);
    root.append(makeButton("save", text[kind], save));
  }
}

/** Return the picture of the chart with a key once it is drawn, as its menu may open sooner. */
async function chartOf(key) {
  const named = `.st-key-${key.replace(/[^\w-]/g, "-")} *`;
  const find = () =>
    [...document.querySelectorAll(named)].find((one) => one.shadowRoot)?.shadowRoot;
  while (!find()?.querySelector("svg")) await new Promise(requestAnimationFrame);
  return find()?.querySelector("svg");
}

/** Return a picture in the page's font. */
function drawn(chart, font) {
  const picture = chart.cloneNode(true);
  const style = makeSvg("style");
  style.textContent = font;
  picture.prepend(style);
  return picture;
}

async function pngBlob(picture) {
  const image = new Image();
  const text = new XMLSerializer().serializeToString(picture);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  image.src = address;
  await image.decode();
  const canvas = make("canvas");
  canvas.width = SCALE * image.width;
  canvas.height = SCALE * image.height;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done) => canvas.toBlob(done));
}
