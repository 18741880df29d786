// One grid: its frame and labels, the size of its cells, pointer and keys.
import { fillLegend, moves } from "../grid/cells.js";
import { clamp } from "../shared/colour.js";
import { isEnter, make, makeButton } from "../shared/dom.js";
import { number } from "../shared/number.js";
import { enterPanel, opensPanel, showsOpened } from "../shared/panel.js";
import { fill, textWidth, widest } from "../shared/text.js";
import { lies, readArray, rich } from "./array.js";
import { cellRect, PAD, paintCells, paintMarks, resize } from "./paint.js";

const FOLDS = [128, 64, 32, 16];
const TALL = 420; // the height above which a matrix scrolls in its frame
const LOW = 10; // the least height of a row if the window has little room
const LARGE = 1000; // the count of numbers from which a thumbnail can be opened
// Sizes of a thumbnail in pixels: its height (low: on a phone), and the width of all and of a cell.
const THUMB = { high: 160, low: 112, least: [150, 3], most: [420, 20] };
export const NARROW = 560; // below this width, each grid has a line of its own

export function buildGrid(spec, desk, seat) {
  const { text } = desk;
  const array = readArray(spec, text);
  const { rows, cols, strip, values, long } = array;
  const table = desk.colours(spec.scale);
  // The cells as drawn: a strip may be folded.
  const view = { across: cols, down: rows, w: 0, h: 0, above: 0, size: [0, 0] };
  /** @type {{ hover: number, asked: number, other: number, lit: Uint8Array | null }} */
  const marked = { hover: -1, asked: -1, other: -1, lit: null }; // other: pointed at elsewhere
  let [walking, shown, stale] = [false, -1, true];
  seat.cursor = Math.min(seat.cursor, values.length - 1);

  const repeated = spec.fold && desk.ramps.has(spec.reach); // small pictures share one colour scale
  desk.ramps.add(spec.reach);

  const shape = strip ? `(${cols})` : `(${rows} × ${cols})`;
  const words = fill(strip ? text.strip : text.matrix, { title: spec.title, rows, cols });
  const caption = make("div", "caption", [
    rich(make("span", "title"), spec.title),
    " ",
    make("span", "shape", shape),
  ]);
  const [cells, marks] = [make("canvas"), make("canvas")];
  const [heads, sides] = [make("div", "heads"), make("div", "sides")];
  const stack = make("div", "stack", [cells, marks]);
  const parts = [make("div", "corner"), heads, sides, stack];
  const sheet = make("div", "sheet", parts, { "aria-hidden": true });
  const frame = make("div", "scroll frame", [sheet], { role: "application", "aria-label": words });
  frame.tabIndex = 0;
  const foot = make("div", "legend");
  const opens = spec.thumb && values.length >= LARGE;
  if (opens) {
    const label = fill(text.open, { title: spec.title });
    const named = { "aria-label": label, title: label };
    caption.append(
      " ",
      makeButton("open", "⤢", () => desk.open(spec), named),
    );
  }
  const note = spec.note ? [make("div", "note", spec.note)] : [];
  const group = { role: "group", "aria-label": spec.title };
  const box = make("div", "array", [caption, ...note, frame, foot], group);
  box.style.setProperty("--own", `var(--${spec.role})`);

  stack.addEventListener("pointermove", (event) => point(at(event)));
  stack.addEventListener("pointerleave", () => point(-1));
  stack.addEventListener("click", (event) => {
    if (at(event) < 0) return;
    seat.cursor = at(event);
    ask();
  });
  frame.addEventListener("pointerdown", () => (walking = false));
  frame.addEventListener("focus", () => frame.matches(":focus-visible") && walk(seat.cursor));
  frame.addEventListener("blur", () => {
    walking = false;
    draw();
    desk.rest();
  });
  frame.addEventListener("keydown", steer);

  const measure = (word, font) => textWidth(word, `${font} ${desk.style().font}`);
  const known = new Map();
  const longest = (labels) => {
    if (!known.has(labels)) known.set(labels, widest(labels, `12px ${desk.style().font}`));
    return known.get(labels);
  };
  const title = measure(`${spec.title} ${shape}${opens ? " ⤢ " : ""}`, "600 15px");
  const heading = Math.min(title + 4, 190);
  const size = {
    heading,
    sizes: sizes(),
    rows: strip ? null : rows,
    beside,
    rowHeight,
    high,
    tall,
  };
  return { box, frame, ...size, fit, paint, mark, light, opened };

  /** Return the widths of the cells: the least, with numbers in small grids, the most. */
  function sizes() {
    if (long && spec.fold) return [3 * spec.fold, 3 * spec.fold, 9 * spec.fold];
    if (long) {
      const least = cols > 512 ? 64 * 8 : 32 * 8;
      return [least, least, 10 * (cols > 256 ? 128 : 64)];
    }
    if (spec.thumb) {
      const wide = (/** @type {number[]} */ [all, cell]) => cols * clamp(all / cols, 0.5, cell);
      return [wide(THUMB.least), wide(THUMB.least), wide(THUMB.most)];
    }
    const least = cols * clamp(320 / cols, 3, 34);
    return [least, cols <= 16 ? cols * 34 : least, cols * clamp(1100 / cols, 4, 44)];
  }
  function side(width) {
    if (!spec.row_labels.length) return long && !spec.fold ? 30 : 0;
    return Math.min(longest(spec.row_labels) + 12, width < NARROW ? 84 : 120);
  }
  function beside(width) {
    const bar = !strip && !spec.thumb && rows * 3 > tallest() ? 14 : 0;
    return side(width) + 2 * PAD + 4 + bar;
  }
  /** Return the height of the cells that are visible at once. */
  function high() {
    return strip ? view.size[1] : Math.min(view.size[1], tallest() + 2 * PAD);
  }
  /** Return the height above which a matrix scrolls: more than usual if the window has room. */
  function tallest() {
    return TALL * Math.max(1, desk.share());
  }
  /** Return about the height of a grid with its title and colour scale. */
  function tall() {
    return high() + view.above + 52;
  }
  /** Return the height of a row if nothing stands beside the grid. */
  function rowHeight(width) {
    const { low, high } = THUMB;
    const room = spec.height ?? (spec.thumb ? (width < NARROW ? low : high) : TALL);
    const usual = clamp(room / rows, spec.thumb ? 0.5 : 3, 28);
    return Math.max(usual * desk.share(), spec.thumb ? 0 : Math.min(usual, LOW));
  }
  function fit(room, width, row = rowHeight(width)) {
    const snap = (size) => Math.floor(size * devicePixelRatio) / devicePixelRatio;
    view.across = long ? folded(room) : cols;
    view.down = Math.ceil(values.length / view.across);
    const most = 6 * Math.max(1, desk.share()); // the largest cell of a small picture
    if (long && spec.fold) view.w = view.h = snap(clamp(room / view.across, 3, most));
    else if (spec.thumb) {
      view.w = clamp(Math.floor(room) / view.across, 0.5, THUMB.most[1]);
      view.h = row < 7 ? row : snap(row);
    } else {
      view.w = snap(clamp(room / view.across, long ? 5 : 3, 44));
      view.h = snap(long ? clamp(view.w, 7, 16) : row);
    }
    if (spec.square) view.w = view.h = Math.min(view.w, view.h);
    const [wide, high] = [view.across * view.w + 2 * PAD, view.down * view.h + 2 * PAD];
    view.size = [wide, high];
    stack.style.width = `${wide}px`;
    stack.style.height = `${high}px`;
    const outer = beside(width) + wide - 2 * PAD;
    frame.style.width = `${outer}px`;
    box.style.width = `${Math.max(outer, heading)}px`;
    label(side(width), wide);
    known.clear(); // the font may have changed by the next time
    stale = true;
    paint();
    return Math.max(outer, heading);
  }
  /** Draw the cells in their new size if they are close enough to be seen. */
  function paint() {
    if (!stale || desk.skipped()) return;
    stale = false;
    resize(cells, view.size);
    marks.width = 0; // the first mark sets its size
    legend(paintCells(cells, array, view, table, desk.style()));
    draw();
  }
  function folded(room) {
    if (spec.fold) return Math.min(spec.fold, cols);
    if (cols <= 128 && cols * 10 <= room) return cols;
    return Math.min(cols, FOLDS.find((count) => count * 7 <= room) ?? 16);
  }
  function label(left, wide) {
    const tall = longest(spec.col_labels);
    const upright = tall + 4 > view.w;
    const above = spec.col_labels.length ? (upright ? Math.min(tall + 8, 98) : 20) : 0;
    view.above = above;
    sheet.style.gridTemplateColumns = `${left}px ${wide}px`;
    sides.style.width = `${left}px`;
    heads.style.height = `${above}px`;
    heads.classList.toggle("upright", upright);
    frame.style.maxHeight = strip ? "" : `${tallest() + above + 2 * PAD + 4}px`;
    heads.replaceChildren(...tokens(spec.col_labels, "left", view.w, 13));
    const starts = long && !spec.fold && !spec.row_labels.length;
    sides.classList.toggle("starts", starts);
    sides.replaceChildren(...tokens(starts ? lineStarts() : spec.row_labels, "top", view.h, 12));
  }
  function lineStarts() {
    return Array.from({ length: view.down }, (_, line) => {
      const first = line * view.across;
      return String((spec.cols?.[first] ?? first) + spec.first);
    });
  }
  /** Draw a label for each cell, or every second, third … if cells are smaller than letters. */
  function tokens(labels, edge, size, letter) {
    const every = Math.ceil(letter / size);
    return labels.flatMap((word, i) => {
      if (i % every) return [];
      const element = make("span", "token", word);
      element.style[edge] = `${PAD + (i + 0.5) * size}px`;
      return [element];
    });
  }
  function legend({ written, masked }) {
    const reach = number(spec.reach, 2);
    const ends = { weights: ["0", "1"], greys: ["0", reach], signed: [`−${reach}`, `+${reach}`] };
    const shown = written || repeated ? null : ends[spec.scale];
    fillLegend(foot, table, shown, { mask: masked && text.hatched });
  }
  function draw() {
    if (stale) return;
    const cursor = marked.hover < 0 && walking ? seat.cursor : marked.hover;
    const none = cursor < 0 && marked.asked < 0 && marked.other < 0 && !marked.lit;
    if (none && marks.width === 0) return;
    if (marks.width === 0) resize(marks, view.size);
    paintMarks(marks, array, view, { ...marked, cursor }, desk.style());
  }
  function at(event) {
    const { across, w, h } = view;
    // If the page is zoomed, as in front of a class, the event's coordinates are zoomed too.
    const { left, top, width } = stack.getBoundingClientRect();
    const zoom = width / view.size[0];
    const col = Math.floor(((event.clientX - left) / zoom - PAD) / w);
    const row = Math.floor(((event.clientY - top) / zoom - PAD) / h);
    const i = row * across + col;
    return col >= 0 && col < across && row >= 0 && i < values.length ? i : -1;
  }
  function point(i) {
    if (i === marked.hover) return;
    marked.hover = i;
    stack.classList.toggle("on", i >= 0);
    draw();
    if (i >= 0) look(i);
    else desk.rest();
  }
  function ask() {
    if (spec.name === "") return; // computed only for this page: no address in the model
    opensPanel(frame);
    if (marked.asked === seat.cursor) return enterPanel();
    desk.ask(cell(seat.cursor));
  }
  function cell(i) {
    return { name: spec.name, index: array.address(i) };
  }
  function look(i) {
    desk.look(array.describe(i), spec.name ? cell(i) : null);
  }
  function walk(i) {
    seat.cursor = i;
    walking = true;
    marked.hover = -1;
    reveal(i);
    draw();
    look(i);
  }
  function steer(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { across, down } = view;
    const col = seat.cursor % across;
    const row = Math.floor(seat.cursor / across);
    const to = moves(row, col, down, across, (...place) => nearest(place, col))[event.key];
    if (to !== undefined) walk(to);
    else if (isEnter(event)) ask();
    else if (event.key === "Escape") desk.forget();
    else return;
    event.preventDefault();
    event.stopPropagation(); // it is no shortcut of the page
  }
  /** Return the cell at a row and column, or the closest one; a folded strip wraps. */
  function nearest([row, col], from) {
    const { across, down } = view;
    const end = values.length - 1;
    if (strip && Math.abs(col - from) === 1) return clamp(row * across + col, 0, end);
    const i = clamp(row, 0, down - 1) * across + clamp(col, 0, across - 1);
    if (i <= end) return i;
    return col === from ? i - across : end;
  }
  /** Scroll the frame, never the page, until a cell is visible. */
  function reveal(i) {
    const [x, y, wide, high] = cellRect(i, view);
    const roomX = frame.clientWidth - sides.offsetWidth - 2 * PAD;
    const roomY = frame.clientHeight - heads.offsetHeight - 2 * PAD;
    frame.scrollLeft = clamp(frame.scrollLeft, x + wide - roomX, x);
    frame.scrollTop = clamp(frame.scrollTop, y + high - roomY, y);
  }
  function mark({ asked, lit }) {
    const blocks = lit.filter((block) => block.name === spec.name);
    const among = (i) => blocks.some((block) => lies(array.address(i), block.index));
    const cells = blocks.length ? Uint8Array.from(values, (_, i) => among(i)) : null;
    marked.lit = cells?.includes(1) ? cells : null;
    marked.asked = array.find(asked);
    if (marked.asked >= 0) showsOpened(frame);
    const first = marked.asked >= 0 ? marked.asked : (marked.lit?.indexOf(1) ?? -1);
    if (first >= 0 && first !== shown) reveal(first);
    shown = first;
    draw();
  }
  function light(cell) {
    marked.other = array.find(cell);
    draw();
  }
  function opened() {
    return marked.asked >= 0 ? array.describe(marked.asked) : "";
  }
}
