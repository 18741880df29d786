// Texts and numbers: as they are sent, as they are written, and how wide they are when drawn.
import { share } from "./number.js";

/**
 * Numbers from base64, without a call for each byte: a board has many.
 * @template Numbers
 * @param {string} text
 * @param {new (buffer: ArrayBuffer) => Numbers} Type
 */
export function decode(text, Type) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return new Type(bytes.buffer);
}

/**
 * Put values into "{name}" marks in one pass: a token "{key}" stays what it is.
 * @param {string} template @param {Record<string, string | number>} values
 */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (mark, name) => String(values[name] ?? mark));
}

/**
 * The three largest, as "name 0.25 · …"; of numbers with a sign, those furthest from 0.
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
 * The pen of a canvas kept in plain memory: a dozen canvases on the graphics card take long.
 * @param {HTMLCanvasElement} canvas @returns {CanvasRenderingContext2D}
 */
export function penOf(canvas) {
  // Null only for a canvas that was asked for another kind of pen before.
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

/** A text without accents and capitals, as people type when they search. @param {string} words */
export function simple(words) {
  return words.normalize("NFD").replace(/\p{M}/gu, "").replace(/’/g, "'").toLowerCase();
}
