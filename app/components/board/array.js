// The numbers of one grid: what they are called, how they are written.
function readArray(spec, text) {
  const [rows, cols] = spec.shape;
  const strip = spec.axes[0] === null;
  const values = floats(spec.values);
  const mask = spec.mask && decode(spec.mask, Uint8Array);
  const isMasked = (i) => mask?.[i] === 0 || values[i] === -Infinity;
  const split = (i) => [Math.floor(i / cols), i % cols];
  return { rows, cols, strip, values, isMasked, address, level, describe, long: longStrip() };

  /** A strip that is folded; one with a word above each cell is not. */
  function longStrip() {
    return strip && spec.col_labels.length === 0 && cols > 32;
  }
  function address(i) {
    const index = [...spec.index];
    const [row, col] = split(i);
    if (!strip) index[spec.axes[0]] = spec.rows?.[row] ?? row;
    index[spec.axes[1]] = spec.cols?.[col] ?? col;
    return index;
  }
  /** Where a value lies on its scale of colours, from 0 to 1. */
  function level(value) {
    if (spec.scale === "weights") return value;
    if (spec.scale === "greys") return value / spec.reach;
    return spec.reach > 0 ? 0.5 + value / (2 * spec.reach) : 0.5;
  }
  function describe(i) {
    const [row, col] = split(i);
    const name = (labels, positions, at) => labels[at] ?? String((positions?.[at] ?? at) + 1);
    const where = [name(spec.col_labels, spec.cols, col)];
    if (!strip || spec.row_labels.length) where.unshift(name(spec.row_labels, spec.rows, row));
    const note = isMasked(i) ? ` · ${text.hatched}` : "";
    return `${spec.title} [${where.join(", ")}] = ${exact(values[i], spec.scale)}${note}`;
  }
}

/** Like `decode`, without a call for each byte: a board has many numbers. */
function floats(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

/** Whether the address of a cell lies in a block, where null is a whole axis. */
function lies(index, block) {
  return index.every((at, axis) => block[axis] == null || block[axis] === at);
}

function short(value, digits) {
  const number = value.toFixed(digits);
  return Number(number) === 0 ? (0).toFixed(digits) : number.replace("-", "−");
}

function exact(value, scale) {
  if (value === -Infinity) return "−∞";
  const number = value.toPrecision(6).replaceAll("-", "−");
  return scale === "signed" && value > 0 ? `+${number}` : number;
}
