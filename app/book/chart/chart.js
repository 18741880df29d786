// A chart from its description in Plotly's words, drawn without Plotly: what the app's charts use.
import { build as buildPicture } from "../../components/document/picture/picture.js";
import { colourTable, isDark, paint as painted } from "../../components/shared/colour.js";
import { makeSvg } from "../../components/shared/dom.js";
import { decode, textWidth } from "../../components/shared/text.js";
import { isLog, scaleOf, ticksOf } from "./axis.js";
import { plain, write } from "./label.js";

const LINE = 15; // pixels of a line of text
const FONT = "Source Sans, system-ui, sans-serif";
const DASHES = { dot: "2 4", dash: "7 5", dashdot: "7 4 2 4", longdash: "11 6" };
const NARROW = 420; // pixels: from here on, names are cut

export function build(view, { figure, alt, text }) {
  const { colours } = view.component.data;
  const named = colours[isDark(view.page.ground) ? "dark" : "light"];
  const { data, layout, points } = paint(figure, named);
  view.watchWidth((width) => {
    if (!width) return;
    const drawn = draw(data, layout, width);
    const boxes = points?.map(([trace, at, words]) => [...drawn.boxOf(trace, at), words]);
    const focused = view.root.contains(view.component.parentElement.activeElement);
    view.root.replaceChildren();
    const svg = new XMLSerializer().serializeToString(drawn.svg);
    buildPicture(view, {
      shown: { svg, width, height: drawn.height, points: boxes },
      font: "",
      alt,
      text,
    });
    if (focused) view.root.querySelector(".frame")?.focus({ preventScroll: true });
  });
  return () => {};
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

const TYPES = {
  f4: Float32Array,
  f8: Float64Array,
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  u2: Uint16Array,
  i4: Int32Array,
  u4: Uint32Array,
};

function unpack({ dtype, bdata, shape }) {
  const numbers = [...decode(bdata, TYPES[dtype])].map((x) => (Number.isNaN(x) ? null : x));
  const cols = shape === undefined ? 0 : Number(String(shape).split(",")[1] ?? 0);
  if (!cols) return numbers;
  return Array.from({ length: numbers.length / cols }, (_, i) =>
    numbers.slice(i * cols, (i + 1) * cols),
  );
}

/** Bars with the sum of those before them as their base. */
function stacked(data) {
  const sums = new Map();
  return data.map((trace) => {
    if (trace.type !== "bar") return trace;
    const values = trace.orientation === "h" ? trace.x : trace.y;
    const places = (trace.orientation === "h" ? trace.y : trace.x) ?? [...values.keys()];
    const base = places.map((at) => sums.get(at) ?? 0);
    for (const [i, at] of places.entries()) sums.set(at, base[i] + (values[i] ?? 0));
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

/** The picture, its height, and where each of its points lies. */
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

  const svg = makeSvg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  svg.style.fontFamily = FONT;
  const clip = makeSvg("clipPath", { id: "plot" });
  svg.append(makeSvg("rect", { width, height, fill: layout.paper_bgcolor ?? "none" }), clip);
  const pen = { svg, layout, axes, plot, ink: layout.font?.color ?? "currentColor" };
  clip.append(
    makeSvg("rect", { x: plot.left, y: plot.top, width: plot.width, height: plot.height }),
  );
  for (const axis of Object.values(axes)) drawGrid(pen, axis);
  for (const image of layout.images ?? []) drawImage(pen, image);
  const below = (layout.shapes ?? []).filter((shape) => shape.layer === "below");
  for (const shape of below) drawShape(pen, shape);
  const boxes = data.map((trace) => drawTrace(pen, trace, data));
  for (const shape of layout.shapes ?? []) if (!below.includes(shape)) drawShape(pen, shape);
  for (const axis of Object.values(axes)) drawTicks(pen, axis);
  for (const note of layout.annotations ?? []) drawNote(pen, note);
  if (layout.title?.text)
    write(svg, layout.title.text, 8, 16, { size: layout.title.font?.size ?? 14, fill: pen.ink });
  legend?.draw(pen);
  return { svg, height, boxOf: (trace, at) => boxes[trace]?.(at) ?? [0, 0, 0, 0] };
}

/** Where the axes meet: what titles, names and the legend leave of the picture. */
function plotOf(axes, layout, legend, data, width, height) {
  const { l = 8, r = 8, t = 8, b = 8 } = layout.margin ?? {};
  const room = { left: l, right: r, top: t, bottom: b };
  for (const axis of Object.values(axes)) {
    if (axis.visible === false) continue;
    axis.ticks = ticksOf(axis, axis.upright ? height : width);
    const shown = axis.showticklabels !== false;
    const lines = axis.ticks.map(({ text }) => plain(text));
    const size = axis.tickfont?.size ?? 12;
    const wide = shown
      ? Math.max(0, ...lines.map((line) => textWidth(longestLine(line), `${size}px ${FONT}`)))
      : 0;
    axis.turned = !axis.upright && turns(axis, wide, width - l - r, lines.length);
    const high = axis.turned ? Math.min(wide, 110) : shown ? LINE * mostLines(lines) : 0;
    const title = axis.title?.text ? LINE + (axis.title.standoff ?? 6) : 0;
    axis.labels = axis.upright
      ? Math.min(wide, width < NARROW ? 0.32 * width : 0.45 * width)
      : high;
    const side = axis.side ?? (axis.upright ? "left" : "bottom");
    const need = axis.labels + title + (shown ? 6 : 2);
    const anchored = axis.domain === undefined || axis.domain[0] < 0.02 || axis.upright;
    if (side === "top" && axis.automargin === false) continue;
    if (anchored) room[side] = Math.max(room[side], need + (side === "left" ? l : b));
  }
  if (data.some((trace) => trace.type === "heatmap" && trace.showscale)) room.right += 58;
  if (legend) room[legend.side] += legend.size;
  return {
    left: room.left,
    top: room.top,
    width: Math.max(width - room.left - room.right, 20),
    height: Math.max(height - room.top - room.bottom, 20),
    room,
  };
}

function longestLine(line) {
  return line.split("\n").reduce((a, b) => (a.length > b.length ? a : b), "");
}

function mostLines(lines) {
  return Math.max(1, ...lines.map((line) => line.split("\n").length));
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
      const keep = (Math.sign(b - a) * least * one.scale.span()) / 2;
      const middle = (a + b) / 2;
      one.scale.pixels = one.upright ? [middle - keep, middle + keep] : [a, a + 2 * keep];
    }
  }
}

function drawGrid({ svg }, axis) {
  if (axis.visible === false) return;
  const [a, b] = axis.across.scale.pixels;
  const line = (at, look) => {
    const ends = axis.upright ? { x1: a, x2: b, y1: at, y2: at } : { x1: at, x2: at, y1: a, y2: b };
    svg.append(makeSvg("line", { ...ends, ...look }));
  };
  if (axis.showgrid)
    for (const { at } of axis.ticks ?? [])
      line(axis.scale(at), { stroke: axis.gridcolor ?? "#8884" });
  if (axis.zeroline && axis.scale.has(0))
    line(axis.scale(0), { stroke: axis.zerolinecolor ?? axis.gridcolor ?? "#8888" });
  if (axis.showline) line(axis.upright ? a : b, { stroke: axis.linecolor ?? "#8888" });
}

function drawTicks({ svg, ink, plot }, axis) {
  if (axis.visible === false) return;
  const { scale, upright, across } = axis;
  const size = axis.tickfont?.size ?? 12;
  const fill = axis.tickfont?.color ?? ink;
  const side = axis.side ?? (upright ? "left" : "bottom");
  const [low, high] = across.scale.pixels;
  const edge = upright
    ? side === "left"
      ? Math.min(low, high)
      : Math.max(low, high)
    : side === "top"
      ? Math.min(low, high)
      : Math.max(low, high);
  if (axis.showticklabels !== false) {
    for (const { at, text } of axis.ticks) {
      const pixel = scale(at);
      if (upright) {
        const x = side === "left" ? edge - 5 : edge + 5;
        const anchor = side === "left" ? "end" : "start";
        write(svg, text, x, pixel, { size, fill, anchor, middle: true, most: axis.labels });
      } else if (axis.turned) {
        const y = side === "top" ? edge - 4 : edge + 4;
        const anchor = side === "top" ? "start" : "end";
        write(svg, text, pixel, y, { size, fill, anchor, turn: -90, most: axis.labels });
      } else {
        const y = side === "top" ? edge - 6 : edge + size + 2;
        write(svg, text, pixel, y, { size, fill, anchor: "middle" });
      }
    }
  }
  if (!axis.title?.text) return;
  const [a, b] = scale.pixels;
  const look = { size: axis.title.font?.size ?? 12, fill: axis.title.font?.color ?? ink };
  const gap = axis.labels + (axis.title.standoff ?? 6);
  if (upright) {
    const x = side === "left" ? Math.max(edge - gap - 8, 12) : edge + gap + 14;
    write(svg, axis.title.text, x, (a + b) / 2, { ...look, anchor: "middle", turn: -90 });
  } else {
    const y = side === "top" ? edge - gap - 4 : edge + gap + 14;
    const long = textWidth(plain(axis.title.text), `12px ${FONT}`) > Math.abs(b - a);
    const x = long ? plot.left + plot.width : (a + b) / 2;
    write(svg, axis.title.text, x, y, { ...look, anchor: long ? "end" : "middle" });
  }
}

/** Draw a trace; what comes back tells the box of one of its points. */
function drawTrace(pen, trace, data) {
  const x = pen.axes[trace.xaxis ?? "x"].scale;
  const y = pen.axes[trace.yaxis ?? "y"].scale;
  if (trace.visible === false) return null;
  if (trace.type === "heatmap") return drawCells(pen, trace, x, y);
  if (trace.type === "image") return drawPixels(pen, trace, x, y);
  if (trace.type === "bar") return drawBars(pen, trace, x, y, data);
  return drawScatter(pen, trace, x, y);
}

/** A number at a place, where a list or one for all is given. */
function each(value, i, otherwise) {
  return (Array.isArray(value) ? value[i] : value) ?? otherwise;
}

function drawCells(pen, trace, x, y) {
  const { z } = trace;
  const colour = colourScale(trace.colorscale, trace.zmin, trace.zmax);
  const [cols, rows] = [edges(trace.x), edges(trace.y)];
  const boxOf = ([i, j]) => {
    const [left, right] = [x(cols[j]), x(cols[j + 1])].sort((a, b) => a - b);
    const [top, bottom] = [y(rows[i]), y(rows[i + 1])].sort((a, b) => a - b);
    return [left, top, right, bottom];
  };
  const gap = Math.min(trace.xgap ?? 0, trace.ygap ?? 0);
  const group = makeSvg("g", { "shape-rendering": gap ? "auto" : "crispEdges" });
  for (const [i, row] of z.entries()) {
    for (const [j, value] of row.entries()) {
      if (value === null) continue;
      const [left, top, right, bottom] = boxOf([i, j]);
      const { fill, ink } = colour(value);
      const size = {
        width: Math.max(right - left - gap, 0.5),
        height: Math.max(bottom - top - gap, 0.5),
      };
      group.append(makeSvg("rect", { x: left + gap / 2, y: top + gap / 2, ...size, fill }));
      if (trace.texttemplate && trace.text?.[i]?.[j] && right - left > 20) {
        const look = { size: 11, fill: ink, anchor: "middle", middle: true };
        write(group, trace.text[i][j], (left + right) / 2, (top + bottom) / 2, look);
      }
    }
  }
  pen.svg.append(group);
  if (trace.showscale) drawScale(pen, trace, colour);
  return boxOf;
}

/** A picture (H, W, 3 or 4) as one image. */
function drawPixels(pen, { z }, x, y) {
  const [high, wide] = [z.length, z[0].length];
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [wide, high];
  const bytes = Uint8ClampedArray.from(z.flat().flatMap(([r, g, b, a = 255]) => [r, g, b, a]));
  canvas.getContext("2d")?.putImageData(new ImageData(bytes, wide, high), 0, 0);
  const [left, right] = [x(-0.5), x(wide - 0.5)].sort((a, b) => a - b);
  const [top, bottom] = [y(-0.5), y(high - 0.5)].sort((a, b) => a - b);
  const place = { x: left, y: top, width: right - left, height: bottom - top };
  const look = { preserveAspectRatio: "none", style: "image-rendering:pixelated" };
  pen.svg.append(makeSvg("image", { ...place, href: canvas.toDataURL(), ...look }));
  return null;
}

function edges(middles) {
  const half = middles.length > 1 ? (middles[1] - middles[0]) / 2 : 0.5;
  return [...middles.map((at) => at - half), middles[middles.length - 1] + half];
}

/** What the colours of cells mean, beside them. */
function drawScale({ svg, plot, ink, layout }, trace, colour) {
  const bar = trace.colorbar ?? {};
  const [left, top, high] = [plot.left + plot.width + 10, plot.top, plot.height];
  const steps = 48;
  for (let i = 0; i < steps; i++) {
    const value = trace.zmax + ((trace.zmin - trace.zmax) * (i + 0.5)) / steps;
    const y = top + (high * i) / steps;
    svg.append(
      makeSvg("rect", {
        x: left,
        y,
        width: 8,
        height: high / steps + 0.6,
        fill: colour(value).fill,
      }),
    );
  }
  const ends = { ends: [trace.zmin, trace.zmax] };
  const axis = { separators: layout.separators, ...bar, scale: ends };
  for (const { at, text } of ticksOf(axis, high)) {
    const y = top + (high * (trace.zmax - at)) / (trace.zmax - trace.zmin);
    write(svg, text, left + 12, y, {
      size: 11,
      fill: ink,
      middle: true,
    });
  }
  const title = bar.title?.text;
  if (title)
    write(svg, title, left + 46, top + high / 2, {
      size: 12,
      fill: ink,
      anchor: "middle",
      turn: -90,
    });
}

/** What turns a number into its colour and the ink to write on it; the stops are evenly apart. */
function colourScale(stops, low, high) {
  const table = colourTable(stops.map(([, colour]) => colour));
  return (value) => painted(table, (value - low) / (high - low));
}

function drawBars(pen, trace, x, y, data) {
  const flat = trace.orientation === "h";
  const [along, side] = flat ? [x, y] : [y, x];
  const values = flat ? trace.x : trace.y;
  const places = (flat ? trace.y : trace.x) ?? values.map((_, i) => i);
  const group = data.filter((other) => other.type === "bar" && other.xaxis === trace.xaxis);
  const beside = pen.layout.barmode === "group" && group.length > 1 ? group.length : 1;
  const gap = pen.layout.bargap ?? 0.2;
  const wide = (1 - gap) / beside;
  const shift = beside > 1 ? (group.indexOf(trace) - (beside - 1) / 2) * wide : 0;
  // A logarithmic axis has no 0: there, bars stand on its lower end.
  const end = (value) => (Number.isFinite(along(value)) ? along(value) : along.foot());
  const boxOf = ([i]) => {
    const base = each(trace.base, i, 0);
    const ends = [base, base + (values[i] ?? 0)].map(end).sort((a, b) => a - b);
    const at = places[i] + shift;
    const width = each(trace.width, i, wide);
    const sides = [side(at - width / 2), side(at + width / 2)].sort((a, b) => a - b);
    return flat ? [ends[0], sides[0], ends[1], sides[1]] : [sides[0], ends[0], sides[1], ends[1]];
  };
  for (const i of values.keys()) {
    if (values[i] === null || !Number.isFinite(along(each(trace.base, i, 0) + values[i]))) continue;
    const [left, top, right, bottom] = boxOf([i]);
    const { color, line = {}, opacity } = trace.marker ?? {};
    const fill = each(color, i, pen.ink);
    const look = { fill: hatched(pen, trace.marker?.pattern, fill), opacity: each(opacity, i, 1) };
    const size = { width: Math.max(right - left, 0.5), height: Math.max(bottom - top, 0.5) };
    const stroke = each(line.width, i, 0);
    const edge = stroke ? { stroke: each(line.color, i, pen.ink), "stroke-width": stroke } : {};
    pen.svg.append(makeSvg("rect", { x: left, y: top, ...size, ...look, ...edge }));
    const text = each(trace.text, i, "");
    if (!text) continue;
    const font = {
      size: trace.textfont?.size ?? 12,
      fill: each(trace.textfont?.color, i, pen.ink),
    };
    const inside = trace.textposition === "inside";
    const back = values[i] < 0;
    if (inside) {
      const look = { ...font, anchor: "middle", middle: true };
      write(pen.svg, text, (left + right) / 2, (top + bottom) / 2, look);
    } else if (flat) {
      const look = { ...font, anchor: back ? "end" : "start", middle: true };
      write(pen.svg, text, back ? left - 4 : right + 4, (top + bottom) / 2, look);
    } else
      write(pen.svg, text, (left + right) / 2, back ? bottom + 13 : top - 4, {
        ...font,
        anchor: "middle",
      });
  }
  return boxOf;
}

const HATCHES = {
  "/": "M0 8L8 0M-2 2L2 -2M6 10L10 6",
  "\\": "M0 0L8 8M-2 6L2 10M6 -2L10 2",
  x: "M0 0L8 8M0 8L8 0",
  "-": "M0 4H8",
  "|": "M4 0V8",
  "+": "M0 4H8M4 0V8",
  ".": "M3 4H5",
};

/** The fill of a bar: its colour, or lines of it, or lines over it. */
function hatched({ svg, layout }, { shape, fillmode } = {}, colour) {
  if (!shape) return colour;
  const over = fillmode === "overlay";
  const kind = Object.keys(HATCHES).indexOf(shape);
  const id = `hatch-${kind}-${over}-${colour.replace(/\W/g, "")}`;
  if (svg.querySelector(`#${id}`)) return `url(#${id})`;
  const tile = { id, width: 8, height: 8, patternUnits: "userSpaceOnUse" };
  const pattern = makeSvg("pattern", tile);
  if (over) pattern.append(makeSvg("rect", { width: 8, height: 8, fill: colour }));
  const stroke = over ? (layout.paper_bgcolor ?? "#ffffff") : colour;
  pattern.append(makeSvg("path", { d: HATCHES[shape], stroke, "stroke-width": 2, fill: "none" }));
  svg.append(pattern);
  return `url(#${id})`;
}

function drawScatter(pen, trace, x, y) {
  const xs = trace.x ?? trace.y.map((_, i) => i);
  const ys = trace.y;
  const mode = trace.mode ?? "lines+markers";
  const at = (i) => [x(xs[i]), y(ys[i])];
  const is = (i) =>
    xs[i] !== null && ys[i] !== null && Number.isFinite(x(xs[i])) && Number.isFinite(y(ys[i]));
  const group = makeSvg("g", trace.cliponaxis === false ? {} : { "clip-path": "url(#plot)" });
  if (mode.includes("lines") || trace.fill) {
    const { color = pen.ink, width = 2, dash, shape } = trace.line ?? {};
    const way = shape === "spline" ? curveOf(xs, at, is) : wayOf(xs.length, at, is, shape === "hv");
    const fill = trace.fill && trace.fill !== "none" ? fillOf(trace, way, at, is, xs, y) : null;
    if (fill) group.append(makeSvg("path", { d: fill, fill: trace.fillcolor ?? `${color}33` }));
    if (width && mode.includes("lines")) {
      const look = { stroke: color, "stroke-width": width, "stroke-linejoin": "round" };
      const dashes = DASHES[dash] ? { "stroke-dasharray": DASHES[dash] } : {};
      group.append(
        makeSvg("path", { d: way, fill: "none", opacity: trace.opacity ?? 1, ...look, ...dashes }),
      );
    }
  }
  for (const i of xs.keys()) {
    if (!is(i)) continue;
    const [px, py] = at(i);
    if (trace.error_x) drawError(group, trace.error_x, x, xs[i], i, py);
    if (mode.includes("markers")) drawMark(group, trace.marker ?? {}, i, px, py, pen.ink);
    const text = mode.includes("text") && each(trace.text, i, "");
    if (!text) continue;
    const place = each(trace.textposition, i, "middle center");
    const away = mode.includes("markers") ? each(trace.marker?.size, i, 6) / 2 + 3 : 2;
    const side = place.includes("right") ? 1 : place.includes("left") ? -1 : 0;
    const up = place.includes("top") ? -1 : place.includes("bottom") ? 1 : 0;
    const size = each(trace.textfont?.size, i, 12);
    write(group, text, px + side * away, py + up * (away + size / 2), {
      size,
      fill: each(trace.textfont?.color, i, pen.ink),
      anchor: side ? (side > 0 ? "start" : "end") : "middle",
      middle: true,
    });
  }
  pen.svg.append(group);
  return ([i]) => {
    const [px, py] = at(i);
    const half = mode.includes("markers") ? each(trace.marker?.size, i, 6) / 2 : 3;
    return [px - half, py - half, px + half, py + half];
  };
}

/** How far a number is uncertain, or spread, on both sides of it. */
function drawError(group, { array, color, thickness = 2 }, x, value, i, y) {
  const [left, right] = [x(value - array[i]), x(value + array[i])];
  const d = `M${left} ${y}H${right}M${left} ${y - 4}V${y + 4}M${right} ${y - 4}V${y + 4}`;
  group.append(makeSvg("path", { d, stroke: color, "stroke-width": thickness, fill: "none" }));
}

function wayOf(count, at, is, steps) {
  let way = "";
  let pen = "M";
  for (let i = 0; i < count; i++) {
    if (!is(i)) {
      pen = "M";
      continue;
    }
    const [x, y] = at(i).map((pixel) => pixel.toFixed(1));
    way += steps && pen === "L" ? `H${x}V${y}` : `${pen}${x} ${y}`;
    pen = "L";
  }
  return way;
}

/** A smooth way through all places: Catmull and Rom's, whose turns follow the neighbours. */
function curveOf(xs, at, is) {
  const places = [...xs.keys()].filter(is).map(at);
  const part = ([x, y], i) => {
    const [[ax, ay], [bx, by]] = [places[Math.max(i - 1, 0)], places[i]];
    const [[px, py], [nx, ny]] = [places[Math.max(i - 2, 0)], places[i + 1] ?? [x, y]];
    if (!i) return `M${x.toFixed(1)} ${y.toFixed(1)}`;
    const first = [ax + (bx - px) / 6, ay + (by - py) / 6];
    const second = [bx - (nx - ax) / 6, by - (ny - ay) / 6];
    return `C${[...first, ...second, bx, by].map((pixel) => pixel.toFixed(1)).join(" ")}`;
  };
  return places.map(part).join("");
}

function fillOf(trace, way, at, is, xs, y) {
  if (!way) return null;
  if (trace.fill === "toself") return `${way}Z`;
  const shown = [...xs.keys()].filter(is);
  const base = y(0).toFixed(1);
  return `${way}L${at(shown.at(-1))[0].toFixed(1)} ${base}L${at(shown[0])[0].toFixed(1)} ${base}Z`;
}

function drawMark(group, marker, i, x, y, ink) {
  const half = each(marker.size, i, 6) / 2;
  const symbol = String(each(marker.symbol, i, "circle"));
  const open = symbol.includes("open");
  const colour = each(marker.color, i, ink);
  const stroke = each(marker.line?.width, i, 0);
  const look = {
    fill: open ? "none" : colour,
    stroke: open ? colour : each(marker.line?.color, i, "none"),
    "stroke-width": open ? Math.max(stroke, 1.5) : stroke,
    opacity: each(marker.opacity, i, 1),
  };
  const path = {
    square: `M${-half} ${-half}H${half}V${half}H${-half}Z`,
    diamond: `M0 ${-1.2 * half}L${1.2 * half} 0L0 ${1.2 * half}L${-1.2 * half} 0Z`,
    "triangle-up": `M0 ${-half}L${half} ${half}H${-half}Z`,
    "triangle-down": `M0 ${half}L${half} ${-half}H${-half}Z`,
    x: `M${-half} ${-half}L${half} ${half}M${half} ${-half}L${-half} ${half}`,
    cross: `M0 ${-half}V${half}M${-half} 0H${half}`,
    star: star(half),
  }[symbol.replace("-open", "").replace("-thin", "").replace("-dot", "")];
  const at = { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` };
  if (path && /^(x|cross)/.test(symbol)) {
    group.append(
      makeSvg("path", {
        d: path,
        ...at,
        stroke: colour,
        "stroke-width": 3,
        fill: "none",
        opacity: look.opacity,
      }),
    );
  } else if (path) group.append(makeSvg("path", { d: path, ...at, ...look }));
  else group.append(makeSvg("circle", { r: half, ...at, ...look }));
}

function star(half) {
  const corner = (i) => {
    const [angle, far] = [(Math.PI * i) / 5 - Math.PI / 2, i % 2 ? half / 2.2 : 1.2 * half];
    return `${(far * Math.cos(angle)).toFixed(1)} ${(far * Math.sin(angle)).toFixed(1)}`;
  };
  return `M${Array.from({ length: 10 }, (_, i) => corner(i)).join("L")}Z`;
}

/** Pixels of a place that is a number on an axis, or a share of the plot. */
function pixelOf({ axes, plot }, value, ref, upright) {
  if (ref === "paper")
    return upright ? plot.top + (1 - value) * plot.height : plot.left + value * plot.width;
  return axes[ref ?? (upright ? "y" : "x")].scale(value);
}

function drawShape(pen, shape) {
  const { xref, yref, line = {}, fillcolor } = shape;
  const look = {
    stroke: line.color ?? "none",
    "stroke-width": line.width ?? 2,
    fill: fillcolor ?? "none",
    opacity: shape.opacity ?? 1,
    ...(DASHES[line.dash] ? { "stroke-dasharray": DASHES[line.dash] } : {}),
  };
  const px = (value) => pixelOf(pen, value, xref, false);
  const py = (value) => pixelOf(pen, value, yref, true);
  if (shape.type === "path") {
    let across = false;
    const d = shape.path.replace(/([A-Za-z])|(-?[\d.]+(?:e-?\d+)?)/g, (_, letter, number) => {
      if (letter) {
        across = true;
        return letter;
      }
      const pixel = across ? px(Number(number)) : py(Number(number));
      across = !across;
      return ` ${pixel.toFixed(1)}`;
    });
    pen.svg.append(makeSvg("path", { d, ...look }));
    return;
  }
  const [x0, x1, y0, y1] = [px(shape.x0), px(shape.x1), py(shape.y0), py(shape.y1)];
  if (shape.type === "line")
    pen.svg.append(makeSvg("line", { x1: x0, x2: x1, y1: y0, y2: y1, ...look }));
  else {
    const box = { x: Math.min(x0, x1), y: Math.min(y0, y1) };
    const size = { width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
    pen.svg.append(makeSvg("rect", { ...box, ...size, ...look }));
  }
}

/** Where a note or an image stands: Plotly counts it in powers of ten on a logarithmic axis. */
function placed(pen, value, ref, upright) {
  const axis = pen.axes[ref ?? (upright ? "y" : "x")];
  return pixelOf(pen, axis && isLog(axis) ? 10 ** value : value, ref, upright);
}

function drawNote(pen, note) {
  const x = placed(pen, note.x, note.xref, false) + (note.xshift ?? 0);
  const y = placed(pen, note.y, note.yref, true) - (note.yshift ?? 0);
  const size = note.font?.size ?? 12;
  const anchor = { left: "start", right: "end" }[note.xanchor] ?? "middle";
  if (note.showarrow !== false && (note.ax || note.ay)) {
    const from = (end, ref, pixel, upright) =>
      ref && ref !== "pixel" ? placed(pen, end, ref, upright) : pixel + (end ?? 0);
    const ax = from(note.ax, note.axref, x, false);
    const ay = from(note.ay, note.ayref, y, true);
    const stroke = note.arrowcolor ?? pen.ink;
    pen.svg.append(
      makeSvg("line", {
        x1: ax,
        y1: ay,
        x2: x,
        y2: y,
        stroke,
        "stroke-width": note.arrowwidth ?? 1,
      }),
    );
    write(pen.svg, note.text, ax, ay, {
      size,
      fill: note.font?.color ?? pen.ink,
      anchor,
      middle: true,
    });
    return;
  }
  const down = { top: size, bottom: -3 }[note.yanchor];
  write(pen.svg, note.text, x, y + (down ?? 0), {
    size,
    fill: note.font?.color ?? pen.ink,
    anchor,
    middle: down === undefined,
    turn: note.textangle ?? 0,
  });
}

function drawImage(pen, image) {
  const [left, top] = [
    placed(pen, image.x, image.xref, false),
    placed(pen, image.y, image.yref, true),
  ];
  const right = placed(pen, image.x + image.sizex, image.xref, false);
  const sign = image.yref === "paper" || !pen.axes[image.yref ?? "y"].scale.isDown() ? -1 : 1;
  const bottom = placed(pen, image.y + sign * image.sizey, image.yref, true);
  const size = { width: Math.abs(right - left), height: Math.abs(bottom - top) };
  pen.svg.append(
    makeSvg("image", {
      x: Math.min(left, right),
      y: Math.min(top, bottom),
      ...size,
      href: image.source,
      preserveAspectRatio: "none",
      style: "image-rendering:pixelated",
    }),
  );
}

/** The names of the traces: above the plot, below it, or beside it. */
function legendOf(data, layout, width) {
  const entries = data.filter((trace) => trace.showlegend !== false && trace.name);
  const { orientation, x = 1.02, y = 1, yref } = layout.legend ?? {};
  const wides = entries.map((trace) => textWidth(plain(trace.name), `12px ${FONT}`) + 40);
  const beside = orientation !== "h" && x >= 1 && width > NARROW;
  const rows = [[]];
  let used = 0;
  for (const [i, trace] of entries.entries()) {
    if (beside || (used + wides[i] > width - 20 && rows.at(-1).length)) {
      if (rows.at(-1).length) rows.push([]);
      used = 0;
    }
    rows.at(-1).push([trace, used]);
    used += wides[i];
  }
  const below = yref === "container" || y < 0.5;
  const side = beside ? "right" : below ? "bottom" : "top";
  const size = beside ? Math.max(0, ...wides) : 18 * rows.length + 4;
  return { side, size, draw };

  function draw({ svg, plot, ink }) {
    const left = beside ? plot.left + plot.width + 8 : 8;
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
          const dash = DASHES[trace.line?.dash]
            ? { "stroke-dasharray": DASHES[trace.line.dash] }
            : {};
          svg.append(
            makeSvg("line", {
              x1: px,
              x2: px + 22,
              y1: py,
              y2: py,
              stroke: colour,
              "stroke-width": 2,
              ...dash,
            }),
          );
        }
        const color = hatched({ svg, layout }, trace.marker?.pattern, colour);
        const square = { ...trace.marker, color, symbol: "square" };
        const marker = trace.type === "bar" ? square : trace.marker;
        if (mode.includes("markers"))
          drawMark(
            svg,
            { ...marker, size: Math.min(each(marker?.size, 0, 8), 11) },
            0,
            px + 11,
            py,
            ink,
          );
        write(svg, trace.name, px + 28, py, { size: 12, fill: ink, middle: true });
      }
    }
  }
}
