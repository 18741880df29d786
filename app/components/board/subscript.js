// Titles such as "Q = x W_Q": the text after the underscore becomes a subscript.
import { make } from "../shared/dom.js";

/** Return a plain text's parts, with subscripts in d_k and W_Q; quoted text stays as it is. */
export function parts(text) {
  const all = text.split(/(“[^”]*”|«[^»]*»|(?<=\p{L})_[\p{L}\p{N}]+)/u);
  return all.map((part) => (part.startsWith("_") ? { part: part.slice(1), low: true } : { part }));
}

export function rich(element, text) {
  element.append(...parts(text).map(({ part, low }) => (low ? make("sub", "", part) : part)));
  return element;
}
