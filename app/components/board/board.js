// Grids of cells with operators between them: the lines they stand in, and the one readout.
const PAD = 5; // room around the cells for the rings of the outermost ones
const TALL = 420; // the height from which on a matrix scrolls in its frame
const GAP = 14; // between two items, as in the style sheet
const NARROW = 560; // below this width, each grid has a line of its own
const OP = 28; // the height of an operator, and of the readout
const FOLD = 34; // the height of the line of the fold, with the room above it
const LOW = 0.68; // the size of an index, as in the style sheet

const scales = new Map(); // made once a page

function build(root, fixed, palette, send) {
  const { text } = fixed;
  const { signed, weights, greys } = palette;
  const tables = { signed: scale(signed), weights: scale(weights), greys: scale(greys) };
  const readout = make("p", "readout", text.hint);
  readout.setAttribute("aria-live", "polite");
  const board = make("div", "board");
  const seats = root.seats ?? []; // where the cursors stood before the content changed
  const grids = [];
  const units = []; // a grid with the operators before it
  const small = fixed.items.every((item) => "op" in item || item.fold);
  let ops = [];

  const rest = () => {
    const cell = grids.map((grid) => grid.opened()).find(Boolean);
    say(readout, cell ? fill(text.asked, { cell }) : text.hint, Boolean(cell));
  };
  const fold = fixed.fold && buildFold(fixed.fold, () => send("fold", true));
  const show = (chosen) => {
    for (const grid of grids) grid.mark(chosen);
    if (fold && "open" in chosen) fold.setAttribute("aria-expanded", chosen.open);
    rest();
  };
  const desk = {
    text,
    tables,
    ramps: new Set(),
    rest,
    look: (words) => say(readout, words),
    ask(cell) {
      show({ asked: cell, lit: [] });
      send("ask", cell);
    },
    forget: () => show({ asked: null, lit: [] }),
    style: () => root.page,
    skipped: () => root.skipped,
  };

  root.seats = [];
  for (const item of fixed.items) {
    if ("op" in item) ops.push(operator(item.op));
    else seat(item, { cursor: 0, ...seats[grids.length] });
  }
  if (ops.length) unit(null);
  root.append(readout, board);
  if (fold) root.append(fold);
  // What the browser does not paint, as it is far from what is seen, is drawn when it comes near.
  root.oncontentvisibilityautostatechange = ({ skipped }) => {
    root.skipped = skipped;
    for (const grid of grids) grid.paint();
  };
  watchWidth(root, fit);
  // Text on a canvas does not change by itself when its font has arrived.
  if (document.fonts.status === "loading") document.fonts.ready.then(() => fit(root.clientWidth));
  queueMicrotask(() => {
    if (root.querySelector(":focus")) grids[root.last]?.frame.focus({ preventScroll: true });
  });
  return show;

  function seat(item, place) {
    const grid = buildGrid(item, desk, place);
    const number = grids.push(grid) - 1;
    grid.frame.addEventListener("focus", () => (root.last = number));
    root.seats.push(place);
    unit(grid);
  }
  function unit(grid) {
    const element = make("div", "unit");
    element.append(...ops.map((op) => op.element), ...(grid ? [grid.box] : []));
    board.append(element);
    units.push({ ops, grid });
    ops = [];
  }
  function operator(text) {
    const words = text.length > 2;
    const element = rich(make("span", words ? "op words" : "op"), text);
    return { element, text, look: words ? { size: 19, weight: 600 } : { size: 28, weight: 400 } };
  }
  function fit(width) {
    if (width === 0) return;
    const narrow = width < NARROW && !small;
    board.classList.toggle("narrow", narrow);
    const broken = narrow
      ? units.map((unit) => [unit])
      : lines(units.map((each) => needs(each, width)), width);
    const shares = narrow ? [] : broken.map((line) => share(line, width));
    const least = Math.min(...shares); // small pictures are of one size in all lines
    for (const [i, line] of broken.entries()) {
      if (!narrow) stretch(line, width, small ? least : shares[i]);
      else line[0].grid?.fit(width - line[0].grid.beside(width), width);
    }
    const tall = (line) => Math.max(OP, ...line.map(({ grid }) => grid?.tall() ?? 0));
    const high = broken.reduce((sum, line) => sum + tall(line) + GAP, OP);
    // As long as it is not laid out.
    root.style.containIntrinsicBlockSize = `auto ${high + (fold ? FOLD : 0)}px`;
  }
  /** What a unit takes: beside its cells, and for them at least, with their numbers, at most. */
  function needs({ ops, grid }, width) {
    const signs = ops.reduce((sum, op) => sum + wide(op) + GAP, 0);
    if (!grid) return { sizes: [0, 0, 0], beside: signs - GAP, title: 0 };
    return { grid, sizes: grid.sizes, beside: signs + grid.beside(width), title: signs + grid.heading };
  }
  /** Measured, not asked of the page: that would lay it out once for each board. */
  function wide({ text, look: { size, weight } }) {
    const width = ({ part, low }) =>
      textWidth(part, `${weight} ${low ? size * LOW : size}px ${root.page.font}`);
    return Math.ceil(parts(text).reduce((sum, each) => sum + width(each), 0));
  }
  /** Lines break here where the style sheet will break them: cells grow only afterwards. */
  function lines(needs, width) {
    const broken = [[]];
    for (const need of needs) {
      const line = broken.at(-1);
      if (line.length && span([...line, need], 0) > width) broken.push([need]);
      else line.push(need);
    }
    return broken;
  }
  function span(line, share) {
    const widths = line.map((need) => Math.max(need.beside + cellsOf(need, share), need.title));
    return widths.reduce((sum, width) => sum + width, GAP * (line.length - 1));
  }
  /** Share 0 is the least, 1 gives small grids room for their numbers, 2 is the most. */
  function cellsOf({ sizes: [least, written, most] }, share) {
    if (share < 1) return least + share * (written - least);
    return written + (share - 1) * (most - written);
  }
  /** The largest share with which a line is no wider than there is room. */
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
      need.grid?.fit(Math.min(cellsOf(need, share), width - need.beside), width);
    }
  }
}

/** The line that opens what lies under the board: that is the server's to draw. */
function buildFold(label, turn) {
  const button = make("button", "fold", label);
  button.addEventListener("click", () => {
    button.setAttribute("aria-expanded", button.getAttribute("aria-expanded") !== "true");
    turn();
  });
  return button;
}

function scale(stops) {
  const name = stops.join();
  if (!scales.has(name)) scales.set(name, colourTable(stops));
  return scales.get(name);
}

/** Plain text, in which d_k and W_Q get their index; what stands in quotes stays as it is. */
function parts(text) {
  const all = text.split(/(“[^”]*”|(?<=\p{L})_[\p{L}\p{N}]+)/u);
  return all.map((part) => (part.startsWith("_") ? { part: part.slice(1), low: true } : { part }));
}

function rich(element, text) {
  element.append(...parts(text).map(({ part, low }) => (low ? make("sub", "", part) : part)));
  return element;
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
