// Attention weights as a table of elements, each with a description for screen readers: rows are
// queries, columns are keys; row -1 and column -1 are the labels.
import { clamp, colourTable, paint } from "../shared/colour.js";
import { join, make, onLeave, say } from "../shared/dom.js";
import { inCell, share, signed } from "../shared/number.js";
import { fill, largest, widest } from "../shared/text.js";
import { fillLegend, moves } from "./cells.js";
import { makeEditable, spread } from "./edit.js";

/**
 * @typedef {object} Sizes
 * @property {number} side the least width of the queries
 * @property {number} least the least width and height of a cell
 * @property {number} wide the greatest width of a cell
 * @property {number} high the greatest height of a row
 * @property {number} room the height that all rows share; no row is smaller than `least`
 */

/**
 * @typedef {object} Spec
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {{ query: string, key: string }} languages their codes, "" where they are not known
 * @property {string} unheard why nothing comes of the weights; "" where something does
 * @property {import("../shared/types").Words} text
 * @property {(cell: number) => boolean} isMasked
 * @property {Sizes} sizes
 * @property {[number, number][]} [goals] cells (query, key) that are outlined
 * @property {number | null} [reach] for differences, the end of the signed colour scale
 * @property {Float32Array | null} [beside] other weights of the same cells, in their lower halves;
 *   in both, NaN is a missing weight
 * @property {(row: number, col: number, weight: number) => void} [edit] is called with a weight
 *   that was set by hand
 */

const UPRIGHT = 118; // height of the longest upright column labels, in pixels
const LINE = 24; // height of horizontal column labels, in pixels

/**
 * Build a table; with `pick`, cells and labels can be pinned, and `pick` is called with the pin.
 * @param {import("../shared/types").View} view @param {Spec} spec
 * @param {(pin: import("../shared/types").Pin) => void} [pick]
 */
export function buildTable(view, spec, pick) {
  const {
    queries,
    keys,
    languages,
    unheard,
    text,
    isMasked,
    goals = [],
    sizes,
    reach,
    beside,
    edit,
  } = spec;
  const { root } = view;
  const table = colourTable(reach ? view.palette.signed : view.palette.weights);
  const write = reach ? signed : share;
  const level = (weight) => (reach ? (weight / reach + 1) / 2 : weight);
  const at = (row, col) => row * keys.length + col;
  const readout = make("p", edit ? "readout tall" : "readout");
  const legend = make("div", "legend");
  /** @type {{ row: number, col: number, element: HTMLElement }[]} */
  const spots = []; // all focusable places: { row, col, element }
  /** @type {Float32Array} */
  let weights = new Float32Array();
  /** @type {import("../shared/types").Pin | null} */
  let pin = null;
  let digits = 0;
  /** @type {[number, number] | null} */
  let pointed = null; // [row, column]
  let fitted = { width: 0, side: 0, size: 0 }; // of all, of the queries, of a cell

  const heads = keys.map((key, col) => head(key, "key", -1, col));
  const cells = queries.map((_, row) => keys.map((_, col) => cell(row, col)));
  const sides = queries.map((query, row) => head(query, "query", row, -1));
  const elements = [[undefined, ...heads], ...cells.map((line, row) => [sides[row], ...line])];
  const reachable = spots.map(({ element }) => element);
  const rows = [line(corner(), heads), ...cells.map((others, row) => line(sides[row], others))];
  const kind = ["grid", pick && "picks", edit && "edits", unheard && "unheard"]
    .filter(Boolean)
    .join(" ");
  const grid = make("div", kind, rows, {
    role: "grid",
    "aria-label": text.name,
    "aria-rowcount": queries.length + 1,
    "aria-colcount": keys.length + 1,
  });
  const frame = make("div", "scroll frame", [grid]);
  const more = make("p", "more");
  const hidden = cells.flat().some((_, i) => isMasked(i));
  /** @type {Record<string, string | false>} */
  const samples = {
    goal: goals.length > 0 && text.goal,
    halves: Boolean(beside) && text.halves,
    mask: hidden && text.hatched,
    unheard: unheard || false,
  };
  fillLegend(legend, table, reach ? [signed(-reach, 2), signed(reach, 2)] : ["0", "1"], samples);
  const [first, second] = view.memory.edited ?? [0, 0]; // keeps a keyboard user's place
  (cells[first]?.[second] ?? cells[0][0]).tabIndex = 0;
  onLeave(frame, rest);
  frame.addEventListener("scroll", tellMore, { passive: true });
  frame.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !pin) return;
    event.preventDefault();
    choose(null);
  });
  view.watchWidth(fit);
  return { parts: [readout, frame, more, legend], draw, mark };

  /** Show other weights of the same queries and keys. @param {Float32Array} next */
  function draw(next) {
    weights = next;
    cells.flat().forEach((element, i) => {
      if (isMasked(i)) return;
      if (beside) element.replaceChildren(half(weights[i]), half(beside[i]));
      else show(element, weights[i]);
    });
    for (const { row, col, element } of spots)
      element.setAttribute("aria-label", describe(row, col));
    if (pointed) look(...pointed);
  }
  function show(element, weight) {
    const { fill: background, ink } = paint(table, level(weight));
    element.style.background = background;
    element.style.color = ink;
    element.textContent = short(weight);
  }
  function half(weight) {
    const element = make("span", Number.isNaN(weight) ? "half masked" : "half");
    if (!Number.isNaN(weight)) show(element, weight);
    return element;
  }
  function short(weight) {
    if (digits === 0) return "";
    const number = inCell(weight, 2, write);
    return digits === 2 ? number : number.replace(/0(?=[.,])/, "");
  }
  function describe(row, col) {
    if (row < 0) return fill(text.key, { key: keys[col] });
    if (col < 0) {
      const [top, other] = [weights, beside ?? weights].map((numbers) => {
        const seen = numbers.slice(at(row, 0), at(row + 1, 0));
        return largest([...seen], keys, write) || text.absent;
      });
      return fill(text.query, { query: queries[row], top, other });
    }
    const [weight, other] = [weights, beside ?? weights].map((numbers) => exact(numbers, row, col));
    const words = { query: queries[row], key: keys[col], weight, other };
    return fill(isMasked(at(row, col)) ? text.masked : text.cell, words);
  }

  function exact(numbers, row, col) {
    const number = numbers[at(row, col)];
    return Number.isNaN(number) ? text.absent : write(number, 4);
  }

  function look(row, col) {
    pointed = [row, col];
    say(readout, describe(row, col));
    light(row, col);
  }
  function rest() {
    pointed = null;
    const words = pin && `${text.pinned}: ${describe(pin.query ?? -1, pin.key ?? -1)}`;
    say(readout, words ?? text.hint, pin !== null);
    light(pin?.query, pin?.key);
  }
  function light(row, col) {
    sides.forEach((element, i) => element.classList.toggle("near", Boolean(pick) && i === row));
    heads.forEach((element, i) => element.classList.toggle("near", Boolean(pick) && i === col));
  }
  /** @param {import("../shared/types").Pin | null} chosen */
  function mark(chosen) {
    pin = chosen;
    const [pinnedRow, pinnedCol] = [pin?.query ?? -1, pin?.key ?? -1];
    for (const { row, col, element } of spots) {
      const here = pinnedRow === row && pinnedCol === col;
      element.classList.toggle("pinned", here);
      element.classList.toggle("in-line", pinnedCol < 0 && pinnedRow === row && col >= 0);
      element.classList.toggle("in-column", pinnedRow < 0 && pinnedCol === col && row >= 0);
      element.setAttribute("aria-selected", String(here));
    }
    rest();
  }
  /** Pin a cell, a row or a column; null, or the current pin, unpins it. */
  function choose(wanted) {
    const same = wanted?.query === pin?.query && wanted?.key === pin?.key;
    mark(same ? null : wanted);
    pick?.(pin ?? { query: null, key: null });
  }
  function admit(row, col, element) {
    spots.push({ row, col, element });
    element.tabIndex = -1;
    element.setAttribute("aria-colindex", String(col + 2));
    const own = { query: row < 0 ? null : row, key: col < 0 ? null : col };
    join(element, () => reachable, {
      moves: () => moves(row, col, queries.length, keys.length, elementAt),
      look: () => look(row, col),
      choose: pick && (() => choose(own)),
    });
  }
  function editable(row, col, element) {
    element.setAttribute("aria-keyshortcuts", "+ -");
    makeEditable(element, {
      get: () => weights[at(row, col)],
      set: (weight) => {
        const [from, to] = [at(row, 0), at(row + 1, 0)];
        const next = spread(weights.slice(from, to), col, weight, (key) => !isMasked(from + key));
        const all = weights.slice();
        all.set(next, from);
        draw(all);
        look(row, col);
      },
      done: () => {
        view.memory.edited = [row, col];
        edit?.(row, col, weights[at(row, col)]);
      },
    });
  }
  function elementAt(row, col) {
    return elements[row + 1]?.[col + 1];
  }
  function line(first, others) {
    return make("div", "row", [first, ...others], { role: "row" });
  }
  function corner() {
    const axes = ["key", "query"].map((side) => make("span", `axis-${side}`, text[`${side}_axis`]));
    return make("div", "corner", axes, { role: "columnheader" });
  }
  function head(label, side, row, col) {
    const role = side === "key" ? "columnheader" : "rowheader";
    const token = make("span", "token", label);
    token.lang = languages[side];
    const element = make("div", `head ${side}`, [token], { role, title: label });
    if (pick) admit(row, col, element);
    return element;
  }
  function cell(row, col) {
    const element = make("div", "cell", [], { role: "gridcell" });
    element.classList.toggle("masked", isMasked(at(row, col)));
    const isGoal = goals.some(([query, key]) => query === row && key === col);
    element.classList.toggle("goal", isGoal);
    if (edit && !isMasked(at(row, col))) editable(row, col, element);
    admit(row, col, element);
    return element;
  }
  function fit(width) {
    const font = `13px ${view.page.font}`;
    const side = clamp(widest(queries, font) + 20, sizes.side, Math.max(width * 0.34, sizes.side));
    const size = clamp(Math.floor((width - side - 6) / keys.length) - 1, sizes.least, sizes.wide);
    const upright = widest(keys, font) + 6 > size;
    const above = upright ? Math.min(widest(keys, font) + 10, UPRIGHT) : LINE;
    const each = Math.floor((sizes.room - above) / queries.length) - 1;
    const least = beside ? 30 : sizes.least; // for two lines of digits
    const height = clamp(each, least, Math.max(sizes.high, least));
    grid.style.gridTemplateColumns = `${side}px repeat(${keys.length}, ${size}px)`;
    root.style.setProperty("--cell-h", `${height}px`);
    root.style.setProperty("--digits", size >= 32 ? "11px" : "10px");
    root.style.setProperty("--query-font", fontOf(height));
    root.style.setProperty("--key-font", fontOf(upright ? size : LINE));
    for (const element of heads) element.classList.toggle("upright", upright);
    const room = height < 13 ? 0 : size - (reach ? 6 : 0); // room for the sign
    digits = room >= 30 ? 2 : room >= 22 ? 1 : 0;
    if (weights.length) draw(weights);
    fitted = { width, side, size };
    tellMore();
  }
  /** Say how many columns are out of sight on the right. */
  function tellMore() {
    const { width, side, size } = fitted;
    const seen = Math.round((frame.scrollLeft + width - side) / (size + 1));
    const n = Math.max(0, keys.length - seen);
    more.textContent = n ? `${fill(text.more, { n: String(n) })} →` : "";
    frame.classList.toggle("goes-on", n > 0);
  }
}

/** Return the font size of a label in a line of the given height. @param {number} line */
function fontOf(line) {
  return `${clamp(line * 0.85, 9, 13)}px`;
}
