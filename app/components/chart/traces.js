// What a chart draws for each of its traces: cells, pixels, bars, lines and marks.
import { clamp, colourTable, paint as painted } from "../shared/colour.js";
import { makeSvg } from "../shared/dom.js";
import { ticksOf } from "./axis.js";
import { write } from "./label.js";

const MANY = 1000; // cells, which are drawn as one image
const LEAST = 9; // pixels of a number beside a thin bar
const CLEAR = [0, 0, 0, 0];
const DASHES = { dot: "3 3", dash: "9 9" };

/** How a line is dashed, if it is. @returns {import("../shared/types").Attributes} */
export function dashed(/** @type {{ dash?: string }} */ { dash = "" } = {}) {
  return dash in DASHES ? { "stroke-dasharray": DASHES[dash] } : {};
}

/** Draw a trace; what comes back tells the box of one of its points. */
export function drawTrace(pen, trace, data) {
  const x = pen.axes[trace.xaxis ?? "x"].scale;
  const y = pen.axes[trace.yaxis ?? "y"].scale;
  if (trace.type === "heatmap") return drawCells(pen, trace, x, y);
  if (trace.type === "image") return drawPixels(pen, trace, x, y);
  if (trace.type === "bar") return drawBars(pen, trace, x, y, data);
  return drawScatter(pen, trace, x, y);
}

/** A number at a place, where a list or one for all is given. */
export function each(value, i, otherwise) {
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
  const { xgap = 0, ygap = 0 } = trace;
  if (!xgap && !ygap && z.length * z[0].length > MANY) {
    const pixels = z.map((row) => row.map((value) => (value === null ? CLEAR : colour(value).rgb)));
    const [left, right] = [x(cols[0]), x(cols[cols.length - 1])];
    const [top, bottom] = [y(rows[0]), y(rows[rows.length - 1])];
    drawImage(pen, pixels, [left, top, right, bottom]);
    if (trace.showscale) drawScale(pen, trace, colour);
    return boxOf;
  }
  const group = makeSvg("g", { "shape-rendering": xgap && ygap ? "auto" : "crispEdges" });
  for (const [i, row] of z.entries()) {
    for (const [j, value] of row.entries()) {
      if (value === null) continue;
      const [left, top, right, bottom] = boxOf([i, j]);
      const { fill, ink } = colour(value);
      const size = {
        width: Math.max(right - left - xgap, 0.5),
        height: Math.max(bottom - top - ygap, 0.5),
      };
      group.append(makeSvg("rect", { x: left + xgap / 2, y: top + ygap / 2, ...size, fill }));
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
  drawImage(pen, z, [x(-0.5), y(-0.5), x(z[0].length - 0.5), y(z.length - 0.5)]);
  return ([i, j]) => {
    const [x0, x1] = [x(j - 0.5), x(j + 0.5)].sort((a, b) => a - b);
    const [y0, y1] = [y(i - 0.5), y(i + 0.5)].sort((a, b) => a - b);
    return [x0, y0, x1, y1];
  };
}

/** Pixels as an image between two corners, mirrored where the second is not right and below. */
function drawImage(pen, rows, [x0, y0, x1, y1]) {
  const [high, wide] = [rows.length, rows[0].length];
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [wide, high];
  const bytes = Uint8ClampedArray.from(rows.flat().flatMap(([r, g, b, a = 255]) => [r, g, b, a]));
  canvas.getContext("2d")?.putImageData(new ImageData(bytes, wide, high), 0, 0);
  const scale = `scale(${Math.sign(x1 - x0)} ${Math.sign(y1 - y0)})`;
  const size = { width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
  const look = { preserveAspectRatio: "none", style: "image-rendering:pixelated" };
  const place = { transform: `translate(${x0} ${y0}) ${scale}`, ...size };
  pen.svg.append(makeSvg("image", { ...place, href: canvas.toDataURL(), ...look }));
}

function edges(middles) {
  const half = middles.length > 1 ? (middles[1] - middles[0]) / 2 : 0.5;
  return [...middles.map((at) => at - half), middles[middles.length - 1] + half];
}

/** What the colours of cells mean: beside them, or below them from the left. */
function drawScale({ svg, plot, ink, layout }, trace, colour) {
  const bar = trace.colorbar ?? {};
  const flat = isBelow(trace);
  const long = !flat ? plot.height : bar.lenmode === "pixels" ? bar.len : bar.len * plot.width;
  const [left, top] = flat
    ? [plot.left, plot.bottom - SCALE + 8]
    : [plot.left + plot.width + 10, plot.top];
  const { zmin, zmax } = trace;
  const at = (value) => (long * (flat ? value - zmin : zmax - value)) / (zmax - zmin);
  const steps = 48;
  for (let i = 0; i < steps; i++) {
    const value = zmin + ((zmax - zmin) * (i + 0.5)) / steps;
    const [from, part] = [at(value) - long / steps / 2, long / steps + 0.6];
    const place = flat ? { x: left + from, y: top } : { x: left, y: top + from };
    const size = flat ? { width: part, height: 8 } : { width: 8, height: part };
    svg.append(makeSvg("rect", { ...place, ...size, fill: colour(value).fill }));
  }
  const axis = { nticks: 5, separators: layout.separators, ...bar, scale: { ends: [zmin, zmax] } };
  const font = { size: 12, fill: bar.tickfont?.color ?? ink };
  for (const { at: value, text } of ticksOf(axis, long)) {
    const along = at(value);
    if (flat) write(svg, text, left + along, top + 22, { ...font, anchor: "middle" });
    else write(svg, text, left + 12, top + along, { ...font, middle: true });
  }
  const look = { size: 12, fill: ink, anchor: "middle", turn: -90 };
  if (bar.title?.text) write(svg, bar.title.text, left + 46, top + long / 2, look);
}

export const SCALE = 34; // pixels that a scale takes below a chart

/** Whether what explains a trace's colours lies below the chart. */
export function isBelow(trace) {
  return trace.colorbar?.orientation === "h";
}

/** What turns a number into its colour and the ink to write on it; the stops are evenly apart. */
function colourScale(stops, low, high) {
  const table = colourTable(stops);
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
    const least = values[i] ? 0.5 : 0;
    const size = { width: Math.max(right - left, least), height: Math.max(bottom - top, least) };
    const stroke = each(line.width, i, 0);
    const edge = { stroke: stroke ? each(line.color, i, pen.ink) : "none", "stroke-width": stroke };
    pen.svg.append(makeSvg("rect", { x: left, y: top, ...size, ...look, ...edge }));
    const text = each(trace.text, i, "");
    if (!text) continue;
    const { size: points = 12, color: letters } = trace.textfont ?? {};
    const thick = flat ? bottom - top : points;
    const font = {
      size: clamp(thick, LEAST, points),
      fill: each(letters, i, pen.ink),
      anchor: "middle",
    };
    const back = values[i] < 0;
    if (flat) {
      const look = { ...font, anchor: back ? "end" : "start", middle: true };
      write(pen.svg, text, back ? left - 4 : right + 4, (top + bottom) / 2, look);
    } else write(pen.svg, text, (left + right) / 2, back ? bottom + 13 : top - 4, font);
  }
  return boxOf;
}

const HATCHES = {
  "/": "M0 8L8 0M-2 2L2 -2M6 10L10 6",
  x: "M0 0L8 8M0 8L8 0",
  ".": "M2.5 4H5.5",
};

/** The fill of a bar: its colour, with the lines of its pattern over it, fillmode "overlay". */
export function hatched({ svg, layout }, { shape = "" } = {}, colour) {
  if (!shape) return colour;
  const id = `hatch-${Object.keys(HATCHES).indexOf(shape)}-${colour.replace(/\W/g, "")}`;
  if (svg.querySelector(`#${id}`)) return `url(#${id})`;
  const drawn = makeSvg("pattern", { id, width: 8, height: 8, patternUnits: "userSpaceOnUse" });
  const stroke = layout.paper_bgcolor;
  drawn.append(makeSvg("rect", { width: 8, height: 8, fill: colour }));
  const look = { stroke, "stroke-width": shape === "." ? 3 : 1.5, "stroke-opacity": 0.8 };
  drawn.append(makeSvg("path", { d: HATCHES[shape], ...look, fill: "none" }));
  svg.append(drawn);
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
    const { color = pen.ink, width = 2, shape } = trace.line ?? {};
    const way = shape === "spline" ? curveOf(xs, at, is) : wayOf(xs.length, at, is);
    if (trace.fill === "toself" && way)
      group.append(makeSvg("path", { d: `${way}Z`, fill: trace.fillcolor }));
    if (width && mode.includes("lines")) {
      const look = { stroke: color, "stroke-width": width, "stroke-linejoin": "round" };
      const own = { fill: "none", opacity: trace.opacity ?? 1, ...look, ...dashed(trace.line) };
      group.append(makeSvg("path", { d: way, ...own }));
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

function wayOf(count, at, is) {
  let way = "";
  let pen = "M";
  for (let i = 0; i < count; i++) {
    if (!is(i)) {
      pen = "M";
      continue;
    }
    const [x, y] = at(i).map((pixel) => pixel.toFixed(1));
    way += `${pen}${x} ${y}`;
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

export function drawMark(group, marker, i, x, y, ink) {
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
  }[symbol.replace(/-(open|thin)/, "")];
  const at = { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` };
  const thick = symbol.includes("thin") ? stroke : 3;
  const strokes = { ...look, stroke: colour, "stroke-width": thick, fill: "none" };
  if (symbol.startsWith("x")) group.append(makeSvg("path", { d: path, ...at, ...strokes }));
  else if (path) group.append(makeSvg("path", { d: path, ...at, ...look }));
  else group.append(makeSvg("circle", { r: half, ...at, ...look }));
}
