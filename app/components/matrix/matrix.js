// One head as a table of weights, in which a cell, a query or a key can be pinned.
import { readCells } from "../grid/cells.js";
import { buildTable } from "../grid/table.js";
import { decode } from "../shared/text.js";

// Pixels above and below the table on the page Translate, in a wide window and on a phone.
const AROUND = 300;
const AROUND_NARROW = 440;
const NARROW = 640;
const LEAST_ROOM = 280;

export function build(view, fixed) {
  // The table fits into the window, whatever is above it, as long as its cells can be pointed at.
  const least = matchMedia("(pointer: coarse)").matches ? 26 : 10;
  const around = innerWidth > NARROW ? AROUND : AROUND_NARROW;
  const room = Math.max(innerHeight - around, LEAST_ROOM);
  const beside = fixed.beside && decode(fixed.beside, Float32Array);
  const sizes = { side: 96, least, wide: 76, high: 46, room };
  const cells = readCells(fixed);
  const edit = (query, key, weight) => view.send({ query, key, weight });
  const spec = { ...fixed, ...cells, beside, sizes, edit: fixed.edits ? edit : undefined };
  const table = buildTable(view, spec, view.send);
  view.root.append(...table.parts);
  table.draw(cells.values);
  return table.mark;
}
