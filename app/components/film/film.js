// Each frame is one moment of training: the strip shows all frames, the table the chosen one.
import { drawPicture, readCells } from "../grid/cells.js";
import { buildTable } from "../grid/table.js";
import { clamp, colourTable } from "../shared/colour.js";
import { isEnter, make, makeButton, markOne, rove } from "../shared/dom.js";
import { fill } from "../shared/text.js";

const SECONDS_A_FRAME = 0.35;
const SECONDS_A_LOOK = 1.2; // how often the rest of the page is redrawn during playback

export function build(view, fixed) {
  const { steps, names, notes, outputs, queries, keys, text } = fixed;
  const { memory } = view; // the moment, the timer and the choice outlive a redraw
  const { values, isMasked } = readCells(fixed);
  const size = queries.length * keys.length;
  const weights = (i) => values.subarray(i * size, (i + 1) * size);
  const colours = colourTable(view.palette.weights);
  const last = steps.length - 1;
  const stepName = (i) => fill(text.step, { step: names[i] });

  const play = makeButton("boxed play", "", () => (memory.timer ? pick(memory.at) : start()));
  const slider = { type: "range", min: 0, max: last, step: 1, "aria-label": text.moment };
  const range = make("input", "range", [], slider);
  const place = make("span", "place");
  const thumbs = steps.map((_, i) => thumb(i));
  const strip = make("div", "strip", thumbs, {
    role: "listbox",
    "aria-label": text.strip,
    "aria-orientation": "horizontal",
  });
  const written = make("p", "written");
  const sizes = { side: 84, least: 18, wide: 56, high: 30, room: 480 };
  const table = buildTable(view, { ...fixed, isMasked, sizes });
  const bar = make("div", "bar", [play, range, place]);
  view.root.append(bar, strip, written, ...table.parts);

  range.addEventListener("input", () => {
    stop();
    show(Number(range.value));
  });
  range.addEventListener("change", () => pick(Number(range.value)));
  if (memory.timer) start(memory.at);
  show(Math.min(memory.at ?? last, last));
  table.mark(null);

  return (chosen) => {
    // Ignore an earlier choice that arrives again: the visitor may have moved on since.
    if (chosen === null || chosen === memory.chosen) return;
    memory.chosen = chosen;
    if (!memory.timer) show(Math.min(chosen, last));
  };

  function start(from = memory.at === last ? 0 : memory.at) {
    stop();
    memory.timer = setInterval(() => {
      if (!view.root.isConnected) return stop();
      if (memory.at < last) show(memory.at + 1);
      if (memory.at === last) return pick(last);
      if (Date.now() - memory.looked >= SECONDS_A_LOOK * 1000) follow(memory.at);
    }, SECONDS_A_FRAME * 1000);
    memory.looked = Date.now();
    show(from);
  }
  function follow(i) {
    memory.looked = Date.now();
    view.send({ step: i === last ? null : steps[i] });
  }
  function stop() {
    clearInterval(memory.timer);
    memory.timer = null;
  }
  function pick(i) {
    stop();
    show(i);
    follow(i);
  }

  function show(i) {
    memory.at = i;
    range.value = String(i);
    range.setAttribute("aria-valuetext", stepName(i));
    place.textContent = fill(text.place, { step: stepName(i), place: i + 1, count: steps.length });
    play.textContent = memory.timer ? "❚❚" : "▶";
    play.title = memory.timer ? text.pause : text.play;
    play.setAttribute("aria-label", play.title);
    markOne(thumbs, thumbs[i], "chosen", "aria-selected");
    rove(thumbs, thumbs[i]);
    // Only the strip scrolls, never the page.
    const { offsetLeft, offsetWidth } = thumbs[i];
    strip.scrollLeft = offsetLeft - strip.offsetLeft - (strip.clientWidth - offsetWidth) / 2;
    table.draw(weights(i));
    write(i);
  }
  function write(i) {
    const word = ([text, right]) => [make("span", right ? "word right" : "word wrong", text), " "];
    written.replaceChildren(make("span", "quiet", text.wrote), " ", ...outputs[i].flatMap(word));
    if (!outputs[i].length) written.append(make("span", "quiet", "∅"));
    if (notes[i]) written.append(make("span", "note", notes[i]));
  }

  function thumb(i) {
    const canvas = make("canvas");
    drawPicture(canvas, weights(i), keys.length, colours);
    const parts = [canvas, make("span", "", names[i])];
    const element = make("div", "thumb", parts, { role: "option", "aria-label": stepName(i) });
    element.addEventListener("click", () => pick(i));
    element.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: last }[event.key];
      if (to === undefined && !isEnter(event)) return;
      event.preventDefault();
      const next = clamp(to ?? i, 0, last);
      pick(next);
      thumbs[next].focus({ preventScroll: true });
    });
    return element;
  }
}
