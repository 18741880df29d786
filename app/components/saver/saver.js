// Saving a Plotly chart as a picture, or figures as a web page; Plotly's own button would lose the
// page's font.
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

/** Return the chart of a key once Plotly has drawn it, as its menu may open sooner. */
async function chartOf(key) {
  const named = `.st-key-${key.replace(/[^\w-]/g, "-")}`;
  while (!document.querySelector(`${named} .svg-container`))
    await new Promise((later) => requestAnimationFrame(later));
  return document.querySelector(`${named} .js-plotly-plot`);
}

/** Return all layers of a chart in one picture. */
function drawn(chart, font) {
  const { offsetWidth: width, offsetHeight: height } = chart.querySelector(".svg-container");
  const picture = /** @type {SVGElement} */ (
    makeSvg("svg", { width, height, viewBox: `0 0 ${width} ${height}` })
  );
  const style = makeSvg("style");
  style.textContent = font;
  picture.append(style);
  for (const layer of chart.querySelectorAll(".main-svg")) {
    picture.style.background ||= layer.style.background;
    picture.append(...[...layer.childNodes].map((node) => node.cloneNode(true)));
  }
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
