// Setting a weight by hand: the rest of its row keeps its proportions, and the sum stays 1.
import { clamp } from "../shared/colour.js";

const HEIGHT = 160; // pixels of dragging from 0 to 1
const LEAST = 4; // pixels of dragging; fewer count as a click
const [STEP, LARGE] = [0.01, 0.1];
const PAUSE = 700; // milliseconds after the last key
const UP = ["+", "="];
const DOWN = ["-", "_", "−"];

/**
 * Return the row with another weight at one place; `isOpen` says which keys are not masked. If all
 * other weights are 0, they share the rest equally; a query with only one open key stays at 1.
 * @param {Float32Array} row @param {number} at @param {number} weight
 * @param {(key: number) => boolean} isOpen
 */
export function spread(row, at, weight, isOpen) {
  const others = [...row.keys()].filter((key) => key !== at && isOpen(key));
  if (!others.length) return row;
  const rest = others.reduce((sum, key) => sum + row[key], 0);
  const next = row.slice();
  next[at] = weight;
  for (const key of others) {
    next[key] = (1 - weight) * (rest > 0 ? row[key] / rest : 1 / others.length);
  }
  return next;
}

/**
 * Make a weight change by dragging its cell up and down or by keys; `done` is called at the end.
 * @param {HTMLElement} cell
 * @param {{ get: () => number, set: (weight: number) => void, done: () => void }} weight
 */
export function makeEditable(cell, { get, set, done }) {
  /** @type {{ y: number, weight: number, moved: boolean } | null} */
  let drag = null;
  let timer = 0;

  cell.addEventListener("pointerdown", ({ button, clientY, pointerId }) => {
    if (button !== 0) return;
    drag = { y: clientY, weight: get(), moved: false };
    cell.setPointerCapture(pointerId);
  });
  cell.addEventListener("pointermove", ({ clientY }) => {
    if (!drag) return;
    const up = drag.y - clientY;
    drag.moved ||= Math.abs(up) >= LEAST;
    if (drag.moved) set(rounded(drag.weight + up / HEIGHT));
  });
  cell.addEventListener("pointerup", () => {
    if (drag?.moved) done();
  });
  cell.addEventListener("pointercancel", () => {
    if (drag?.moved) set(drag.weight);
    drag = null;
  });
  cell.addEventListener("click", (event) => {
    if (drag?.moved) event.stopImmediatePropagation(); // a drag does not pin the cell
    drag = null;
  });
  cell.addEventListener("keydown", (event) => {
    const step = stepOf(event);
    if (!step) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    set(rounded(get() + step));
    clearTimeout(timer);
    timer = setTimeout(finish, PAUSE);
  });
  cell.addEventListener("blur", () => timer && finish());

  function finish() {
    clearTimeout(timer);
    timer = 0;
    done();
  }
}

/** @param {KeyboardEvent} event */
function stepOf({ key, shiftKey }) {
  if (UP.includes(key)) return STEP;
  if (DOWN.includes(key)) return -STEP;
  if (!shiftKey) return 0;
  return { ArrowUp: LARGE, ArrowDown: -LARGE }[key] ?? 0;
}

/** @param {number} weight */
function rounded(weight) {
  return Math.round(clamp(weight, 0, 1) * 1000) / 1000;
}
