// A chart of Plotly as a picture to keep; Plotly's own button leaves the page's font behind.
import { make, makeSvg } from "../shared/dom.js";

const SCALE = 2; // pixels of a PNG for one of the page

export function build({ root }, { file, font, text }) {
  const kinds = { png: text.png, svg: text.svg };
  for (const [kind, label] of Object.entries(kinds)) {
    const button = make("button", "save", label);
    button.addEventListener("click", async () => {
      const beside = root.getRootNode().host.closest("[class*=st-key-picture-]");
      const picture = drawn(await chartIn(beside), font);
      save(kind === "svg" ? svgBlob(picture) : await pngBlob(picture), `${file}.${kind}`);
    });
    root.append(button);
  }
  return () => {};
}

/** The chart, once Plotly has drawn it: its menu is quicker to open. */
async function chartIn(beside) {
  while (!beside.querySelector(".js-plotly-plot .svg-container"))
    await new Promise((later) => requestAnimationFrame(later));
  return beside.querySelector(".js-plotly-plot");
}

/** All layers of the chart in one picture. */
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

function svgBlob(picture) {
  const text = new XMLSerializer().serializeToString(picture);
  return new Blob([text], { type: "image/svg+xml" });
}

async function pngBlob(picture) {
  const image = new Image();
  const address = URL.createObjectURL(svgBlob(picture));
  image.src = address;
  await image.decode();
  const canvas = make("canvas");
  canvas.width = SCALE * image.width;
  canvas.height = SCALE * image.height;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done) => canvas.toBlob(done));
}

function save(blob, file) {
  const link = make("a", "", [], { href: URL.createObjectURL(blob), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
