// Attention weights as a table of elements, each with its words for who cannot see it: rows are
// queries, columns are keys; row -1 and column -1 are the labels.
import { clamp, colourTable, paint } from "../shared/colour.js";
import { isEnter, make, onLeave, rove, say, walk } from "../shared/dom.js";
import { fill, largest, widest } from "../shared/text.js";
import { fillLegend, step } from "./cells.js";

/**
 * @typedef {object} Spec
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {import("../shared/types").Words} text
 * @property {(cell: number) => boolean} isMasked
 * @property {{ side: number, least: number, low: number, high: number }} sizes the least width of
 *   the queries and of a cell; the greatest height of a row where there are many and few of them
 * @property {[number, number][]} [goals] cells (query, key) that are outlined
 * @property {import("../shared/types").Role[]} [roles] of queries and keys
 */

/** @type {import("../shared/types").Pin} */
const NOTHING = { query: null, key: null };

/**
 * A table; with `pick`, cells and labels can be pinned, and it is told of the pin.
 * @param {import("../shared/types").View} view @param {Spec} spec
 * @param {(pin: import("../shared/types").Pin) => void} [pick]
 */
export function buildTable(view, spec, pick) {
  const { queries, keys, text, isMasked, goals = [], sizes, roles = ["query", "key"] } = spec;
  const { root } = view;
  const table = colourTable(view.palette.weights);
  const at = (row, col) => row * keys.length + col;
  const readout = make("p", "readout");
  const frame = make("div", "scroll frame");
  const legend = make("div", "legend");
  const grid = make("div", pick ? "grid picks" : "grid", "", {
    role: "grid",
    "aria-label": text.name,
    "aria-rowcount": queries.length + 1,
    "aria-colcount": keys.length + 1,
  });
  /** @type {{ row: number, col: number, element: HTMLElement }[]} */
  const spots = []; // what can be reached: { row, col, element }
  /** @type {Float32Array} */
  let weights = new Float32Array();
  let pin = NOTHING;
  let digits = 0;
  /** @type {[number, number] | null} */
  let pointed = null; // [row, column]
  root.style.setProperty("--query-role", `var(--${roles[0]})`);
  root.style.setProperty("--key-role", `var(--${roles[1]})`);

  const heads = keys.map((key, col) => head(key, "key", -1, col));
  const cells = queries.map((_, row) => keys.map((_, col) => cell(row, col)));
  const sides = queries.map((query, row) => head(query, "query", row, -1));
  const elements = [[undefined, ...heads], ...cells.map((line, row) => [sides[row], ...line])];
  const reachable = spots.map(({ element }) => element);
  grid.append(line(corner(), heads), ...cells.map((line_, row) => line(sides[row], line_)));
  frame.append(grid);
  const hidden = cells.flat().some((_, i) => isMasked(i));
  const samples = { goal: goals.length > 0 && text.goal, mask: hidden && text.hatched };
  fillLegend(legend, table, ["0", "1"], samples);
  cells[0][0].tabIndex = 0;
  onLeave(frame, rest);
  view.watchWidth(fit);
  return { readout, frame, legend, draw, mark };

  /** Show other weights of the same queries and keys. @param {Float32Array} next */
  function draw(next) {
    weights = next;
    cells.flat().forEach((element, i) => {
      if (isMasked(i)) return;
      const { fill: background, ink } = paint(table, weights[i]);
      element.style.background = background;
      element.style.color = ink;
      element.textContent = short(weights[i]);
    });
    for (const { row, col, element } of spots)
      element.setAttribute("aria-label", describe(row, col));
    if (pointed) look(...pointed);
  }
  function short(weight) {
    const number = weight.toFixed(2);
    if (digits === 0 || number === "0.00") return digits ? "0" : "";
    return digits === 2 ? number : number.replace(/^0/, "");
  }
  function describe(row, col) {
    if (row < 0) return fill(text.key, { key: keys[col] });
    if (col < 0) {
      const seen = weights.slice(at(row, 0), at(row + 1, 0));
      return fill(text.query, { query: queries[row], top: largest([...seen], keys) });
    }
    const words = { query: queries[row], key: keys[col], weight: weights[at(row, col)].toFixed(4) };
    return fill(isMasked(at(row, col)) ? text.masked : text.cell, words);
  }

  function look(row, col) {
    pointed = [row, col];
    say(readout, describe(row, col));
    light(row, col);
  }
  function rest() {
    pointed = null;
    const pinned = pin.query !== null || pin.key !== null;
    const words = pinned && `${text.pinned}: ${describe(pin.query ?? -1, pin.key ?? -1)}`;
    say(readout, words || text.hint, pinned);
    light(pin.query, pin.key);
  }
  function light(row, col) {
    sides.forEach((element, i) => element.classList.toggle("near", Boolean(pick) && i === row));
    heads.forEach((element, i) => element.classList.toggle("near", Boolean(pick) && i === col));
  }
  /** @param {import("../shared/types").Pin | null} chosen */
  function mark(chosen) {
    pin = chosen ?? NOTHING;
    for (const { row, col, element } of spots) {
      const here = (pin.query ?? -1) === row && (pin.key ?? -1) === col;
      element.classList.toggle("pinned", here);
      element.classList.toggle("in-line", pin.key === null && pin.query === row && col >= 0);
      element.classList.toggle("in-column", pin.query === null && pin.key === col && row >= 0);
      element.setAttribute("aria-selected", String(here));
    }
    rest();
  }
  function choose(row, col) {
    const wanted = { query: row < 0 ? null : row, key: col < 0 ? null : col };
    mark(wanted.query === pin.query && wanted.key === pin.key ? null : wanted);
    pick?.(pin);
  }

  function reach(row, col, element) {
    spots.push({ row, col, element });
    element.tabIndex = -1;
    element.setAttribute("aria-colindex", String(col + 2));
    element.addEventListener("pointerenter", () => look(row, col));
    element.addEventListener("focus", () => look(row, col));
    element.addEventListener("keydown", (event) => steer(event, row, col));
    if (!pick) return;
    element.addEventListener("click", () => {
      rove(reachable, element);
      choose(row, col);
    });
  }
  function steer(event, row, col) {
    const to = step(event.key, row, col, queries.length, keys.length);
    if (to) walk(event, reachable, elements[to[0] + 1]?.[to[1] + 1]);
    else if (!pick) return;
    else if (isEnter(event)) {
      event.preventDefault();
      choose(row, col);
    } else if (event.key === "Escape" && (pin.query !== null || pin.key !== null)) {
      event.preventDefault();
      mark(null);
      pick?.(pin);
    }
  }

  function line(first, others) {
    const element = make("div", "row", "", { role: "row" });
    element.append(first, ...others);
    return element;
  }
  function corner() {
    const element = make("div", "corner", "", { role: "columnheader" });
    const [query, key] = [
      make("span", "axis-query", text.query_axis),
      make("span", "axis-key", text.key_axis),
    ];
    element.append(key, query);
    return element;
  }
  function head(label, side, row, col) {
    const role = side === "key" ? "columnheader" : "rowheader";
    const element = make("div", `head ${side}`, "", { role, title: label });
    element.append(make("span", "token", label));
    if (pick) reach(row, col, element);
    return element;
  }
  function cell(row, col) {
    const element = make("div", "cell", "", { role: "gridcell" });
    element.classList.toggle("masked", isMasked(at(row, col)));
    element.classList.toggle(
      "goal",
      goals.some(([query, key]) => query === row && key === col),
    );
    reach(row, col, element);
    return element;
  }
  function fit(width) {
    const font = `13px ${view.page.font}`;
    const side = clamp(widest(queries, font) + 20, sizes.side, Math.max(width * 0.34, sizes.side));
    const size = clamp(Math.floor((width - side - 6) / keys.length) - 1, sizes.least, 56);
    const height = Math.max(
      Math.min(size, queries.length > 16 ? sizes.low : sizes.high),
      sizes.least,
    );
    grid.style.gridTemplateColumns = `${side}px repeat(${keys.length}, ${size}px)`;
    root.style.setProperty("--cell-h", `${height}px`);
    root.style.setProperty("--digits", size >= 32 ? "11px" : "10px");
    const upright = widest(keys, font) + 6 > size;
    for (const element of heads) element.classList.toggle("upright", upright);
    digits = size >= 30 ? 2 : size >= 22 ? 1 : 0;
    if (weights.length) draw(weights);
  }
}
