// In front of a class, the text of what is under the pointer is shown large beside it.

// The keys of a clicker and of a presenter: a blank screen, and inverted colours.
const LIGHTS = { b: "blank", ".": "blank", i: "inverted" };
const AWAY = 24; // pixels between the pointer and the text
/** @type {HTMLElement | undefined} */
let lens;
/** @type {{ x: number, y: number } | undefined} */
let pointer; // none until it has moved: a page that just opened has nothing under it
document.addEventListener("pointermove", follow, { passive: true });

export function presenting() {
  return document.documentElement.classList.contains("presenting");
}

/** Present to a class: show only the screen, in large type. @param {boolean} [on] */
export function present(on) {
  toggle("presenting", on);
  for (const look of Object.values(LIGHTS)) toggle(look, false);
  window.dispatchEvent(new Event("resize"));
}

/** Follow a key that darkens or inverts the screen; return whether it is one. @param {string} key */
export function light(key) {
  if (!(key in LIGHTS)) return false;
  toggle(LIGHTS[key]);
  return true;
}

/** Toggle a class that app/style.css styles. @param {string} name @param {boolean} [on] */
function toggle(name, on) {
  document.documentElement.classList.toggle(name, on);
}

/** Show a text beside the pointer; "" hides it. @param {string} text */
export function enlarge(text) {
  if (!presenting() && !lens) return;
  lens ??= create();
  lens.textContent = text;
  lens.hidden = !text || !presenting() || !pointer;
  place();
}

function create() {
  const element = document.createElement("div");
  element.className = "lens";
  element.ariaHidden = "true"; // screen readers already read the cell's description
  document.body.append(element);
  return element;
}

/** @param {PointerEvent} event */
function follow({ clientX, clientY }) {
  pointer = { x: clientX, y: clientY };
  place();
}

function place() {
  if (!lens || lens.hidden || !pointer) return;
  const { offsetWidth: width, offsetHeight: height } = lens;
  const above = pointer.y - AWAY - height;
  lens.style.left = `${Math.min(Math.max(pointer.x - width / 2, 0), innerWidth - width)}px`;
  lens.style.top = `${above > 0 ? above : pointer.y + AWAY}px`;
}
