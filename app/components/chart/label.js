// Texts of a chart: the few tags that they may have, as parts of a text of SVG.
import { makeSvg } from "../shared/dom.js";
import { textWidth } from "../shared/text.js";

export const FONT = "Source Sans, system-ui, sans-serif";

/** The letters of a label alone, its lines apart. @param {string} text */
export function plain(text) {
  const page = new DOMParser().parseFromString(String(text).replace(/<br>/g, "\n"), "text/html");
  return page.body.textContent ?? "";
}

/** @param {string} name */
export function inOneLine(name) {
  return name.replace("-<br>", "-").replaceAll("<br>", " ");
}

/**
 * Write a label at a place.
 * @param {SVGElement} parent @param {string} text @param {number} x @param {number} y
 * @param {{ size?: number, fill?: string, anchor?: string, middle?: boolean, turn?: number,
 *   most?: number }} look
 */
export function write(
  parent,
  text,
  x,
  y,
  { size = 12, fill = "", anchor = "start", middle = false, turn = 0, most = 0 },
) {
  const element = makeSvg("text", { "font-size": size, fill, "text-anchor": anchor });
  const lines = String(text).split("<br>");
  const first = middle ? y - ((lines.length - 1) * size * 1.2) / 2 + size * 0.35 : y;
  if (turn) {
    element.setAttribute("transform", `rotate(${turn} ${x} ${y})`);
    element.setAttribute("dy", "0.35em");
  }
  for (const [i, line] of lines.entries()) {
    const row = makeSvg("tspan", { x, y: first + i * size * 1.2 });
    const page = new DOMParser().parseFromString(line, "text/html");
    for (const node of page.body.childNodes) row.append(part(node, size));
    element.append(row);
  }
  for (const row of most ? element.children : []) shorten(row, most + 2, size);
  parent.append(element);
}

/** @param {Node} node */
function part(node, size) {
  if (!(node instanceof HTMLElement)) return document.createTextNode(node.textContent ?? "");
  const element = makeSvg("tspan");
  const { color, fontSize } = node.style;
  if (color) element.setAttribute("fill", color);
  if (fontSize) element.setAttribute("font-size", fontSize);
  if (node.localName === "b") element.setAttribute("font-weight", "bold");
  if (node.localName === "i") element.setAttribute("font-style", "italic");
  if (["sub", "sup"].includes(node.localName)) {
    element.setAttribute("baseline-shift", node.localName === "sub" ? "sub" : "super");
    element.setAttribute("font-size", String(size * 0.75));
  }
  for (const child of node.childNodes) element.append(part(child, size));
  return element;
}

/** A name that there is no room for loses its end. */
function shorten(row, most, size) {
  let words = row.textContent;
  const isLong = (text) => textWidth(text, `${size}px ${FONT}`) > most;
  if (!isLong(words)) return;
  while (words.length > 1 && isLong(`${words}…`)) words = words.slice(0, -1);
  row.textContent = `${words}…`;
}
