// A grid has two stacked canvases: one for its cells, drawn when their size changes, and one for
// the marks on them, drawn when something is pointed at, asked for or lit.
import { drawPicture } from "../grid/cells.js";
import { paint } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { inCell, number, share } from "../shared/number.js";
import { penOf } from "../shared/text.js";

export const PAD = 5; // room around the cells for the rings of the outermost cells
const DARK = "#14161c";
const GOLD = "#ffc61a";

/**
 * Set the size of a canvas on the page, with the pen's origin at the first cell.
 * @param {HTMLCanvasElement} canvas @param {number[]} size
 */
export function resize(canvas, [wide, high]) {
  const scale = Math.min(devicePixelRatio, 16000 / Math.max(wide, high)); // browsers draw no more
  canvas.width = Math.round(wide * scale);
  canvas.height = Math.round(high * scale);
  canvas.style.width = `${wide}px`;
  canvas.style.height = `${high}px`;
  penOf(canvas).setTransform(scale, 0, 0, scale, PAD * scale, PAD * scale);
}

function wipe(canvas, { across, down, w, h }) {
  const pen = penOf(canvas);
  pen.clearRect(-PAD, -PAD, across * w + 2 * PAD, down * h + 2 * PAD);
  return pen;
}

/**
 * Return x, y, width and height of a cell, without the gap to the next one.
 * @param {number} i @param {{ across: number, w: number, h: number }} view
 * @returns {[number, number, number, number]}
 */
export function cellRect(i, { across, w, h }) {
  const [col, row] = [i % across, Math.floor(i / across)];
  return [col * w, row * h, w - (w >= 7 ? 1 : 0), h - (h >= 7 ? 1 : 0)];
}

/** Draw all cells; return whether numbers are written in them and whether any cell is masked. */
export function paintCells(canvas, array, view, table, { font, ink }) {
  const { across, down, w, h } = view;
  const pen = wipe(canvas, view);
  const masked = [];
  array.values.forEach((_, i) => array.isMasked(i) && masked.push(i));
  pen.imageSmoothingEnabled = w < 1 || h < 1; // averages cells that are smaller than a pixel
  const levels = Float32Array.from(array.values, (value, i) =>
    array.isMasked(i) ? NaN : array.level(value),
  );
  drawPicture(small, levels, across, table);
  pen.drawImage(small, 0, 0, across * w, down * h);
  if (w >= 7) for (let col = 1; col <= across; col++) pen.clearRect(col * w - 1, 0, 1, down * h);
  if (h >= 7) for (let row = 1; row <= down; row++) pen.clearRect(0, row * h - 1, across * w, 1);
  if (masked.length) hatch(pen, masked, view, ink);
  const numbers = w >= 30 && h >= 13 ? written(pen, array, w, font) : null;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = numbers?.font ?? `11px ${font}`;
  const write = (i, word, colour) => {
    const [x, y, wide, high] = cellRect(i, view);
    pen.fillStyle = colour;
    pen.fillText(word, x + wide / 2, y + high / 2 + 0.5);
  };
  const inkOn = (i) => paint(table, array.level(array.values[i])).ink;
  numbers?.words.forEach((word, i) => word && write(i, word, inkOn(i)));
  const infinite = w >= 18 && h >= 12 ? masked.filter((i) => array.values[i] === -Infinity) : [];
  for (const i of infinite) write(i, "−∞", ink);
  return { written: Boolean(numbers), masked: masked.length > 0 };
}

const small = make("canvas");

function hatch(pen, masked, view, ink) {
  const [wide, high] = [view.across * view.w, view.down * view.h];
  pen.save();
  pen.beginPath();
  for (const i of masked) pen.rect(...cellRect(i, view));
  pen.clip();
  pen.beginPath();
  for (let x = -high; x < wide; x += 5) {
    pen.moveTo(x, high);
    pen.lineTo(x + high, 0);
  }
  pen.strokeStyle = ink;
  pen.globalAlpha = 0.3;
  pen.stroke();
  pen.restore();
}

/** Return the numbers with as many decimals as fit into the cells; null if none fit. */
function written(pen, { values, isMasked, scale }, w, font) {
  pen.font = `${w >= 36 ? 11.5 : 10.5}px ${font}`;
  const form = scale === "weights" ? share : number;
  const write = (value, digits) => inCell(value, digits, form);
  for (const digits of [2, 1]) {
    const words = Array.from(values, (value, i) => (isMasked(i) ? "" : write(value, digits)));
    const fits = (word) => pen.measureText(word).width <= w - 3;
    if (words.every(fits)) return { words, font: pen.font };
  }
  return null;
}

export function paintMarks(
  canvas,
  { values },
  view,
  { lit, asked, other, cursor },
  { ink, ground, accent },
) {
  const pen = wipe(canvas, view);
  if (lit) {
    pen.fillStyle = ground;
    pen.globalAlpha = 0.45;
    values.forEach((_, i) => lit[i] || pen.fillRect(...cellRect(i, view)));
    pen.globalAlpha = 1;
    outline(pen, lit, view);
  }
  if (asked >= 0) ring(pen, asked, view, [ground, ink], 3);
  if (other >= 0) ring(pen, other, view, [ground, accent], 4);
  if (cursor >= 0 && cursor !== asked) ring(pen, cursor, view, [ground, accent], 2);
}

/** Draw a golden line around everything that is lit, and a dark one to stand out on any colour. */
function outline(pen, lit, view) {
  const { across } = view;
  pen.beginPath();
  pen.lineCap = "square";
  lit.forEach((is, i) => {
    if (!is) return;
    const col = i % across;
    const [x, y, wide, high] = cellRect(i, view);
    const [left, top, right, bottom] = [x - 1.5, y - 1.5, x + wide + 1.5, y + high + 1.5];
    const edge = (x1, y1, x2, y2) => {
      pen.moveTo(x1, y1);
      pen.lineTo(x2, y2);
    };
    if (!lit[i - across]) edge(left, top, right, top);
    if (!lit[i + across]) edge(left, bottom, right, bottom);
    if (col === 0 || !lit[i - 1]) edge(left, top, left, bottom);
    if (col === across - 1 || !lit[i + 1]) edge(right, top, right, bottom);
  });
  strokes(pen, [DARK, GOLD], [4, 2], () => pen.stroke());
}

/** Draw a box around one cell, larger than the cell if it is tiny. */
function ring(pen, i, view, colours, width) {
  const [x, y, wide, high] = cellRect(i, view);
  const [more, taller] = [Math.max(0, 8 - wide) / 2, Math.max(0, 8 - high) / 2];
  const draw = () => pen.strokeRect(x - more, y - taller, wide + 2 * more, high + 2 * taller);
  strokes(pen, colours, [width + 3, width], draw);
}

function strokes(pen, colours, widths, stroke) {
  colours.forEach((colour, k) => {
    pen.strokeStyle = colour;
    pen.lineWidth = widths[k];
    stroke();
  });
}
