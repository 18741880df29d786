// Texts and numbers: decoding, formatting and measuring their width.
import { share } from "./number.js";

/**
 * Decode numbers from base64 without a call per byte, as a board has many; decoded ones stay.
 * @template Numbers
 * @param {string | Numbers} text
 * @param {new (buffer: ArrayBuffer) => Numbers} Type
 */
export function decode(text, Type) {
  if (typeof text !== "string") return text;
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return new Type(bytes.buffer);
}

/**
 * Decode numbers of single precision, or of half precision, which not every browser can read;
 * decoded ones stay.
 * @param {string | Float32Array} text @param {boolean} half
 */
export function decodeNumbers(text, half) {
  if (typeof text !== "string") return text;
  const bytes = together(decode(text, Uint8Array), half ? 2 : 4);
  return half ? Float32Array.from(new Uint16Array(bytes), numberOfHalf) : new Float32Array(bytes);
}

/**
 * Return numbers of `width` bytes, of which the lowest bytes of all came first, then the next ones.
 * @param {Uint8Array} apart @param {number} width
 */
export function together(apart, width) {
  const bytes = new Uint8Array(apart.length);
  for (let part = 0, from = 0; part < width; part++)
    for (let to = part; to < bytes.length; to += width) bytes[to] = apart[from++];
  return bytes.buffer;
}

/** @param {number} bits a sign, five bits of the exponent, ten of the fraction */
function numberOfHalf(bits) {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent ? 1024 + fraction : fraction) * 2 ** (Math.max(exponent, 1) - 25);
}

/**
 * Fill "{name}" marks with values in one pass, so that a token "{key}" stays as it is.
 * @param {string} template @param {Record<string, string | number>} values
 */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (mark, name) => String(values[name] ?? mark));
}

/**
 * Return the three largest, as "name 0.25 · …"; for signed numbers, those furthest from 0.
 * @param {number[]} values @param {string[]} names
 */
export function largest(values, names, write = share) {
  return values
    .map((value, i) => ({ value, name: names[i] }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, 3)
    .map(({ value, name }) => `${name} ${write(value, 2)}`)
    .join(" · ");
}

const ruler = penOf(document.createElement("canvas"));

/**
 * Return the pen of a canvas in main memory: a dozen canvases on the graphics card are slow.
 * @param {HTMLCanvasElement} canvas @returns {CanvasRenderingContext2D}
 */
export function penOf(canvas) {
  // This is null only if the canvas already has another kind of context.
  return /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true })
  );
}

/** @param {string} text @param {string} font */
export function textWidth(text, font) {
  ruler.font = font;
  return ruler.measureText(text).width;
}

/** @param {string[]} labels @param {string} font */
export function widest(labels, font) {
  return Math.max(0, ...labels.map((label) => textWidth(label, font)));
}

/** Return a text without accents and capitals, as people type in a search. @param {string} words */
export function simple(words) {
  return words.normalize("NFD").replace(/\p{M}/gu, "").replace(/’/g, "'").toLowerCase();
}
