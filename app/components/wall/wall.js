// A row per layer, a column per head, and aggregates after a gap; a large picture beside or below.
import { drawPicture, moves } from "../grid/cells.js";
import { colourTable } from "../shared/colour.js";
import { join, make, markOne, rove } from "../shared/dom.js";
import { decode, fill, textWidth } from "../shared/text.js";

export function build(view, fixed) {
  const { layers, heads, titles, names, aggregates, queries, keys, text, enlarged, unheard } =
    fixed;
  const pictures = decode(fixed.pictures, Uint8Array);
  const size = queries.length * keys.length;
  const single = heads.length - aggregates; // the columns before the gap
  const table = colourTable(fixed.reach ? view.palette.signed : view.palette.weights);
  let [locked, shown] = [0, 0];

  const name = (at) => fill(names[at % heads.length], { layer: Math.floor(at / heads.length) + 1 });
  const pixels = (at) => pictures.subarray(at * size, (at + 1) * size);

  const title = make("p", "title");
  const large = make("canvas", "", [], { role: "img" });
  const preview = make("div", "preview", [title, large]);
  const thumbs = Array.from({ length: layers * heads.length }, (_, at) => thumb(at));
  const lines = Array.from({ length: layers }, (_, layer) => {
    const label = make("div", "label", String(layer + 1), { role: "rowheader" });
    return row(label, thumbs.slice(layer * heads.length, (layer + 1) * heads.length));
  });
  const labels = titles.map((title) =>
    make("div", "label", title, { role: "columnheader", title }),
  );
  const axes = [make("span", "", text.corner_head), make("span", "", text.corner_layer)];
  const corner = make("div", "label axes", axes, { role: "columnheader" });
  const grid = make("div", "thumbs", [row(corner, labels), ...lines], {
    role: "grid",
    "aria-label": text.name,
  });
  const columnsOf = (count) => (count ? `repeat(${count}, minmax(0, 64px))` : "");
  const gap = aggregates ? "4px" : "";
  grid.style.gridTemplateColumns = `max-content ${columnsOf(single)} ${gap} ${columnsOf(aggregates)}`;
  const frame = make("div", "frame", [grid]);
  frame.style.maxWidth = `${68 * heads.length + 60}px`;
  const parts = enlarged ? [frame, preview] : [frame];
  view.root.append(make("p", "readout", text.hint), make("div", "wall", parts));
  frame.addEventListener("pointerleave", rest);
  view.watchWidth(() => look(shown));
  return mark;

  function mark({ layer, head }) {
    locked = layer * heads.length + heads.indexOf(head);
    markOne(thumbs, thumbs[locked], "locked", "aria-selected");
    rove(thumbs, thumbs[locked]);
    rest();
  }
  function look(at) {
    shown = at;
    if (!enlarged) return;
    title.textContent = at === locked ? `${name(at)} (${text.locked})` : name(at);
    large.setAttribute("aria-label", title.textContent);
    drawLarge(large, pixels(at), fixed, table, view.palette, preview.clientWidth);
  }
  function rest() {
    look(locked);
  }
  function row(first, others) {
    const parts = [first, ...others];
    if (aggregates) parts.splice(single + 1, 0, make("div"));
    return make("div", "row", parts, { role: "row" });
  }
  function thumb(at) {
    const canvas = make("canvas");
    const levels = Float32Array.from(pixels(at), (byte) => byte / 255);
    drawPicture(canvas, levels, keys.length, table);
    const [layer, column] = [Math.floor(at / heads.length), at % heads.length];
    const isUnheard = unheard.some(([l, h]) => l === layer && h === heads[column]);
    const called = isUnheard ? `${name(at)}: ${text.unheard}` : name(at);
    const words = { role: "gridcell", "aria-label": called, title: called };
    const element = make("div", isUnheard ? "thumb unheard" : "thumb", [canvas], words);
    join(element, () => thumbs, {
      moves: () => moves(layer, column, layers, heads.length, thumbAt),
      look: () => look(at),
      choose: () => {
        mark({ layer, head: heads[column] });
        view.send({ layer, head: heads[column] });
      },
    });
    return element;
  }
  function thumbAt(layer, column) {
    return column in heads ? thumbs[layer * heads.length + column] : undefined;
  }
}

function drawLarge(canvas, bytes, { queries, keys, text }, table, palette, room) {
  const style = getComputedStyle(canvas);
  const fontAt = (size) => `${size}px ${style.fontFamily}`;
  const widest = (labels) =>
    Math.max(...labels.map((label) => textWidth(truncate(label), fontAt(12))));
  const left = Math.min(widest(queries) + 26, 116);
  const top = Math.min(widest(keys) + 26, 106);
  const cell = Math.min((room - left - 4) / keys.length, 380 / queries.length, 36);
  if (cell <= 0) return;
  const [width, height] = [left + cell * keys.length + 2, top + cell * queries.length + 2];
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  canvas.style.width = `${width}px`;
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  const gap = cell > 8 ? 1 : 0;
  bytes.forEach((byte, i) => {
    const [col, row] = [i % keys.length, Math.floor(i / keys.length)];
    pen.fillStyle = `rgb(${table[byte].join(" ")})`;
    pen.fillRect(left + col * cell, top + row * cell, cell - gap, cell - gap);
  });
  const every = Math.ceil(10 / cell);
  pen.font = fontAt(Math.max(Math.min(cell - 1, 12), 9));
  pen.textBaseline = "middle";
  pen.fillStyle = style.color;
  pen.textAlign = "right";
  queries.forEach((label, row) => {
    if (row % every === 0) pen.fillText(truncate(label), left - 5, top + (row + 0.5) * cell);
  });
  pen.textAlign = "left";
  keys.forEach((label, col) => {
    if (col % every === 0)
      turned(pen, truncate(label), left + (col + 0.5) * cell, top - 5, -Math.PI / 2);
  });
  pen.font = fontAt(11);
  pen.fillStyle = palette.roles.key;
  pen.fillText(text.key_axis, left, 8, width - left);
  pen.fillStyle = palette.roles.query;
  pen.textAlign = "right";
  turned(pen, text.query_axis, 8, top, -Math.PI / 2);
}

function turned(pen, label, x, y, angle) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(angle);
  pen.fillText(label, 0, 0);
  pen.restore();
}

function truncate(label) {
  return label.length > 12 ? `${label.slice(0, 11)}…` : label;
}
