// From numbers to pixels, and the numbers that are written at an axis.
import { clamp } from "../shared/colour.js";

export function isLog(axis) {
  return axis.type === "log";
}

/** What turns a number into a pixel, once its `pixels` are known. */
export function scaleOf(axis, layout) {
  const write = isLog(axis) ? Math.log10 : Number;
  const [low, high] = (axis.range ?? spanOf(axis, layout)).map(Number);
  const scale = (value) => {
    const [a, b] = scale.pixels;
    return a + ((write(value) - low) / (high - low)) * (b - a);
  };
  scale.pixels = [0, 1];
  scale.ends = [low, high];
  scale.span = () => Math.abs(high - low);
  scale.has = (value) => (value - low) * (value - high) <= 0;
  scale.foot = () => scale.pixels[low > high ? 1 : 0];
  return scale;
}

/** The numbers between which an axis runs where nothing says so. */
function spanOf(axis, layout) {
  const side = axis.upright ? "y" : "x";
  let [low, high] = [Infinity, -Infinity];
  const take = (value) => {
    const at = isLog(axis) ? Math.log10(value) : value;
    if (!Number.isFinite(at)) return;
    [low, high] = [Math.min(low, at), Math.max(high, at)];
  };
  const image = axis.traces.find((trace) => trace.type === "image");
  if (image) {
    const ends = [-0.5, (axis.upright ? image.z.length : image.z[0].length) - 0.5];
    return axis.upright ? ends.reverse() : ends;
  }
  for (const trace of axis.traces) {
    const values = trace[side] ?? [];
    const isSide = trace.type === "bar" && (trace.orientation === "h") === axis.upright;
    const isAlong = trace.type === "bar" && !isSide;
    for (const [i, value] of [...values].entries())
      if (value !== null) take(Number(value) + (isAlong ? baseOf(trace, i) : 0));
    if (isAlong) take(0);
    if (trace.type !== "heatmap" && !isSide) continue;
    const apart = trace.type === "heatmap" && values.length > 1 ? values[1] - values[0] : 1;
    for (const end of [values[0], values.at(-1)]) {
      take(end - apart / 2);
      take(end + apart / 2);
    }
  }
  for (const shape of layout.shapes ?? [])
    if ((shape[`${side}ref`] ?? side) === axis.id) for (const end of "01") take(shape[side + end]);
  if (!Number.isFinite(low)) return [0, 1];
  if (axis.rangemode === "tozero") [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  const isSide = ({ type, orientation }) =>
    type === "bar" && (orientation === "h") === axis.upright;
  const exact = axis.traces.every((trace) => trace.type === "heatmap" || isSide(trace));
  const room = exact ? 0 : 0.05 * (high - low || 1);
  const zero = axis.rangemode === "tozero" && low === 0;
  const ends = [zero ? low : low - room, high + room];
  return axis.autorange === "reversed" ? ends.reverse() : ends;
}

/** Where a bar stands: on 0, or on another one. */
function baseOf(trace, i) {
  return (Array.isArray(trace.base) ? trace.base[i] : trace.base) ?? 0;
}

/** The places with a number or a name. */
export function ticksOf(axis, room) {
  const [low, high] = [...axis.scale.ends].sort((a, b) => a - b);
  if (axis.tickvals) {
    const places = [...axis.tickvals].map((at, i) => {
      const text = axis.ticktext?.[i];
      return { at, text: text ?? written(at, { ...axis, exponentformat: "none" }) };
    });
    const has = (at) => at >= low - 1e-9 && at <= high + 1e-9;
    return places.filter(({ at }) => has(isLog(axis) ? Math.log10(at) : at));
  }
  if (isLog(axis)) {
    const powers = [];
    const apart = axis.dtick ?? 1;
    for (let power = apart * Math.ceil(low / apart); power <= high; power += apart)
      powers.push({ at: 10 ** power, text: written(10 ** power, axis) });
    return powers;
  }
  const share = axis.domain ? axis.domain[1] - axis.domain[0] : 1;
  const most = axis.nticks ?? clamp((share * (room - 75)) / (axis.upright ? 40 : 80), 2, 8) + 1;
  const step = axis.dtick ?? niceStep((high - low) / most);
  const ticks = [];
  const first = Math.ceil((low - (axis.tick0 ?? 0)) / step - 1e-9) * step + (axis.tick0 ?? 0);
  for (let at = first; at <= high + 1e-9 * step; at += step) {
    const exact = Number(at.toPrecision(12));
    ticks.push({ at: exact, text: written(exact, axis) });
  }
  return ticks;
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((nice) => nice * power >= rough * (1 - 1e-9)) ?? 10);
}

/** A number at an axis or a colour bar. */
function written(value, axis) {
  const { tickformat, exponentformat, scale, separators = ". " } = axis;
  if (tickformat) return formatted(Number(value), tickformat, separators);
  if (isLog(axis)) {
    const power = Math.log10(value);
    const whole = Math.abs(power - Math.round(power)) < 1e-9;
    if (whole && exponentformat === "power") return raised("", Math.round(power));
  }
  // There is one power of ten for all numbers of an axis, from 10,000 on and below 0.001.
  const power = Math.floor(Math.log10(Math.max(...scale.ends.map(Math.abs))) + 0.01);
  if (isLog(axis) || !value || Math.abs(power) <= 3 || exponentformat !== "power")
    return grouped(Number(Number(value).toPrecision(6)), separators);
  const part = Number((value / 10 ** power).toPrecision(6));
  return raised(`${grouped(part, separators)}×`, power);
}

function raised(before, power) {
  if (!before && power >= 0 && power < 2) return String(10 ** power);
  return `${before}10<sup>${String(power).replace("-", "−")}</sup>`;
}

/** A number in one of d3's formats: whole, or with some significant digits. */
function formatted(value, format, separators) {
  if (format === "d") return grouped(Math.round(value), separators);
  const [, digits] = /^\.(\d+)~[gr]$/.exec(format) ?? [];
  return grouped(Number(value.toPrecision(Number(digits))), separators);
}

/** A number with the page's decimal mark; digits of whole numbers stand in groups from 10,000 on. */
function grouped(value, [mark, space]) {
  const [whole, part] = Math.abs(value)
    .toLocaleString("en", { maximumSignificantDigits: 12, useGrouping: false })
    .split(".");
  const groups = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, space) : whole;
  return `${value < 0 ? "−" : ""}${groups}${part ? mark + part : ""}`;
}
