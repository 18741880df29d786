// The picture of a chart, with points to hover over and to visit with the arrow keys.
import { clamp } from "../../shared/colour.js";
import { make, onLeave, say } from "../../shared/dom.js";

/** @param {HTMLElement} root @param {any} shown the picture with its size, and where its points lie */
export function showPicture(root, { svg, width, height, points }, alt, text) {
  const ring = make("span", "ring", [], { hidden: "" });
  const src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  const picture = make("img", "", [], { src, alt, width, height });
  const frame = make("div", "frame", [picture, ring]);
  if (!points?.length) {
    if (!points) root.append(make("p", "readout", text.many));
    root.append(frame);
    return;
  }
  const readout = make("p", "readout", text.hint, { "aria-live": "polite" });
  let at = -1;
  root.append(readout, frame);
  frame.tabIndex = 0;
  frame.role = "application";
  frame.ariaLabel = alt;
  frame.addEventListener("pointermove", ({ clientX, clientY }) => {
    const { left, top, width: wide } = picture.getBoundingClientRect();
    const scale = width / wide;
    look(nearest((clientX - left) * scale, (clientY - top) * scale));
  });
  frame.addEventListener("focus", () => look(Math.max(at, 0)));
  frame.addEventListener("keydown", (event) => {
    const last = points.length - 1;
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1 };
    const next = { ...to, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    look(clamp(next, 0, last));
    event.preventDefault();
  });
  onLeave(frame, () => {
    ring.hidden = true;
    say(readout, text.hint, false);
  });

  function look(i) {
    at = i;
    const [left, top, right, bottom, words] = points[i];
    const share = (part, all) => `${(100 * part) / all}%`;
    ring.style.left = share((left + right) / 2, width);
    ring.style.top = share((top + bottom) / 2, height);
    ring.style.width = share(right - left, width);
    ring.style.height = share(bottom - top, height);
    ring.hidden = false;
    say(readout, words);
  }
  /** Return the point whose box is closest to a place. */
  function nearest(x, y) {
    const away = points.map(([left, top, right, bottom]) =>
      Math.hypot(x - clamp(x, left, right), y - clamp(y, top, bottom)),
    );
    return away.indexOf(Math.min(...away));
  }
}
