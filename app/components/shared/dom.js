// Elements of the page: made, filled with text, walked through. No text ever becomes HTML.

/**
 * An element with a class, a text and attributes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {string} [text]
 * @param {import("./types").Attributes} [attributes]
 */
export function make(tag, className = "", text = "", attributes = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {import("./types").Attributes} [attributes]
 */
export function makeSvg(tag, attributes = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** @param {HTMLElement} readout @param {string} text */
export function say(readout, text, live = true) {
  readout.textContent = text;
  readout.classList.toggle("live", live);
}

/**
 * Only one element of a group takes part in the order of Tab; arrows move within the group.
 * @param {Iterable<HTMLElement | SVGElement>} elements
 * @param {HTMLElement | SVGElement | undefined} active
 */
export function rove(elements, active) {
  for (const element of elements) element.tabIndex = element === active ? 0 : -1;
}

/**
 * A key that moves: go to the element it leads to, if there is one.
 * @param {KeyboardEvent} event @param {Iterable<HTMLElement | SVGElement>} elements
 * @param {HTMLElement | SVGElement | null | undefined} next
 */
export function walk(event, elements, next) {
  event.preventDefault();
  if (!next) return;
  rove(elements, next);
  next.focus();
}

/** @param {KeyboardEvent} event */
export function isEnter(event) {
  return event.key === "Enter" || event.key === " ";
}

/**
 * Call back when neither the pointer nor the focus is inside any more.
 * @param {HTMLElement} element @param {() => void} callback
 */
export function onLeave(element, callback) {
  element.addEventListener("pointerleave", () => callback());
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) callback();
  });
}
