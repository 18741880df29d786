// What all grids of cells share: numbers and their mask, keys, the colour scale, pictures.
import { clamp, ramp } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { decode, decodeNumbers, penOf } from "../shared/text.js";

/**
 * Read the numbers of a grid; a cell is masked, and hatched, if `mask` is 0 or its number is −∞.
 * @param {{ values: string | Float32Array, half: boolean, mask: string | null }} packed `mask` is 1 where attention
 *   is allowed
 */
export function readCells({ values: packed, half, mask: packedMask }) {
  const values = decodeNumbers(packed, half);
  const mask = packedMask && decode(packedMask, Uint8Array);
  return {
    values,
    isMasked: (/** @type {number} */ i) => mask?.[i] === 0 || values[i] === -Infinity,
  };
}

/**
 * Return where keys lead from a cell; `at` is called with rows and columns that may be outside.
 * @template Place
 * @param {number} row @param {number} col @param {number} rows @param {number} cols
 * @param {(row: number, col: number) => Place} at @returns {Record<string, Place>}
 */
export function moves(row, col, rows, cols, at) {
  return {
    ArrowUp: at(row - 1, col),
    ArrowDown: at(row + 1, col),
    ArrowLeft: at(row, col - 1),
    ArrowRight: at(row, col + 1),
    Home: at(row, 0),
    End: at(row, cols - 1),
    PageUp: at(0, col),
    PageDown: at(rows - 1, col),
  };
}

/**
 * Draw the colour scale with the meaning of its ends, unless `ends` is null, and then samples.
 * @param {HTMLElement} legend @param {import("../shared/types").Colours} table
 * @param {string[] | null} ends @param {Record<string, string | false>} samples
 */
export function fillLegend(legend, table, ends, samples) {
  legend.replaceChildren();
  if (ends) legend.append(make("span", "", ends[0]), ramp(table), make("span", "", ends[1]));
  for (const [look, text] of Object.entries(samples)) {
    if (text) legend.append(make("span", `${look}-sample`), make("span", "", text));
  }
}

/**
 * Draw one pixel per cell, to be enlarged without smoothing; cells without a level stay empty.
 * @param {HTMLCanvasElement} canvas @param {Float32Array} levels of 0 to 1, or NaN
 * @param {number} across @param {import("../shared/types").Colours} table
 */
export function drawPicture(canvas, levels, across, table) {
  const down = Math.ceil(levels.length / across);
  [canvas.width, canvas.height] = [across, down];
  const image = new ImageData(across, down);
  const pixels = new Uint32Array(image.data.buffer); // alpha, blue, green, red: little-endian
  const colours = table.map(([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r);
  levels.forEach((level, i) => {
    pixels[i] = colours[Math.round(clamp(level, 0, 1) * 255)] ?? 0;
  });
  penOf(canvas).putImageData(image, 0, 0);
}
