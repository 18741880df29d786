// Grids of cells with operators between them: their lines, and the shared readout.
import { colourTable } from "../shared/colour.js";
import { make, makeButton, say } from "../shared/dom.js";
import { heightOf, measures } from "../shared/fit.js";
import { enlarge } from "../shared/lens.js";
import { follow, light } from "../shared/panel.js";
import { fill, textWidth } from "../shared/text.js";
import { parts, rich } from "./array.js";
import { buildGrid, NARROW } from "./grid.js";

const GAP = 14; // between two items, as in the style sheet
const NEAR = 8; // between an operator and its grid on a phone
const OP = 28; // the height of an operator, and of the readout
const FOOT = 21; // the height below the cells: the frame and the colour scale
const LOW = 0.68; // the relative size of a subscript, as in the style sheet

export function build(view, fixed) {
  const { root, memory } = view;
  const { text } = fixed;
  const readout = make("p", "readout", text.hint, { "aria-live": "polite" });
  const board = make("div", "board");
  const seats = memory.seats ?? []; // where the cursors stood before the content changed
  const grids = [];
  const units = []; // a grid with the operators before it
  let gutter = 0; // the width of the operators' own column if grids stand in several lines
  const small = fixed.items.every((item) => "op" in item || item.fold);
  let ops = [];

  const rest = () => {
    const cell = grids.map((grid) => grid.opened()).find(Boolean);
    say(readout, cell ? fill(text.asked, { cell }) : text.hint, Boolean(cell));
    enlarge("");
    light(root, null);
  };
  let marked = { asked: null, lit: [] };
  const show = (chosen) => {
    marked = chosen;
    for (const grid of grids) grid.mark(chosen);
    rest();
  };
  const desk = {
    text,
    colours: (scale) => colourTable(view.palette[scale]),
    ramps: new Set(),
    rest,
    look(words, cell) {
      say(readout, words);
      light(root, cell);
    },
    ask(cell) {
      show({ asked: cell, lit: [] });
      view.send(cell);
    },
    open,
    forget: () => show({ asked: null, lit: [] }),
    style: () => view.page,
    skipped: () => view.skipped || measures(),
    share: heightOf(view),
  };

  memory.seats = [];
  for (const item of fixed.items) {
    if ("op" in item) ops.push(operator(item.op));
    else seat(item, { cursor: 0, ...seats[grids.length] });
  }
  if (ops.length) unit(null);
  root.append(readout, board);
  // A board that is too far out of sight to be painted is drawn when it comes near.
  root.oncontentvisibilityautostatechange = ({ skipped }) => {
    view.skipped = skipped;
    for (const grid of grids) grid.paint();
  };
  follow(root, (cell) => {
    for (const grid of grids) grid.light(cell);
  });
  view.watchWidth(fit);
  // A canvas does not redraw its text by itself when the font has loaded.
  if (document.fonts.status === "loading") document.fonts.ready.then(() => fit(root.clientWidth));
  queueMicrotask(() => {
    if (root.querySelector(":focus")) grids[memory.last]?.frame.focus({ preventScroll: true });
  });
  return show;

  /** Show a thumbnail in a dialog as large as the window, until Escape. */
  function open(spec) {
    const said = make("p", "readout", text.hint);
    const close = makeButton("close", text.close, () => dialog.close());
    const dialog = make("dialog", "", [close, said], { "aria-label": spec.title });
    const own = {
      ...desk,
      ramps: new Set(),
      look: (words) => say(said, words),
      rest: () => say(said, text.hint, false),
      forget: () => dialog.close(),
      skipped: () => false,
      share: () => 1,
      ask(cell) {
        dialog.close();
        desk.ask(cell);
      },
    };
    const [width, height] = [0.85 * innerWidth, 0.72 * innerHeight];
    const large = buildGrid({ ...spec, thumb: false, height }, own, { cursor: 0 });
    dialog.addEventListener("close", () => dialog.remove());
    dialog.append(large.box);
    root.append(dialog);
    dialog.showModal();
    large.fit(width - large.beside(width), width);
    large.mark(marked);
    large.frame.focus();
  }
  function seat(item, place) {
    const grid = buildGrid(item, desk, place);
    const number = grids.push(grid) - 1;
    grid.frame.addEventListener("focus", () => (memory.last = number));
    memory.seats.push(place);
    unit(grid);
  }
  function unit(grid) {
    const words = ops.some((op) => op.words);
    const signs = ops.map((op) => op.element);
    const column = make("div", "ops", signs);
    const element = make("div", "unit", grid ? [column, grid.box] : [column]);
    board.append(element);
    units.push({ ops, words, column, element, grid });
    ops = [];
  }
  function operator(text) {
    const words = text.length > 2;
    const element = rich(make("span", words ? "op words" : "op"), text);
    return {
      element,
      text,
      words,
      look: words ? { size: 19, weight: 600 } : { size: 28, weight: 400 },
    };
  }
  function fit(width) {
    if (width === 0) return;
    const narrow = width < NARROW && !small;
    board.classList.toggle("narrow", narrow);
    gutter = 0;
    let broken = narrow ? units.map((unit) => [unit]) : lines(width);
    if (broken.length > 1) {
      gutter = Math.max(0, ...units.filter(({ words }) => !words).map(signsOf));
      if (!narrow) broken = lines(width);
    }
    board.classList.toggle("broken", gutter > 0);
    board.style.setProperty("--gutter", `${gutter}px`);
    const shares = narrow ? [] : broken.map((line) => share(line, width));
    const least = Math.min(...shares); // small pictures have one size in all lines
    for (const [i, line] of broken.entries()) {
      if (narrow) give(line[0], width);
      else stretch(line, width, small ? least : shares[i]);
      level(line);
    }
    const tall = (line) => Math.max(OP, ...line.map(({ grid }) => grid?.tall() ?? 0));
    const high = broken.reduce((sum, line) => sum + tall(line) + GAP, OP);
    // This height holds as long as the board is not laid out.
    root.style.containIntrinsicBlockSize = `auto ${high}px`;
  }
  /** On a phone, give a grid the full width, with operators in words above if they do not fit. */
  function give(unit, width) {
    const { grid, words, element } = unit;
    if (!grid) return;
    const room = width - (gutter && gutter + NEAR);
    const wide = grid.fit(room - grid.beside(width), width);
    element.classList.toggle("above", words && signsOf(unit) + NEAR + wide > room);
  }
  /** Align the middles of a line's cells and operators at one height. */
  function level(line) {
    const high = Math.max(0, ...line.map(({ grid }) => grid?.high() ?? 0));
    for (const { grid, column } of line) {
      if (grid) grid.box.style.marginBottom = `${(high - grid.high()) / 2}px`;
      column.style.marginBottom = `${FOOT + (high - OP) / 2}px`;
    }
  }
  /** Return a unit's widths: beside its cells, and of its cells: least, with numbers, most. */
  function needs(unit, width) {
    const { grid } = unit;
    const column = Math.max(signsOf(unit), gutter);
    if (!grid) return { ...unit, sizes: [0, 0, 0], beside: column, title: 0 };
    const signs = column && column + GAP;
    const [beside, title] = [signs + grid.beside(width), signs + grid.heading];
    return { ...unit, sizes: grid.sizes, beside, title };
  }
  function signsOf({ ops }) {
    return ops.reduce((sum, op, i) => sum + wide(op) + (i && GAP), 0);
  }
  /** Return the width of a text without reading the page, which would force a layout per board. */
  function wide({ text, look: { size, weight } }) {
    const width = ({ part, low }) =>
      textWidth(part, `${weight} ${low ? size * LOW : size}px ${view.page.font}`);
    return Math.ceil(parts(text).reduce((sum, each) => sum + width(each), 0));
  }
  /** Break lines as the style sheet will: cells grow only afterwards. */
  function lines(width) {
    /** @type {any[][]} */
    const broken = [];
    for (const unit of units) {
      const need = needs(unit, width);
      const line = broken.at(-1);
      if (line && span([...line, need], 0) <= width) line.push(need);
      else broken.push([need]);
    }
    return broken;
  }
  function span(line, share) {
    const widths = line.map((need) => Math.max(need.beside + cellsOf(need, share), need.title));
    return widths.reduce((sum, width) => sum + width, GAP * (line.length - 1));
  }
  /** Return the cells' width: share 0 is the least, 1 fits small grids' numbers, 2 is the most. */
  function cellsOf({ sizes: [least, written, most] }, share) {
    if (share < 1) return least + share * (written - least);
    return written + (share - 1) * (most - written);
  }
  /** Return the largest share with which a line fits the width. */
  function share(line, width) {
    let [low, high] = [0, 2];
    for (let step = 0; step < 14; step++) {
      const middle = (low + high) / 2;
      if (span(line, middle) <= width) low = middle;
      else high = middle;
    }
    return low;
  }
  function stretch(line, width, share) {
    for (const need of line) {
      const { grid, beside } = need;
      const alike = line.filter((other) => grid && other.grid?.rows === grid.rows);
      const row = Math.max(...alike.map((other) => other.grid.rowHeight(width)));
      grid?.fit(Math.min(cellsOf(need, share), width - beside), width, row);
    }
  }
}
