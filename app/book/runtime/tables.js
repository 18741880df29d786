// The numbers of a board as tables: the same ones, written.
import { make } from "../../components/shared/dom.js";
import { short } from "../../components/shared/number.js";
import { decodeNumbers } from "../../components/shared/text.js";

const DIGITS = 6;

/**
 * @param {HTMLElement} place @param {any[]} items @param {string} name what a table is called
 */
export function writeTables(place, items, name) {
  if (place.firstChild) return;
  for (const item of items) if (item.values) place.append(tableOf(item, name));
}

function tableOf(item, name) {
  const values = decodeNumbers(item.values, item.half);
  const [rows, cols] = item.shape;
  const upright = rows === 1; // a vector stands upright
  const at = (i, j) => values[upright ? i : i * cols + j];
  const own = upright ? item.col_labels : item.row_labels;
  const places = (upright ? item.cols : item.rows) ?? [...Array(upright ? cols : rows).keys()];
  const down = numbered(own, places, upright ? item.first : 1);
  const across = upright
    ? numbered(item.row_labels, [0], item.first)
    : numbered(item.col_labels, item.cols ?? [...Array(cols).keys()], item.first);
  const head = make(
    "tr",
    "",
    [item.title, ...across].map((text) => make("th", "", text, { scope: "col" })),
  );
  const body = down.map((label, i) =>
    make("tr", "", [
      make("td", "", label),
      ...across.map((_, j) =>
        make("td", "number", Number.isNaN(at(i, j)) ? "" : short(at(i, j), DIGITS)),
      ),
    ]),
  );
  const table = make("table", "", [make("thead", "", [head]), make("tbody", "", body)]);
  return make("div", "scroll", [table], { tabindex: 0, role: "region", "aria-label": name });
}

function numbered(labels, places, first) {
  if (!labels?.length) return [...places].map((i) => `[${i + first}]`);
  if (new Set(labels).size === labels.length) return labels;
  return labels.map((label, i) => `${places[i] + first} ${label}`);
}
