// From a cell to the panel that explains it, and back; and to where else its number appears.
/** @type {HTMLElement | null} */
let grid = null; // the grid whose cell is open
/** @typedef {{ name: string, index: number[] }} Cell */
/** @type {Map<HTMLElement, (cell: Cell | null) => void>} */
const places = new Map();
/** @type {HTMLElement | null} */
let source = null; // the component that is pointed at

/** Remember where a number was opened. @param {HTMLElement} from */
export function opensPanel(from) {
  if (!grid) document.addEventListener("keydown", leave);
  grid = from;
}

/** Remember the first grid that shows a number opened by an address. @param {HTMLElement} from */
export function showsOpened(from) {
  if (!grid?.isConnected) opensPanel(from);
}

/** Go to the panel of the open number; Escape leads back to the cell. */
export function enterPanel() {
  const panel = /** @type {HTMLElement | null} */ (document.querySelector(".st-key-ask-open"));
  if (!panel) return;
  panel.tabIndex = -1;
  panel.focus();
  panel.scrollIntoView({ block: "nearest" });
}

/** Go back to the cell, if it is still there. */
export function leavePanel() {
  grid?.focus({ preventScroll: true });
}

/** @param {KeyboardEvent} event */
function leave(event) {
  const { activeElement: at } = document;
  if (event.key !== "Escape" || !at?.closest(".st-key-ask-open") || !grid?.isConnected) return;
  event.stopPropagation();
  leavePanel();
}

/**
 * Call `mark` with the number that is pointed at elsewhere, and with null when it no longer is.
 * @param {HTMLElement} root @param {(cell: Cell | null) => void} mark
 */
export function follow(root, mark) {
  places.set(root, mark);
}

/**
 * Light up a number that is pointed at wherever else it is.
 * @param {HTMLElement} from @param {Cell | null} cell
 */
export function light(from, cell) {
  if (!cell && source !== from && source?.isConnected !== false) return;
  source = cell && from;
  for (const [root, mark] of places) {
    if (!root.isConnected) places.delete(root);
    else if (root !== from) mark(cell);
  }
}

/** @param {Cell | null} one @param {Cell} other */
export function isSame(one, other) {
  return one?.name === other.name && String(one.index) === String(other.index);
}
