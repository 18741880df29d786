// The numbers of one grid: their names and how they are written.
import { readCells } from "../grid/cells.js";
import { make } from "../shared/dom.js";
import { short } from "../shared/number.js";
import { fill } from "../shared/text.js";

export function readArray(spec, text) {
  const [rows, cols] = spec.shape;
  const strip = spec.axes[0] === null;
  const { values, isMasked } = readCells(spec);
  const split = (i) => [Math.floor(i / cols), i % cols];
  const { scale } = spec;
  return {
    rows,
    cols,
    strip,
    scale,
    values,
    isMasked,
    address,
    find,
    level,
    describe,
    // A strip that is folded: one with a word above each cell never is.
    long: strip && spec.col_labels.length === 0 && cols > 32,
  };

  function address(i) {
    const index = [...spec.index];
    const [row, col] = split(i);
    if (!strip) index[spec.axes[0]] = spec.rows?.[row] ?? row;
    index[spec.axes[1]] = spec.cols?.[col] ?? col;
    return index;
  }
  /** Return the position of the number at an address, or -1. */
  function find(cell) {
    if (cell?.name !== spec.name || !lies(cell.index, spec.index)) return -1;
    const place = (axis, places) => places?.indexOf(cell.index[axis]) ?? cell.index[axis];
    const row = strip ? 0 : place(spec.axes[0], spec.rows);
    const col = place(spec.axes[1], spec.cols);
    return row < 0 || col < 0 || row >= rows || col >= cols ? -1 : row * cols + col;
  }
  /** Return a value's level on its colour scale, from 0 to 1. */
  function level(value) {
    if (spec.scale === "weights") return value;
    if (spec.scale === "greys") return value / spec.reach;
    return spec.reach > 0 ? 0.5 + value / (2 * spec.reach) : 0.5;
  }
  function describe(i) {
    const [row, col] = split(i);
    const { row_labels, col_labels, first, name } = spec;
    const plain = !strip && !row_labels.length && !col_labels.length;
    const place = (labels, positions, at, counted) => {
      if (labels[at] === undefined) return fill(counted, { n: (positions?.[at] ?? at) + first });
      return name ? fill(text.word, { word: labels[at] }) : labels[at];
    };
    const where = [place(col_labels, spec.cols, col, plain ? text.column : text.number)];
    if (!strip || row_labels.length)
      where.unshift(place(row_labels, spec.rows, row, plain ? text.row : text.number));
    const note = isMasked(i) ? ` · ${text.hatched}` : "";
    const cell = [spec.title, ...where].join(" · ");
    return `${cell} = ${exact(values[i], spec.scale)}${note}`;
  }
}

/** Return whether a cell's address lies in a block, in which null stands for an entire axis. */
export function lies(index, block) {
  return index.every((at, axis) => block[axis] == null || block[axis] === at);
}

function exact(value, scale) {
  const number = short(value, 6);
  return scale === "signed" && value > 0 ? `+${number}` : number;
}

/** Return the parts of a title such as "Q = x W_Q", with its subscripts; quoted text stays as it is. */
export function parts(text) {
  const all = text.split(/(“[^”]*”|«[^»]*»|(?<=\p{L})_[\p{L}\p{N}]+)/u);
  return all.map((part) => (part.startsWith("_") ? { part: part.slice(1), low: true } : { part }));
}

export function rich(element, text) {
  element.append(...parts(text).map(({ part, low }) => (low ? make("sub", "", part) : part)));
  return element;
}
