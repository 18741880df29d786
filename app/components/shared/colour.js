// Colours: those of a scale, and an ink that can be read on them.
import { make } from "./dom.js";

const colours = new Map(); // as a style sheet writes them: [red, green, blue]
const tables = new Map(); // by the stops of the scale

/** Any CSS colour as [red, green, blue]; a canvas knows them all. */
export function rgb(colour) {
  if (colours.has(colour)) return colours.get(colour);
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  colours.set(colour, [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)]);
  return colours.get(colour);
}

export function isDark(ground) {
  const [r, g, b] = rgb(ground || "#fff");
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}

/** 256 colours between the stops of a scale, computed once a page. */
export function colourTable(stops) {
  const name = stops.join();
  if (!tables.has(name)) tables.set(name, between(stops.map(rgb)));
  return tables.get(name);
}

function between(stops) {
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    return stops[low].map((c, k) => Math.round(c + (stops[low + 1][k] - c) * (at - low)));
  });
}

/** The colour at a level of 0 to 1, and an ink that can be read on it. */
export function paint(table, level) {
  const [r, g, b] = table[Math.round(clamp(level, 0, 1) * 255)];
  // Where black and white stand out alike (relative luminance 0.18), each does by 4.58 to 1.
  const [lr, lg, lb] = [r, g, b].map((part) => (part / 255) ** 2.2);
  const light = 0.2126 * lr + 0.7152 * lg + 0.0722 * lb > 0.18;
  return { fill: `rgb(${r} ${g} ${b})`, ink: light ? "#000000" : "#ffffff" };
}

export function ramp(table) {
  const bar = make("span", "ramp");
  const stops = [0, 51, 102, 153, 204, 255].map((i) => `rgb(${table[i].join(" ")})`);
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return bar;
}

export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
