// A chart from its description in Plotly's words: as much of them as the app's charts use.
import { rgb } from "../shared/colour.js";
import { makeSvg } from "../shared/dom.js";
import { decode, textWidth, widest } from "../shared/text.js";
import { isLog, scaleOf, ticksOf } from "./axis.js";
import { pointsOf, wordsOf as said } from "./hover.js";
import { FONT, inOneLine, plain, write } from "./label.js";
import { showPicture } from "./picture.js";
import { drawLine, drawNote, drawShape } from "./shapes.js";
import { dashed, drawMark, drawTrace, each, hatched, isBelow, SCALE } from "./traces.js";

const LINE = 15; // pixels of a line of text
const TITLE = 30; // pixels of the title above a legend
const TURNED = 110; // pixels: the most that turned names take
const NARROW = 420; // pixels: from here on, names are cut

export function build(view, { figure, alt, hint, chooses }) {
  const { data, layout } = paint(figure, namesOf(view.palette));
  const points = pointsOf(data);
  const choose = chooses ? ({ trace, at }) => view.send({ trace, at: at[0] }) : null;
  view.watchWidth((room) => {
    const drawn = draw(data, layout, Math.min(room, layout.width ?? room));
    const focused = view.root.contains(view.component.parentElement.activeElement);
    view.root.replaceChildren();
    const wordsOf = (point) => said({ data, layout }, point);
    showPicture(view.root, { ...drawn, alt, hint, points, wordsOf, choose });
    if (focused) view.root.querySelector(".frame")?.focus({ preventScroll: true });
  });
}

/** What each name of a colour stands for, as app/charts/theme.py writes it. */
function namesOf({ page, roles, ...scales }) {
  const named = (/** @type {string} */ name) => `\0${name}\0`;
  const names = Object.entries({ ...page, ...roles }).map(([name, hex]) => [named(name), hex]);
  const shades = Object.entries(roles).map(([role, hex]) => [
    named(`${role}_shade`),
    `rgba(${rgb(hex).join()},0.14)`,
  ]);
  const stops = Object.entries(scales).map(([name, colours]) => [named(name), colours]);
  return Object.fromEntries([...names, ...shades, ...stops]);
}

/** The figure with colours for their names, and numbers for what is packed. */
function paint(value, named) {
  if (typeof value === "string") {
    if (!value.includes("\0")) return value;
    return named[value] ?? value.replace(/\0\w+\0/g, (name) => named[name] ?? name);
  }
  if (Array.isArray(value)) return value.map((each) => paint(each, named));
  if (value === null || typeof value !== "object") return value;
  if (value.bdata) return unpack(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, paint(each, named)]),
  );
}

/** The numbers of an array, as app/charts/theme.py packs it. */
function unpack({ bdata, shape }) {
  const numbers = [...decode(bdata, Float32Array)].map((x) => (Number.isNaN(x) ? null : x));
  const cols = Number(shape.split(",")[1] ?? 0);
  if (!cols) return numbers;
  return Array.from({ length: numbers.length / cols }, (_, i) =>
    numbers.slice(i * cols, (i + 1) * cols),
  );
}

/** Bars, one row below the other, with the sum of those before them as their base. */
function stacked(data) {
  const sums = data[0].x.map(() => 0);
  return data.map((trace) => {
    const base = [...sums];
    trace.x.forEach((value, i) => (sums[i] += value ?? 0));
    return { ...trace, base };
  });
}

/** Cells with a place for each of their columns and rows, where only the first is said. */
function laid(trace) {
  if (trace.type !== "heatmap") return trace;
  const { z, x0 = 0, dx = 1, y0 = 0, dy = 1 } = trace;
  const x = trace.x ?? [...(z[0] ?? []).keys()].map((j) => x0 + j * dx);
  const y = trace.y ?? [...z.keys()].map((i) => y0 + i * dy);
  return { ...trace, x, y };
}

/** The picture, and where each of its points lies. */
function draw(given, layout, width) {
  const data = (layout.barmode === "stack" ? stacked(given) : given).map(laid);
  const axes = {};
  const names = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  for (const name of [...new Set(["xaxis", "yaxis", ...names])]) {
    const id = name.replace("axis", "");
    const own = data.filter((trace) => (trace[`${id[0]}axis`] ?? id[0]) === id);
    axes[id] = {
      id,
      upright: id[0] === "y",
      separators: layout.separators,
      ...layout[name],
      traces: own,
    };
  }
  for (const axis of Object.values(axes)) axis.scale = scaleOf(axis, layout);
  const height = layout.height ?? 300;
  const legend = layout.showlegend ? legendOf(data, layout, width) : null;
  const plot = plotOf(axes, layout, legend, data, width, height);
  for (const axis of Object.values(axes)) place(axis, axes, plot);
  square(axes);

  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const svg = makeSvg("svg", { ...size, "aria-hidden": "true" });
  svg.style.fontFamily = FONT;
  const clip = makeSvg("clipPath", { id: "plot" });
  svg.append(makeSvg("rect", { width, height, fill: layout.paper_bgcolor ?? "none" }), clip);
  const pen = { svg, layout, axes, plot, ink: layout.font?.color ?? "currentColor" };
  clip.append(
    makeSvg("rect", { x: plot.left, y: plot.top, width: plot.width, height: plot.height }),
  );
  for (const axis of Object.values(axes)) drawGrid(pen, axis);
  const below = (layout.shapes ?? []).filter((shape) => shape.layer === "below");
  for (const shape of below) drawShape(pen, shape);
  const boxes = data.map((trace) => drawTrace(pen, trace, data));
  for (const shape of layout.shapes ?? []) if (!below.includes(shape)) drawShape(pen, shape);
  for (const axis of Object.values(axes)) drawTicks(pen, axis);
  for (const note of layout.annotations ?? []) drawNote(pen, note);
  if (layout.title?.text)
    write(svg, layout.title.text, 8, 16, { size: layout.title.font?.size ?? 14, fill: pen.ink });
  legend?.draw(pen);
  return { svg, boxOf: ({ trace, at }) => boxes[trace](at) };
}

/** Where the axes meet: what titles, names and the legend leave of the picture. */
function plotOf(axes, layout, legend, data, width, height) {
  const { l = 8, r = 8, t = 8, b = 8 } = layout.margin ?? {};
  const room = { left: l, right: r, top: t, bottom: b };
  for (const axis of Object.values(axes)) {
    if (axis.visible === false) continue;
    axis.ticks = ticksOf(axis, axis.upright ? height : width);
    const shown = axis.showticklabels !== false;
    const labels = axis.ticks.map(({ text }) => plain(text).split("\n"));
    const size = axis.tickfont?.size ?? 12;
    const wide = shown ? widest(labels.flat(), `${size}px ${FONT}`) : 0;
    const lines = shown ? Math.max(1, ...labels.map((label) => label.length)) : 0;
    axis.turned = !axis.upright && turns(axis, wide, width - l - r, labels.length);
    if (axis.turned) axis.ticks = axis.ticks.map(({ at, text }) => ({ at, text: inOneLine(text) }));
    const high = axis.turned ? Math.min(widestOf(axis.ticks, size), TURNED) : LINE * lines;
    const title = axis.title?.text ? LINE + (axis.upright ? 6 : 2) + (axis.title.standoff ?? 6) : 0;
    axis.labels = axis.upright
      ? Math.min(wide, width < NARROW ? 0.32 * width : 0.45 * width)
      : high;
    const side = axis.side ?? (axis.upright ? "left" : "bottom");
    const need = axis.labels + title + (shown ? 6 : 2);
    const anchored = axis.domain === undefined || axis.domain[0] < 0.02 || axis.upright;
    if (side === "top" && axis.automargin === false) continue;
    const last = axis.ticks.at(-1);
    if (!axis.upright && shown && last && !axis.turned) {
      const [from, to] = axis.scale.ends;
      const free = ((to - (isLog(axis) ? Math.log10(last.at) : last.at)) / (to - from)) * width;
      const half = textWidth(plain(last.text), `${size}px ${FONT}`) / 2;
      if (axis.domain === undefined) room.right = Math.max(room.right, half - free);
    }
    if (anchored) room[side] = Math.max(room[side], need + (side === "left" ? l : b));
  }
  const scales = data.filter((trace) => trace.type === "heatmap" && trace.showscale);
  if (scales.some(isBelow)) room.bottom += SCALE;
  else if (scales.length) room.right += 58;
  const title = layout.title?.text ? TITLE : 0;
  if (legend?.side === "top") room.top = Math.max(room.top, title + legend.size);
  else if (legend) room[legend.side] += legend.size;
  return {
    left: room.left,
    top: room.top,
    width: Math.max(width - room.left - room.right, 20),
    height: Math.max(height - room.top - room.bottom, 20),
    bottom: height - (legend?.side === "bottom" ? legend.size : 0),
  };
}

function widestOf(ticks, size) {
  return widest(
    ticks.map(({ text }) => plain(text)),
    `${size}px ${FONT}`,
  );
}

/** Names that would lie over each other are turned. */
function turns(axis, wide, room, count) {
  if (axis.showticklabels === false || !count) return false;
  if (axis.tickangle === -90) return true;
  const share = axis.domain ? axis.domain[1] - axis.domain[0] : 1;
  return wide + 6 > (room * share) / count && axis.ticktext !== undefined;
}

/** The pixels between which an axis runs. */
function place(axis, axes, plot) {
  const [from, to] = axis.domain ?? [0, 1];
  const { scale } = axis;
  if (axis.upright) {
    scale.pixels = [plot.top + (1 - from) * plot.height, plot.top + (1 - to) * plot.height];
  } else scale.pixels = [plot.left + from * plot.width, plot.left + to * plot.width];
  axis.across = axes[axis.anchor ?? (axis.upright ? "x" : "y")] ?? axes[axis.upright ? "x" : "y"];
}

/** An axis that is scaled as another one: a unit is as long on both. */
function square(axes) {
  for (const axis of Object.values(axes)) {
    const other = axes[axis.scaleanchor];
    if (!other) continue;
    const unit = ({ scale }) => Math.abs((scale.pixels[1] - scale.pixels[0]) / scale.span());
    const least = Math.min(unit(axis), unit(other));
    for (const one of [axis, other]) {
      const [a, b] = one.scale.pixels;
      const keep = Math.sign(b - a) * least * one.scale.span();
      const toward = { left: 0, top: a < b ? 0 : 1 }[one.constraintoward] ?? 0.5;
      const from = a + (b - a - keep) * toward;
      one.scale.pixels = [from, from + keep];
    }
  }
}

function drawGrid({ svg }, axis) {
  if (axis.visible === false) return;
  const [a, b] = axis.across.scale.pixels;
  const line = (at, look) =>
    drawLine({ svg }, axis.upright ? [a, at, b, at] : [at, a, at, b], look);
  if (axis.showgrid)
    for (const { at } of axis.ticks ?? [])
      line(axis.scale(at), { stroke: axis.gridcolor ?? "#8884" });
  if (axis.zeroline && axis.scale.has(0))
    line(axis.scale(0), { stroke: axis.zerolinecolor ?? axis.gridcolor ?? "#8888" });
}

function drawTicks({ svg, ink, plot }, axis) {
  if (axis.visible === false) return;
  const { scale, upright, across } = axis;
  const size = axis.tickfont?.size ?? 12;
  const fill = axis.tickfont?.color ?? ink;
  const isFirst = (axis.side ?? (upright ? "left" : "bottom")) === (upright ? "left" : "top");
  const edge = (isFirst ? Math.min : Math.max)(...across.scale.pixels);
  const out = isFirst ? -1 : 1; // of the plot
  const names = { size, fill, most: axis.labels };
  for (const { at, text } of axis.showticklabels === false ? [] : axis.ticks) {
    const pixel = scale(at);
    if (upright) {
      const anchor = isFirst ? "end" : "start";
      write(svg, text, edge + 5 * out, pixel, { ...names, anchor, middle: true });
    } else if (axis.turned) {
      const anchor = isFirst ? "start" : "end";
      write(svg, text, pixel, edge + 4 * out, { ...names, anchor, turn: -90 });
    } else {
      const y = isFirst ? edge - 6 : edge + size + 2;
      write(svg, text, pixel, y, { size, fill, anchor: "middle" });
    }
  }
  if (!axis.title?.text) return;
  const [a, b] = scale.pixels;
  const look = { size: axis.title.font?.size ?? 14, fill: axis.title.font?.color ?? ink };
  const gap = axis.labels + (axis.title.standoff ?? 6);
  if (upright) {
    const x = isFirst ? Math.max(edge - gap - 12, 12) : edge + gap + 14;
    write(svg, axis.title.text, x, (a + b) / 2, { ...look, anchor: "middle", turn: -90 });
  } else {
    const y = isFirst ? edge - gap - 4 : edge + gap + 14;
    const long = textWidth(plain(axis.title.text), `14px ${FONT}`) > Math.abs(b - a);
    const x = long ? plot.left + plot.width : (a + b) / 2;
    write(svg, axis.title.text, x, y, { ...look, anchor: long ? "end" : "middle" });
  }
}

/** The names of the traces: above the plot, below it, or beside it. */
function legendOf(data, layout, width) {
  const entries = data.filter((trace) => trace.showlegend !== false && trace.name);
  const { orientation, x = 1.02, y = 1, yref } = layout.legend ?? {};
  const wides = entries.map((trace) => textWidth(plain(trace.name), `12px ${FONT}`) + 40);
  const beside = orientation !== "h" && x >= 1 && width > NARROW;
  /** @type {any[]} */
  let row = [];
  const rows = [row];
  let used = 0;
  for (const [i, trace] of entries.entries()) {
    if (row.length && (beside || used + wides[i] > width - 20)) {
      row = [];
      rows.push(row);
      used = 0;
    }
    row.push([trace, used]);
    used += wides[i];
  }
  const below = yref === "container" || y < 0.5;
  const side = beside ? "right" : below ? "bottom" : "top";
  const size = beside ? Math.max(0, ...wides) : 18 * rows.length + 4;
  return { side, size, draw };

  function draw({ svg, plot, ink }) {
    const ends = rows
      .map((row) => row.at(-1))
      .map(([trace, at]) => at + wides[entries.indexOf(trace)]);
    const fits = plot.left + Math.max(...ends) <= width;
    const left = beside ? plot.left + plot.width + 8 : fits ? plot.left : 8;
    const first = beside
      ? plot.top + 8
      : below
        ? Number(svg.getAttribute("height")) - 18 * rows.length + 6
        : plot.top - 18 * rows.length + 4;
    for (const [r, row] of rows.entries()) {
      for (const [trace, at] of row) {
        const [px, py] = [left + at, first + 18 * r];
        const colour = each(trace.line?.color, 0) ?? each(trace.marker?.color, 0, ink);
        const mode = trace.type === "bar" ? "markers" : (trace.mode ?? "lines");
        if (mode.includes("lines")) {
          const look = { stroke: colour, "stroke-width": 2, ...dashed(trace.line) };
          drawLine({ svg }, [px, py, px + 22, py], look);
        }
        const color = hatched({ svg, layout }, trace.marker?.pattern, colour);
        const square = { ...trace.marker, color, symbol: "square" };
        const marker = trace.type === "bar" ? square : trace.marker;
        const size = Math.min(each(marker?.size, 0, 11), 11);
        if (mode.includes("markers")) drawMark(svg, { ...marker, size }, 0, px + 11, py, ink);
        write(svg, trace.name, px + 28, py, { size: 12, fill: ink, middle: true });
      }
    }
  }
}
