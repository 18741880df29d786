// From a cell to the panel that explains it, and back, with one key each way.
/** @type {HTMLElement | null} */
let grid = null; // the grid whose cell is open

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
