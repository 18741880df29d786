// Saving a Plotly chart as a picture, or figures as a web page; Plotly's own button would lose the
// page's font.
import { download, make, makeSvg } from "../shared/dom.js";

const SCALE = 2; // pixels of a PNG per pixel of the page

export function build({ root }, { file, font, fontRoom, text, page, picture, charts }) {
  const pictures = {
    png: async () => pngBlob(drawn(await chartOf(picture), font)),
    svg: async () => svgBlob(drawn(await chartOf(picture), font)),
  };
  const html = async () => {
    let whole = filled(page, fontRoom, charts.length ? font : "");
    for (const { key, room, points } of charts)
      whole = filled(whole, room, shown(await chartOf(key), points));
    return new Blob([whole], { type: "text/html" });
  };
  const kinds = { ...(picture && pictures), html };
  for (const [kind, blob] of Object.entries(kinds)) {
    const button = make("button", "save", text[kind]);
    button.addEventListener("click", async () => download(await blob(), `${file}.${kind}`));
    root.append(button);
  }
  return () => {};
}

/** Return a page filled with its content; no text in it can close the element around it. */
function filled(page, room, content) {
  return page.replace(room, () => JSON.stringify(content).replaceAll("<", "\\u003c"));
}

/** Return a chart's picture without the font, which a page holds once, and its points' places. */
function shown(chart, points) {
  const picture = drawn(chart, "");
  return {
    svg: new XMLSerializer().serializeToString(picture),
    width: Number(picture.getAttribute("width")),
    height: Number(picture.getAttribute("height")),
    points: points?.map(([trace, at, text]) => [...boxOf(chart, trace, at), text]),
  };
}

/**
 * Return left, top, right and bottom of a bar, a cell or a point, in pixels of the picture.
 * @param {any} chart @param {number} trace @param {number[]} at its place in the data
 */
function boxOf(chart, trace, at) {
  const drawn = chart.calcdata[trace];
  const { type, orientation, xaxis, yaxis } = chart._fullData[trace];
  const [across, down] = [xaxis, yaxis].map(
    (id) => chart._fullLayout[`${id[0]}axis${id.slice(1)}`],
  );
  const one = drawn[at[0]];
  const [xs, ys] = {
    heatmap: () => [edges(drawn[0].x, at[1]), edges(drawn[0].y, at[0])],
    bar: () => {
      const [along, side] = [
        [one.s0, one.s1],
        [one.p0, one.p1],
      ];
      return orientation === "h" ? [along, side] : [side, along];
    },
    scatter: () => [
      [one.x, one.x],
      [one.y, one.y],
    ],
  }[type]();
  const [left, right] = xs.map((x) => across._offset + across.c2p(x, true)).sort(ascending);
  const [top, bottom] = ys.map((y) => down._offset + down.c2p(y, true)).sort(ascending);
  return [left, top, right, bottom].map((pixel) => Math.round(10 * pixel) / 10);
}

function edges(between, i) {
  return [between[i], between[i + 1]];
}

function ascending(a, b) {
  return a - b;
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
