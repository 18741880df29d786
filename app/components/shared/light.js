// A number that is pointed at lights up wherever else it appears on the page.

/** @typedef {{ name: string, index: number[] }} Cell */
/** @type {Map<HTMLElement, (cell: Cell | null) => void>} */
const places = new Map();
/** @type {HTMLElement | null} */
let source = null; // the component that is pointed at

/**
 * Call `mark` with the number that is pointed at elsewhere, and with null when it no longer is.
 * @param {HTMLElement} root @param {(cell: Cell | null) => void} mark
 */
export function follow(root, mark) {
  places.set(root, mark);
}

/** @param {HTMLElement} from @param {Cell | null} cell */
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
