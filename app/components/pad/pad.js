// A small bitmap to draw on: with the pointer, or block by block with the keys.
import { clamp } from "../shared/colour.js";
import { make, makeButton } from "../shared/dom.js";

const PEN = 1.7; // radius, in pixels of the bitmap
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function build(view, { side, block, text }) {
  let bits = new Uint8Array(side * side);
  /** @type {number[] | null} */
  let last = null; // where the pen was, while it is down
  /** @type {number[] | null} */
  let cursor = null; // the block that the keys have reached
  const canvas = make("canvas", "pad", [], {
    width: side,
    height: side,
    tabindex: 0,
    role: "application",
    "aria-label": text.label,
  });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const clear = makeButton("clear", text.clear, () => {
    bits.fill(0);
    paint();
    view.send(written());
  });
  view.root.append(canvas, make("div", "bar", [clear, make("span", "hint", text.hint)]));

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    last = at(event);
    stroke(last, last);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return;
    const next = at(event);
    stroke(last, next);
    last = next;
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, lift);
  canvas.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    if (!move && event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation(); // it is no shortcut of the page
    const edge = side / block - 1;
    const [x, y] = cursor ?? [0, 0];
    if (!move) return toggle(x, y);
    cursor = [clamp(x + move[0], 0, edge), clamp(y + move[1], 0, edge)];
    paint();
  });
  canvas.addEventListener("blur", () => {
    cursor = null;
    paint();
  });
  return (chosen) => {
    if (last) return; // the pen is down: the drawing in progress is newer
    bits = read(chosen);
    paint();
  };

  function lift() {
    if (!last) return;
    last = null;
    view.send(written());
  }
  /** @returns {number[]} */
  function at(event) {
    const box = canvas.getBoundingClientRect();
    const scale = side / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }
  /** @param {number[]} from @param {number[]} to */
  function stroke(from, to) {
    const [[x0, y0], [x1, y1]] = [from, to];
    const steps = Math.ceil(2 * Math.hypot(x1 - x0, y1 - y0)) + 1;
    for (let i = 0; i <= steps; i++)
      dot(x0 + ((x1 - x0) * i) / steps, y0 + ((y1 - y0) * i) / steps);
    paint();
  }
  function dot(x, y) {
    for (let row = 0; row < side; row++)
      for (let col = 0; col < side; col++)
        if (Math.hypot(col + 0.5 - x, row + 0.5 - y) <= PEN) bits[row * side + col] = 1;
  }
  function toggle(x, y) {
    const on = bits[y * block * side + x * block] ? 0 : 1;
    for (let row = y * block; row < (y + 1) * block; row++)
      bits.fill(on, row * side + x * block, row * side + (x + 1) * block);
    paint();
    view.send(written());
  }
  function paint() {
    context.fillStyle = "#000";
    context.fillRect(0, 0, side, side);
    context.fillStyle = "#fff";
    for (let i = 0; i < bits.length; i++)
      if (bits[i]) context.fillRect(i % side, Math.floor(i / side), 1, 1);
    if (!cursor) return;
    context.fillStyle = "rgba(255, 160, 0, 0.6)";
    context.fillRect(cursor[0] * block, cursor[1] * block, block, block);
  }
  function written() {
    const nibble = (_, i) => parseInt(bits.slice(4 * i, 4 * i + 4).join(""), 2).toString(16);
    return Array.from({ length: bits.length / 4 }, nibble).join("");
  }
  function read(hex) {
    const found = new Uint8Array(side * side);
    [...hex].forEach((digit, i) => {
      const four = parseInt(digit, 16).toString(2).padStart(4, "0");
      found.set([...four].map(Number), 4 * i);
    });
    return found;
  }
}
