// The calculation of a number, beside the picture that it stands in.
import { make } from "../../components/shared/dom.js";

const OWN = ["ask-number", "ask-board"]; // parts of the panel: what is clicked there leads on

/** @type {{ name: string, index: number[] }[]} */
let trail = []; // the way to the number that is open

const keyOf = ({ name, index }) => `${name}@${index.join(".")}`;

/** Whether a place shows numbers of the run whose calculations are here. */
function isOurs({ dataset }) {
  return dataset.opens !== undefined || OWN.includes(dataset.key);
}

/** What is marked in a board: the number that is open and what it came from. */
export function marksOf(place, chosen, cells) {
  const open = trail.at(-1);
  if (!open || !cells || !isOurs(place)) return chosen;
  return { asked: open, lit: cells.panels[keyOf(open)].lit };
}

export function closePanel() {
  trail = [];
  document.querySelector(".panel")?.remove();
}

/**
 * Open a number's calculation; false where it was not recorded.
 * @param {any} asked where it was asked for @param {any} value a cell, or how many of the way stay
 */
export function openCell(asked, value, cells, text, show) {
  const { key } = asked.dataset;
  if (typeof value === "number") trail = trail.slice(0, value);
  else {
    if (!isOurs(asked) || !cells?.panels[keyOf(value)]) return false;
    trail = OWN.includes(key) ? [...trail, value] : [value];
  }
  const open = trail.at(-1);
  if (!open) closePanel();
  else draw(cells, open, text, show);
  return true;
}

function draw(cells, open, text, show) {
  const it = cells.panels[keyOf(open)];
  const held = it.sources.filter(([cell]) => cells.panels[keyOf(cell)]);
  const others = it.sources
    .filter(([cell]) => !cells.panels[keyOf(cell)])
    .map(([, label]) => label);
  const number = place("opened", "ask-number", {
    name: it.name,
    number: it.number,
    note: it.note,
    trail: trail.map((cell, i) => {
      const { short, name } = cells.panels[keyOf(cell)];
      return { cell, label: short, title: name, stay: i + 1 };
    }),
    sources: held.map(([cell, label]) => ({ cell, label, title: "", stay: 0 })),
    end: [it.end, ...others].filter(Boolean).join(" · "),
    text: text.opened,
  });
  const formulas = make("div", "stVerticalBlock");
  formulas.innerHTML = it.formulas;
  const items = it.lines.map((name) => cells.lines[name]);
  const board = items.length ? [place("board", "ask-board", { items, text: text.board })] : [];
  const code = make("details", "stExpander", [
    make("summary", "", [make("p", "", text.code)]),
    make("div", "stVerticalBlock", [
      make("pre", "", [make("code", "", cells.codes[it.code])], { tabindex: 0 }),
    ]),
  ]);
  const block = make("div", "stVerticalBlock st-key-ask-open bordered", [
    number,
    formulas,
    ...board,
    code,
  ]);
  const panel = document.querySelector(".panel") ?? make("div", "stLayoutWrapper panel");
  panel.replaceChildren(block);
  if (!panel.isConnected) document.querySelector(".st-key-screen")?.append(panel);
  show(number, null);
  for (const one of board) show(one, { asked: null, lit: [] });
}

function place(kind, key, fixed) {
  const element = /** @type {any} */ (make("div", "stBidiComponent"));
  Object.assign(element.dataset, { kind, key });
  element.given = fixed;
  return element;
}
