// Titles as "Q = x W_Q": what follows the underscore is set lower.
import { make } from "../shared/dom.js";

/** Plain text, in which d_k and W_Q get their index; what stands in quotes stays as it is. */
export function parts(text) {
  const all = text.split(/(“[^”]*”|«[^»]*»|(?<=\p{L})_[\p{L}\p{N}]+)/u);
  return all.map((part) => (part.startsWith("_") ? { part: part.slice(1), low: true } : { part }));
}

export function rich(element, text) {
  element.append(...parts(text).map(({ part, low }) => (low ? make("sub", "", part) : part)));
  return element;
}
