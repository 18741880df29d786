// The picture of a chart, with points to read under the pointer and to visit with the arrow keys.
import { clamp } from "../shared/colour.js";
import { isEnter, make, onLeave, say } from "../shared/dom.js";

const AWAY = 8; // pixels between a point and its words

/**
 * Show a picture with its points; `boxOf` tells where one lies, `wordsOf` what is said of it, and
 * `choose` is called with one that is clicked, if any may be.
 * @param {HTMLElement} root @param {any} shown
 */
export function showPicture(root, { svg, alt, hint, points, boxOf, wordsOf, choose }) {
  const width = Number(svg.getAttribute("width"));
  const frame = make("div", "frame", [svg], { "aria-label": alt, role: "img" });
  frame.style.maxWidth = `${width}px`;
  root.append(frame);
  if (!points.length) return;
  const ring = make("span", "ring", [], { hidden: "" });
  const words = make("p", "words", [], { "aria-live": "polite" });
  frame.append(ring, words);
  frame.tabIndex = 0;
  frame.role = "application";
  frame.setAttribute("aria-description", hint);
  frame.classList.toggle("chooses", Boolean(choose));
  let at = -1;
  /** @type {number[][]} */
  let boxes;
  const follow = ({ clientX, clientY }) => {
    const { left, top, width: wide } = svg.getBoundingClientRect();
    look(nearest(((clientX - left) * width) / wide, ((clientY - top) * width) / wide));
  };
  frame.addEventListener("pointermove", follow);
  frame.addEventListener("pointerdown", follow); // a finger does not move
  frame.addEventListener("focus", () => look(Math.max(at, 0)));
  frame.addEventListener("click", () => choose?.(points[at]));
  frame.addEventListener("keydown", (event) => {
    const last = points.length - 1;
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1 };
    const next = { ...to, Home: 0, End: last }[event.key];
    if (next !== undefined) look(clamp(next, 0, last));
    else if (choose && isEnter(event)) choose(points[at]);
    else return;
    event.preventDefault();
    event.stopPropagation(); // it is no shortcut of the page
  });
  onLeave(frame, () => {
    ring.hidden = true;
    say(words, "", false);
  });

  function look(/** @type {number} */ i) {
    if (i === at && !ring.hidden) return;
    at = i;
    const wide = svg.getBoundingClientRect().width / width;
    const [left, top, right, bottom] = boxOf(points[i]).map((pixel) => pixel * wide);
    Object.assign(ring.style, {
      left: `${(left + right) / 2}px`,
      top: `${(top + bottom) / 2}px`,
      width: `${right - left}px`,
      height: `${bottom - top}px`,
    });
    ring.hidden = false;
    say(words, wordsOf(points[i]));
    const half = words.offsetWidth / 2;
    const above = top - AWAY - words.offsetHeight;
    const middle = clamp((left + right) / 2, half, Math.max(half, frame.clientWidth - half));
    words.style.left = `${middle - half}px`;
    words.style.top = `${above > -AWAY ? above : bottom + AWAY}px`;
  }
  /** Return the point whose box is closest to a place. */
  function nearest(x, y) {
    boxes ??= points.map(boxOf);
    let [best, least] = [0, Infinity];
    for (const [i, [left, top, right, bottom]] of boxes.entries()) {
      const away = Math.hypot(x - clamp(x, left, right), y - clamp(y, top, bottom));
      if (away < least) [best, least] = [i, away];
    }
    return best;
  }
}
