// Creating elements, joining them in groups, and noticing when they are left. No text becomes HTML.
import { enlarge } from "./lens.js";

/**
 * Create an element with a class, a text or children, and attributes.
 *
 * A token is what the model reads: no browser may translate it.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {string | (Node | string)[]} [content]
 * @param {import("./types").Attributes} [attributes]
 */
export function make(tag, className = "", content = [], attributes = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (element.classList.contains("token")) element.translate = false;
  element.append(...[content].flat());
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/**
 * Create a button that acts when it is pressed.
 * @param {string} className @param {string | (Node | string)[]} content @param {() => void} act
 * @param {import("./types").Attributes} [attributes]
 */
export function makeButton(className, content, act, attributes) {
  const button = make("button", className, content, attributes);
  button.addEventListener("click", act);
  return button;
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

/** Save a file from the page. @param {Blob} blob @param {string} file */
export function download(blob, file) {
  const link = make("a", "", [], { href: URL.createObjectURL(blob), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @param {HTMLElement} readout @param {string} text */
export function say(readout, text, live = true) {
  enlarge(live ? text : "");
  readout.textContent = text;
  readout.classList.toggle("live", live);
}

/**
 * Put only one element of a group in the tab order; arrows move within the group.
 * @param {Iterable<Spot>} group @param {Spot | undefined} active
 * @typedef {HTMLElement | SVGElement} Spot
 */
export function rove(group, active) {
  for (const element of group) element.tabIndex = element === active ? 0 : -1;
}

/**
 * Mark one element of a group, or none, by a class and an attribute that is "true" there.
 * @param {Iterable<Spot>} group @param {Spot | null | undefined} chosen
 * @param {string} look @param {string} attribute
 */
export function markOne(group, chosen, look, attribute) {
  for (const element of group) {
    element.classList.toggle(look, element === chosen);
    element.setAttribute(attribute, String(element === chosen));
  }
}

/**
 * Add an element to a group: `look` is called on hover or focus, `choose` on a click or Enter.
 * @param {Spot} element @param {() => Iterable<Spot>} group
 * @param {{ moves: () => Record<string, Spot | undefined>, look?: () => void,
 *   choose?: () => void }} actions keys lead by `moves` to an element, or nowhere at an edge
 */
export function join(element, group, { moves, look, choose }) {
  if (look) for (const event of ["pointerenter", "focus"]) element.addEventListener(event, look);
  const enter = () => {
    rove(group(), element);
    choose?.();
  };
  if (choose) element.addEventListener("click", enter);
  element.addEventListener("keydown", (/** @type {any} */ event) => {
    const to = moves();
    if (event.key in to && !event.altKey) go(to[event.key]);
    else if (choose && isEnter(event)) enter();
    else return;
    event.preventDefault();
    event.stopPropagation(); // it is no shortcut of the page
  });
  const go = (/** @type {Spot | undefined} */ next) => {
    if (!next) return;
    rove(group(), next);
    next.focus();
  };
}

/**
 * Make elements a group through which the keys `on` and `back` lead, and Home and End.
 * @param {Spot[]} row @param {string[]} on @param {string[]} back
 * @param {(at: number) => { look?: () => void, choose?: () => void }} [actions]
 */
export function joinRow(row, on, back, actions) {
  for (const [at, element] of row.entries()) {
    const moves = () => ({
      ...Object.fromEntries(on.map((key) => [key, row[at + 1]])),
      ...Object.fromEntries(back.map((key) => [key, row[at - 1]])),
      Home: row[0],
      End: row.at(-1),
    });
    join(element, () => row, { moves, ...actions?.(at) });
  }
}

/**
 * Listen on the whole page for as long as an element is on it.
 * @param {HTMLElement} root @param {Record<string, (event: any) => void>} events by their names
 */
export function listen(root, events, passive = false) {
  const page = new AbortController();
  for (const [name, act] of Object.entries(events)) {
    const heard = (/** @type {Event} */ event) => (root.isConnected ? act(event) : page.abort());
    document.addEventListener(name, heard, { signal: page.signal, passive });
  }
}

/** @param {KeyboardEvent} event */
export function isEnter(event) {
  return event.key === "Enter" || event.key === " ";
}

/**
 * Call back when neither the pointer nor the focus is inside the element any longer.
 * @param {HTMLElement} element @param {() => void} callback
 */
export function onLeave(element, callback) {
  element.addEventListener("pointerleave", () => {
    callback();
    enlarge(""); // what is pinned stays where it is
  });
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) callback();
  });
}
