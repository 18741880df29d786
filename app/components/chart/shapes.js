// What lies on a chart or below it: shapes and notes.
import { makeSvg } from "../shared/dom.js";
import { isLog } from "./axis.js";
import { write } from "./label.js";
import { dashed } from "./traces.js";

/** Pixels of a place that is a number on an axis, or a share of the plot. */
function pixelOf({ axes, plot }, value, ref, upright) {
  if (ref === "paper")
    return upright ? plot.top + (1 - value) * plot.height : plot.left + value * plot.width;
  return axes[ref ?? (upright ? "y" : "x")].scale(value);
}

export function drawLine({ svg }, [x1, y1, x2, y2], look) {
  svg.append(makeSvg("line", { x1, y1, x2, y2, ...look }));
}

export function drawShape(pen, shape) {
  const { xref, yref, line = {}, fillcolor } = shape;
  const look = {
    stroke: line.color ?? "none",
    "stroke-width": line.width ?? 2,
    fill: fillcolor ?? "none",
    opacity: shape.opacity ?? 1,
    ...dashed(line),
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
  if (shape.type === "line") drawLine(pen, [x0, y0, x1, y1], look);
  else {
    const box = { x: Math.min(x0, x1), y: Math.min(y0, y1) };
    const size = { width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
    pen.svg.append(makeSvg("rect", { ...box, ...size, ...look }));
  }
}

/** Where a note stands: Plotly counts it in powers of ten on a logarithmic axis. */
function placed(pen, value, ref, upright) {
  const axis = pen.axes[ref ?? (upright ? "y" : "x")];
  return pixelOf(pen, axis && isLog(axis) ? 10 ** value : value, ref, upright);
}

export function drawNote(pen, note) {
  const x = placed(pen, note.x, note.xref, false) + (note.xshift ?? 0);
  const y = placed(pen, note.y, note.yref, true) - (note.yshift ?? 0);
  const size = note.font?.size ?? 12;
  const fill = note.font?.color ?? pen.ink;
  const anchor = { left: "start", right: "end" }[note.xanchor] ?? "middle";
  if (note.showarrow !== false && (note.ax || note.ay)) {
    const from = (end, ref, pixel, upright) =>
      ref && ref !== "pixel" ? placed(pen, end, ref, upright) : pixel + (end ?? 0);
    const ax = from(note.ax, note.axref, x, false);
    const ay = from(note.ay, note.ayref, y, true);
    drawArrow(pen, [ax, ay, x, y], note);
    write(pen.svg, note.text, ax, ay, { size, fill, anchor, middle: true });
    return;
  }
  if (note.textangle) {
    const along = { bottom: "start", top: "end" }[note.yanchor] ?? "middle";
    write(pen.svg, note.text, x, y, { size, fill, anchor: along, turn: note.textangle });
    return;
  }
  const down = { top: size, bottom: -3 }[note.yanchor];
  write(pen.svg, note.text, x, y + (down ?? 0), { size, fill, anchor, middle: down === undefined });
}

/** An arrow that begins and ends a little away from what it leads between. */
function drawArrow(pen, [x0, y0, x1, y1], note) {
  const { arrowcolor: stroke = pen.ink, arrowwidth: width = 1, startstandoff = 0 } = note;
  const [x, y] = [x1 - x0, y1 - y0];
  const long = Math.hypot(x, y) || 1;
  const end = long - (note.standoff ?? 0);
  const at = (way, side = 0) =>
    [x0 + (x * way - y * side) / long, y0 + (y * way + x * side) / long].map((it) => it.toFixed(1));
  const [back, half] = [end - 4 * width, 1.8 * width];
  const d = `M${at(startstandoff)}L${at(back)}M${at(end)}L${at(back, half)}L${at(back, -half)}Z`;
  pen.svg.append(makeSvg("path", { d, stroke, "stroke-width": width, fill: stroke }));
}
