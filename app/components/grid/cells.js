// What all grids of cells have in common: numbers and their mask, keys, the scale below, pictures.
import { clamp, ramp } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { decode } from "../shared/text.js";

/** The numbers of a grid; a cell is masked, and hatched, where the mask says no or it is −∞. */
export function readCells({ values: packed, mask: packedMask }) {
  const values = decode(packed, Float32Array);
  const mask = packedMask && decode(packedMask, Uint8Array);
  return { values, isMasked: (i) => mask?.[i] === 0 || values[i] === -Infinity };
}

/** Where a key leads from a cell, as [row, column], which may lie outside; null for other keys. */
export function step(key, row, col, rows, cols) {
  const moves = {
    ArrowUp: [row - 1, col],
    ArrowDown: [row + 1, col],
    ArrowLeft: [row, col - 1],
    ArrowRight: [row, col + 1],
    Home: [row, 0],
    End: [row, cols - 1],
    PageUp: [0, col],
    PageDown: [rows - 1, col],
  };
  return moves[key] ?? null;
}

/** The scale, with what its ends mean, unless they are null; samples of other looks after it. */
export function fillLegend(legend, table, ends, samples) {
  legend.replaceChildren();
  if (ends) legend.append(make("span", "", ends[0]), ramp(table), make("span", "", ends[1]));
  for (const [look, text] of Object.entries(samples)) {
    if (text) legend.append(make("span", `${look}-sample`), make("span", "", text));
  }
}

/** One pixel a cell, to be enlarged without smoothing; cells without a level stay empty. */
export function drawPicture(canvas, levels, across, table) {
  const down = Math.ceil(levels.length / across);
  [canvas.width, canvas.height] = [across, down];
  const image = new ImageData(across, down);
  const pixels = new Uint32Array(image.data.buffer); // alpha, blue, green, red: small end first
  const colours = table.map(([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r);
  levels.forEach((level, i) => {
    pixels[i] = colours[Math.round(clamp(level, 0, 1) * 255)] ?? 0;
  });
  canvas.getContext("2d", { willReadFrequently: true }).putImageData(image, 0, 0);
}
