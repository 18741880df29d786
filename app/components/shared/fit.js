// Fitting the open screen into the window: its boards take less room, or more if there is some; if
// that is not enough, the whole screen is drawn smaller.
import { clamp } from "./colour.js";

const BOARDS = [0.4, 1.6]; // the least and greatest share of their rows' usual height
const SCREEN = 0.65; // the least share of the screen's size
const LOW = 1; // the size with the lowest boards, below which the screen is smaller
const USUAL = 2; // the size at which nothing is smaller or larger
const MOST = 3;
// Each size that is tried is a layout of the whole page: not more than these, nor for less room.
const STEPS = 6;
const [SPARE, FINE] = [40, 0.05]; // pixels that may stay free below the screen; size
const ATTEMPTS = 3;
const [WIDE, HIGH] = [640, 600]; // pixels: smaller windows (a phone, 200 % zoom) scroll

/** @type {Set<import("./types").View>} */
const boards = new Set(); // the boards whose height can change
const now = { size: USUAL, boards: 1, measures: false, changed: false };
let settled = ""; // the last measurement
let waits = false;
/** @type {WeakSet<Element>} */
const observed = new WeakSet();
const watcher = new ResizeObserver(() => {
  if (waits) return;
  waits = true;
  requestAnimationFrame(fitScreen);
});
window.addEventListener("resize", () => requestAnimationFrame(fitScreen));

/** Return whether heights are being tried out: nothing is painted until one is found. */
export function measures() {
  return now.measures;
}

/**
 * Return the height of a board's rows as a share of the usual one; the board is drawn again
 * whenever it changes. Boards outside the screen keep their height.
 * @param {import("./types").View} view @returns {() => number}
 */
export function heightOf(view) {
  const { host } = /** @type {ShadowRoot} */ (view.root.getRootNode());
  if (!host?.closest(".st-key-drawn")) return () => 1;
  boards.add(view);
  return () => now.boards;
}

/** Find the size of the open screen, if anything about it has changed. */
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
  // The visitor scrolls to read what a drawer opens.
  if (drawn.querySelector("details[open]") || settled === measured(drawn)) return;
  let room = 0; // spare pixels: once painted, a board may be higher than in the trial
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    now.measures = true;
    now.changed = false;
    const over = (size) => {
      draw(drawn, size);
      return excess(drawn) + room;
    };
    const size = largest(over, drawn);
    draw(drawn, size);
    now.measures = false;
    if (now.changed) refit();
    const rest = excess(drawn);
    if (rest <= 0) break;
    room += rest;
  }
  settled = measured(drawn);
}

/**
 * Return about the largest size that fits; if none does, the usual size, which scrolls.
 * @param {(size: number) => number} over pixels that stick out at a size
 * @param {HTMLElement} drawn
 */
function largest(over, drawn) {
  /** @type {{ size: number, over: number } | undefined} */
  let fits, /** @type {{ size: number, over: number } | undefined} */ fails;
  const attempt = (size) => {
    const tried = { size, over: over(size) };
    if (tried.over <= 0) fits = tried;
    else fails = tried;
  };
  for (const size of [now.size, LOW, MOST]) {
    if (fits && (fails || fits.over >= -SPARE)) break;
    if (fits ? size > fits.size : size < (fails?.size ?? Infinity)) attempt(size);
  }
  if (fails && !fits) {
    // The screen as much smaller as it sticks out: mostly that is enough.
    const share = (fails.over + SPARE / 2) / drawn.offsetHeight;
    attempt(Math.max(fails.size - share / (1 - SCREEN), 0));
  }
  if (fails && !fits) attempt(0);
  for (let step = 0; step < STEPS && fits && fails; step++) {
    if (fits.over >= -SPARE || fails.size - fits.size < FINE) break;
    // In turn: where a line through both meets the edge, and half way, as words that wrap are jumps.
    const share = step % 2 ? 0.5 : clamp(fits.over / (fits.over - fails.over), 0.1, 0.9);
    attempt(fits.size + (fails.size - fits.size) * share);
  }
  return fits?.size ?? USUAL;
}

/** Return what determines a screen's size: the window, and the height and width of the drawing. */
function measured(drawn) {
  return [innerWidth, innerHeight, drawn.offsetWidth, drawn.offsetHeight, excess(drawn)].join();
}

/** Draw at a size: 0 to 1 scales the screen with the lowest boards, 1 to 3 raises the boards. */
function draw(drawn, size) {
  now.size = size;
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

/** Return by how much the screen is too high, not counting what is opened beside it. */
function excess(drawn) {
  const [main, content, screen] = [".stMain", ".stMainBlockContainer", ".st-key-screen"].map(
    (name) => /** @type {HTMLElement} */ (drawn.closest(name)),
  );
  const bottom = (element) => element.getBoundingClientRect().bottom;
  const below = bottom(content) - bottom(screen);
  return Math.ceil(bottom(drawn) + main.scrollTop + below - bottom(main));
}
