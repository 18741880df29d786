// The colours of a scale, and a text colour that is readable on them.
import { make } from "./dom.js";
import { penOf } from "./text.js";

/** @type {Map<string, import("./types").Rgb>} */
const colours = new Map(); // by CSS colour: [red, green, blue]
/** @type {Map<string, import("./types").Colours>} */
const tables = new Map(); // by the scale's stops

/**
 * Parse any CSS colour with a canvas, which knows them all.
 * @param {string} colour @returns {import("./types").Rgb}
 */
export function rgb(colour) {
  const known = colours.get(colour);
  if (known) return known;
  const pen = penOf(make("canvas"));
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
  colours.set(colour, [r, g, b]);
  return [r, g, b];
}

/** @param {string} ground */
export function isDark(ground) {
  const [r, g, b] = rgb(ground || "#fff");
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}

/**
 * Return 256 colours between the stops of a scale, computed once per page.
 * @param {string[]} stops @returns {import("./types").Colours}
 */
export function colourTable(stops) {
  const name = stops.join();
  const table = tables.get(name) ?? between(stops.map(rgb));
  tables.set(name, table);
  return table;
}

/** @param {import("./types").Rgb[]} stops @returns {import("./types").Colours} */
function between(stops) {
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    const part = (k) =>
      Math.round(stops[low][k] + (stops[low + 1][k] - stops[low][k]) * (at - low));
    return [part(0), part(1), part(2)];
  });
}

/**
 * Return the colour at a level from 0 to 1, and a text colour that is readable on it.
 * @param {import("./types").Colours} table @param {number} level
 */
export function paint(table, level) {
  const [r, g, b] = table[Math.round(clamp(level, 0, 1) * 255)];
  // At relative luminance 0.18, black and white have the same contrast, 4.58 to 1.
  const [lr, lg, lb] = [r, g, b].map((part) => (part / 255) ** 2.2);
  const light = 0.2126 * lr + 0.7152 * lg + 0.0722 * lb > 0.18;
  return { rgb: [r, g, b], fill: `rgb(${r} ${g} ${b})`, ink: light ? "#000000" : "#ffffff" };
}

/** @param {import("./types").Colours} table */
export function ramp(table) {
  const bar = make("span", "ramp");
  const stops = [0, 51, 102, 153, 204, 255].map((i) => `rgb(${table[i].join(" ")})`);
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return bar;
}

/** @param {number} value @param {number} low @param {number} high */
export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
