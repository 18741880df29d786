// One row a layer, one column a head, aggregates after a gap; the large picture beside or below.
import { drawPicture, step } from "../grid/cells.js";
import { colourTable } from "../shared/colour.js";
import { isEnter, make, rove, walk } from "../shared/dom.js";
import { decode, fill, textWidth } from "../shared/text.js";

export function build(view, fixed) {
  const { root, send, palette } = view;
  const { layers, heads, aggregates, titles, queries, keys, text } = fixed;
  const pictures = decode(fixed.pictures, Uint8Array);
  const size = queries.length * keys.length;
  const columns = heads + aggregates.length;
  const table = colourTable(palette.weights);
  const rows = []; // the pictures of each layer
  let locked = null;

  const name = (at) => {
    const [layer, column] = [Math.floor(at / columns), at % columns];
    if (column < heads) return fill(text.head, { layer: layer + 1, head: column + 1 });
    return fill(text.aggregate, { layer: layer + 1, name: titles[column - heads] });
  };
  const pixels = (at) => pictures.subarray(at * size, (at + 1) * size);
  const pick = (at) => {
    const column = at % columns;
    const head = column < heads ? column : aggregates[column - heads];
    return { layer: Math.floor(at / columns), head };
  };
  const place = (chosen) => {
    if (!chosen) return null;
    const found = aggregates.indexOf(chosen.head);
    return chosen.layer * columns + (found < 0 ? chosen.head : heads + found);
  };

  const hint = make("p", "readout", text.hint);
  const frame = make("div", "frame");
  const grid = make("div", "thumbs", "", { role: "grid", "aria-label": text.name });
  const columnsOf = (count) => (count ? `repeat(${count}, minmax(0, 64px))` : "");
  const gap = aggregates.length ? "4px" : "";
  grid.style.gridTemplateColumns = `max-content ${columnsOf(heads)} ${gap} ${columnsOf(aggregates.length)}`;
  frame.style.maxWidth = `${68 * columns + 60}px`;
  const preview = make("div", "preview");
  const title = make("h4");
  const large = make("canvas", "", "", { role: "img" });
  preview.append(title, large);

  grid.append(row(corner(), ...columnLabels()));
  for (let layer = 0; layer < layers; layer++) {
    const label = make("div", "label", String(layer + 1), { role: "rowheader" });
    const pictures = Array.from({ length: columns }, (_, column) =>
      thumb(layer * columns + column),
    );
    const aside = aggregates.length ? [make("div")] : [];
    grid.append(row(label, ...pictures.slice(0, heads), ...aside, ...pictures.slice(heads)));
    rows.push(pictures);
  }
  frame.append(grid);
  const body = make("div", "wall");
  body.append(frame, preview);
  root.append(hint, body);
  const thumbs = rows.flat();
  rove(thumbs, thumbs[0]);

  let shown = 0;
  const look = (at) => {
    shown = at;
    title.textContent = at === locked ? `${name(at)} (${text.locked})` : name(at);
    large.setAttribute("aria-label", title.textContent);
    drawLarge(large, pixels(at), queries, keys, text, table, palette, preview.clientWidth);
  };
  const rest = () => look(locked ?? shown);
  frame.addEventListener("pointerleave", rest);
  view.watchWidth(() => look(shown));

  function mark(chosen) {
    locked = place(chosen);
    thumbs.forEach((element, at) => {
      element.classList.toggle("locked", at === locked);
      element.setAttribute("aria-selected", at === locked);
    });
    if (locked !== null) rove(thumbs, thumbs[locked]);
    rest();
  }
  return mark;

  function corner() {
    const element = make("div", "label axes", "", { role: "columnheader" });
    element.append(make("span", "", text.corner_head), make("span", "", text.corner_layer));
    return element;
  }
  function columnLabels() {
    const words = [...Array.from({ length: heads }, (_, h) => String(h + 1)), ...titles];
    const labels = words.map((title) =>
      make("div", "label", title, { role: "columnheader", title }),
    );
    if (aggregates.length) labels.splice(heads, 0, make("div"));
    return labels;
  }
  function row(...elements) {
    const line = make("div", "row", "", { role: "row" });
    line.append(...elements);
    return line;
  }
  function thumb(at) {
    const words = { "aria-label": name(at), title: name(at) };
    const element = make("div", "thumb", "", { role: "gridcell", ...words });
    const levels = Float32Array.from(pixels(at), (byte) => byte / 255);
    drawPicture(element.appendChild(make("canvas")), levels, keys.length, table);
    element.addEventListener("pointerenter", () => look(at));
    element.addEventListener("focus", () => look(at));
    element.addEventListener("click", () => lock(at));
    element.addEventListener("keydown", (event) => steer(event, at));
    return element;
  }
  function lock(at) {
    mark(pick(at));
    send("lock", pick(at));
  }
  function steer(event, at) {
    const [row, column] = [Math.floor(at / columns), at % columns];
    const to = step(event.key, row, column, layers, columns);
    if (to) walk(event, thumbs, rows[to[0]]?.[to[1]]);
    else if (isEnter(event)) {
      event.preventDefault();
      lock(at);
    }
  }
}

function drawLarge(canvas, bytes, queries, keys, text, table, palette, room) {
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
