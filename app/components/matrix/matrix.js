// One head as a table of weights, in which a cell, a query or a key can be pinned.
import { readCells } from "../grid/cells.js";
import { buildTable } from "../grid/table.js";
import { decode } from "../shared/text.js";

export function build(view, fixed) {
  const least = matchMedia("(pointer: coarse)").matches ? 26 : 21;
  const beside = fixed.beside && decode(fixed.beside, Float32Array);
  const sizes = { side: 96, least, low: beside ? 36 : 24, high: beside ? 46 : 34 };
  const cells = readCells(fixed);
  const edit = (query, key, weight) => view.send({ query, key, weight });
  const spec = { ...fixed, ...cells, beside, sizes, edit: fixed.edits ? edit : undefined };
  const table = buildTable(view, spec, view.send);
  view.root.append(...table.parts);
  table.draw(cells.values);
  return table.mark;
}
