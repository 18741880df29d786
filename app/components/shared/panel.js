// From a cell to the panel that explains it, and back: one key each way.
/** @type {HTMLElement | null} */
let cell = null;

/**
 * Go to the panel of the open number; Escape leads back to the cell.
 * @param {HTMLElement} from
 */
export function enterPanel(from) {
  const panel = /** @type {HTMLElement | null} */ (document.querySelector(".st-key-ask-open"));
  if (!panel) return;
  if (!cell) document.addEventListener("keydown", leave);
  cell = from;
  panel.tabIndex = -1;
  panel.focus();
  panel.scrollIntoView({ block: "nearest" });
}

/** @param {KeyboardEvent} event */
function leave(event) {
  const { activeElement: at } = document;
  if (event.key !== "Escape" || !at?.closest(".st-key-ask-open") || !cell?.isConnected) return;
  event.stopPropagation();
  cell.focus();
}
