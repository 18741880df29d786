// The open screen fits into the window: its boards take less room, or more where there is some;
// where that does not do, all of it is drawn smaller.
import { clamp } from "./colour.js";

const BOARDS = [0.4, 1.6]; // of the height that their rows would have
const SCREEN = 0.65; // the least of its size
const USUAL = 2; // the size at which nothing is smaller or larger
const STEPS = 7; // halvings of what there is between the smallest and the largest
const ATTEMPTS = 3;
const [WIDE, HIGH] = [640, 600]; // pixels: on a phone, and at 200 %, one scrolls

/** @type {Set<import("./types").View>} */
const boards = new Set(); // whose height can be another one
const now = { boards: 1, measures: false, changed: false };
let settled = ""; // what was measured last
let waits = false;
/** @type {WeakSet<Element>} */
const observed = new WeakSet();
const watcher = new ResizeObserver(() => {
  if (waits) return;
  waits = true;
  requestAnimationFrame(fitScreen);
});
window.addEventListener("resize", () => requestAnimationFrame(fitScreen));

/** Whether heights are being tried out: nothing is painted until one of them is found. */
export function measures() {
  return now.measures;
}

/**
 * How high the rows of a board are, as a share of what they would be: it is drawn again whenever
 * that is another one. What is beside the screen stays as it is.
 * @param {import("./types").View} view @returns {() => number}
 */
export function heightOf(view) {
  const { host } = /** @type {ShadowRoot} */ (view.root.getRootNode());
  if (!host?.closest(".st-key-drawn")) return () => 1;
  boards.add(view);
  return () => now.boards;
}

/** Find how large the open screen may be, if anything about it has changed. */
export function fitScreen() {
  waits = false;
  const drawn = /** @type {HTMLElement | null} */ (
    document.querySelector(".st-key-screen > * > .st-key-drawn")
  );
  if (!drawn || innerWidth <= WIDE || innerHeight < HIGH) {
    settled = "";
    return draw(drawn, USUAL);
  }
  for (const element of [drawn, document.querySelector(".stMainBlockContainer")]) {
    if (element && !observed.has(element)) watcher.observe(element);
    if (element) observed.add(element);
  }
  // What a drawer opens is read by scrolling.
  if (drawn.querySelector("details[open]") || settled === measured(drawn)) return;
  let room = 0; // what stays free: painted, a board may be higher than it was when it was tried
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    now.measures = true;
    now.changed = false;
    const size = largest((size) => {
      draw(drawn, size);
      return excess(drawn) <= -room;
    });
    draw(drawn, size);
    now.measures = false;
    if (now.changed) refit();
    const over = excess(drawn);
    if (over <= 0) break;
    room += over;
  }
  settled = measured(drawn);
}

/**
 * The largest size from 0 to 3 that fits; where none does, one scrolls.
 * @param {(size: number) => boolean} doesFit
 */
function largest(doesFit) {
  let [least, most] = [0, 3];
  if (doesFit(most)) return most;
  if (!doesFit(least)) return USUAL;
  for (let step = 0; step < STEPS; step++) {
    const middle = (least + most) / 2;
    if (doesFit(middle)) least = middle;
    else most = middle;
  }
  return least;
}

/** What decides how large a screen may be: the window, and how high and wide it is drawn. */
function measured(drawn) {
  return [innerWidth, innerHeight, drawn.offsetWidth, drawn.offsetHeight, excess(drawn)].join();
}

/** Draw with a size from 0 to 1, the boards at their lowest, from there to 3 with all else whole. */
function draw(drawn, size) {
  const whole = SCREEN + (1 - SCREEN) * clamp(size, 0, 1);
  const zoom = whole < 1 ? whole.toFixed(4) : "";
  const [low, high] = BOARDS;
  const share = size < 2 ? low + (1 - low) * clamp(size - 1, 0, 1) : 1 + (high - 1) * (size - 2);
  if (share === now.boards && (drawn?.style.zoom ?? "") === zoom) return;
  if (drawn) drawn.style.zoom = zoom;
  now.boards = share;
  now.changed = true;
  refit();
}

function refit() {
  for (const view of boards) {
    if (view.root.isConnected) view.refit?.();
    else boards.delete(view);
  }
}

/** By how much the screen is too high: what is opened beside it does not count. */
function excess(drawn) {
  const [main, content, screen] = [".stMain", ".stMainBlockContainer", ".st-key-screen"].map(
    (name) => /** @type {HTMLElement} */ (drawn.closest(name)),
  );
  const bottom = (element) => element.getBoundingClientRect().bottom;
  const below = bottom(content) - bottom(screen);
  return Math.ceil(bottom(drawn) + main.scrollTop + below - bottom(main));
}
