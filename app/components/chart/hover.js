// What a chart says of each of its points, in the words of the templates of its traces.
import { short } from "../shared/number.js";
import { inOneLine, plain } from "./label.js";

const DIGITS = 6;
const MARK = /%\{([\w.]+)(?:\[(\d+)\])?(?::[^}]*)?\}/g;

/**
 * Return the points that say something, in the order in which they are drawn: each one's trace, and
 * its place in the trace's data, which is the row and the column of a cell.
 * @returns {{ trace: number, at: number[] }[]}
 */
export function pointsOf(data) {
  return data.flatMap((trace, i) =>
    trace.hoverinfo === "skip" ? [] : placesOf(trace).map((at) => ({ trace: i, at })),
  );
}

/** @returns {number[][]} */
function placesOf({ type, z, x, y }) {
  if (z) {
    const has = type === "image" ? () => true : (value) => value !== null;
    return z.flatMap((row, i) => row.flatMap((value, j) => (has(value) ? [[i, j]] : [])));
  }
  const is = (values, i) => !values || (values[i] !== null && values[i] !== undefined);
  const indices = [...(x ?? y).keys()];
  return indices.filter((i) => is(x, i) && is(y, i)).map((i) => [i]);
}

/** Return what is said of a point. */
export function wordsOf({ data, layout }, { trace, at }) {
  const own = data[trace];
  const words = own.hoverinfo === "text" ? "%{hovertext}" : "(%{x}, %{y})<extra>%{fullData.name}";
  const known = knownOf(own, layout, at);
  const fill = (_, name, i) => {
    const value = i === undefined ? known[name] : known[name][i];
    return typeof value === "number" ? short(value, DIGITS) : value;
  };
  const [said, name = ""] = (own.hovertemplate ?? words).replace(MARK, fill).split("<extra>");
  return [said, name].map(lettersOf).filter(Boolean).join(" · ");
}

/** The values of a template's marks. */
function knownOf(trace, layout, at) {
  const [row, col] = [at[0], at[at.length - 1]];
  const valueAt = (values) => at.reduce((part, i) => part?.[i], values) ?? "";
  const text = (value) => (typeof value === "string" ? value : valueAt(value));
  return {
    x: tickOf(layout, trace.xaxis ?? "x", trace.x ? trace.x[col] : col),
    y: tickOf(layout, trace.yaxis ?? "y", trace.y ? trace.y[row] : row),
    z: trace.z?.[row][col],
    text: text(trace.text),
    hovertext: text(trace.hovertext),
    customdata: text(trace.customdata),
    "fullData.name": trace.name ?? "",
  };
}

/** The name of a place on an axis, or its number. */
function tickOf(layout, axis, value) {
  const { ticktext = [], tickvals = [] } = layout[`${axis[0]}axis${axis.slice(1)}`] ?? {};
  const name = ticktext[tickvals.indexOf(value)];
  return name === undefined ? value : inOneLine(name);
}

function lettersOf(words) {
  return plain(words.replace("</extra>", "").replaceAll("<br>", ", ")).trim();
}
