// One number, opened: everything that was multiplied and added, computed again in double precision.
import { rgb } from "../components/shared/colour.js";
import { make, makeButton } from "../components/shared/dom.js";
import { fill } from "../components/shared/text.js";
import { nameOf } from "./draw.js";
import { calculationOf } from "./formulas.js";
import { number } from "./words.js";

const CLOSE = 1e-4; // of the size of what was added up: what single precision may differ by

/** Open a number over the picture; return whether there is one to open.
 * @param {any} what */
export function openLens({ story, text, column, row, at, close, root }) {
  const found = calculationOf(story, column, row, at);
  if (!found) return false;
  const word = (r) => nameOf(story.src[r], text);
  const title = ["q", "k", "s", "sc", "w"].includes(column)
    ? `${{ sc: "q · k ÷ √d_k", w: "softmax" }[column] ?? "q · k"}:  ${word(story.source)} → ${word(row)}`
    : `${column}(${word(row)}), ${fill(text.number_n, { n: at + 1 })}`;
  const size = Math.max(...found.lines.flatMap(([, , values]) => values.map(Math.abs)));
  const agrees =
    Math.abs(found.result - found.ours) <=
    CLOSE * Math.max(1, size) * found.lines[0][2].length ** 0.5;
  const closer = makeButton("close", "×", close, { "aria-label": text.close });
  const grid = make("div", "products", found.lines.map(lineOf));
  const says = fill(text.result, { result: number(found.result, 3), ours: number(found.ours, 3) });
  const foot = make("p", "result", [
    says,
    " ",
    make("span", agrees ? "checked" : "differs", agrees ? `✓ ${text.checked}` : text.differs),
  ]);
  const body = make("div", "lens", [make("h3", "", title), closer, grid, foot], {
    role: "dialog",
    "aria-label": title,
    tabindex: -1,
  });
  root.querySelector(".lens-ground")?.remove();
  const ground = make("div", "lens-ground", [body]);
  ground.addEventListener("click", (event) => {
    if (event.target === ground) close();
  });
  root.append(ground);
  body.focus();
  return true;

  /** A row of numbers, each on a ground as strong as it is large. */
  function lineOf(/** @type {any[]} */ [name, role, values]) {
    const most = Math.max(...values.map(Math.abs)) || 1;
    const style = getComputedStyle(root);
    const colour = style.getPropertyValue(`--${role}`).trim() || style.color;
    const [r, g, b] = rgb(colour);
    const cells = values.map((value) => {
      const cell = make("span", value < 0 ? "product negative" : "product", number(value));
      const part = (Math.abs(value) / most) ** 0.75 * 0.42;
      cell.style.background =
        value < 0 ? `rgb(123 132 148 / ${part})` : `rgb(${r} ${g} ${b} / ${part})`;
      return cell;
    });
    const label = make("b", "", name.replace("_k", "ₖ"));
    label.style.color = colour;
    return make("div", "line", [label, make("div", "cells", cells)]);
  }
}
