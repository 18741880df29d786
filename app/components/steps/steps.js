// The screens of a page as a row of steps, with Back and Next.
import { joinRow, listen, make, makeButton, rove } from "../shared/dom.js";
import { light, present, presenting } from "../shared/lens.js";
import { remember as keep } from "../shared/memory.js";
import { fill } from "../shared/text.js";
import { openNotes, showNotes } from "./notes.js";

// Elements that use the arrow keys or the space bar themselves, or that scroll sideways on touch.
const OWN_KEYS =
  "input, textarea, select, button, summary, a, [contenteditable], [role=application], " +
  "[role=toolbar], [role=slider], [role=radiogroup], [role=listbox], [role=dialog], [role=grid]";
const SWIPE = { far: 70, low: 40, quick: 700 }; // pixels, pixels, milliseconds
const REMEMBERED = "illuminated-all";
const STILL = 1500; // milliseconds without a change, after which all screens count as drawn
const LONGEST = 30_000; // milliseconds until they are printed in any case
/** @type {string | null} */
let presented = null; // the title of the lesson that was started in large type

export function build(view, { page, steps, before, after, tour, lesson, book, text }) {
  const { root } = view;
  const back = makeButton("boxed way back", `← ${text.back}`, () => go(-1));
  const next = makeButton("boxed way next", `${text.next} →`, () => go(1));
  const place = make("span", "place");
  const dots = steps.map(dot);
  joinRow(dots, ["ArrowRight"], ["ArrowLeft"]);
  const row = make("div", "row", dots, { role: "toolbar", "aria-label": text.name });
  let open = ""; // empty if all screens are drawn
  const all = side([make("i"), text.allShort], text.all, () => {
    localStorage.setItem(REMEMBERED, open === null ? "" : "1");
    view.send({ all: open !== null });
  });
  all.setAttribute("aria-pressed", "false");
  const show = side(text.present, text.presentKeys, () => present());
  show.classList.add("present");
  const add = side(text.addShort, text.add, () => view.send({ add: true }));
  const notes = side(text.notes, text.notes, () => openNotes(text, go));
  const trip = side(text.tour, text.tourHint, () => view.send({ tour: !tour }));
  trip.setAttribute("aria-label", text.tour);
  const leave = side(text.leave, text.leave, () => {
    present(false);
    view.send({ leave: true });
  });
  const own = tour ? [trip, show, add] : [trip, all, show, add];
  const others = lesson ? [show, notes, ...(book ? [] : [leave])] : book ? [show] : own;
  next.title = text.keys;
  root.append(make("nav", "bar", [back, row, place, next, ...others], { "aria-label": text.name }));
  listen(root, { keydown });
  swipe(root, go);
  // A lesson opens in large type, unless the visitor has already left that.
  if (lesson && presented !== lesson.title) {
    presented = lesson.title;
    present(true);
  }
  return mark;

  function mark(chosen) {
    open = chosen;
    const at = index();
    if (!lesson && !tour && !book && chosen !== null && localStorage.getItem(REMEMBERED))
      view.send({ all: true });
    if (page && at >= 0) keep(page, chosen, steps.length);
    dots.forEach((one, i) => {
      one.classList.toggle("here", i === at);
      one.classList.toggle("seen", i < at);
      one.ariaCurrent = i === at ? "step" : null;
    });
    rove(dots, dots[Math.max(at, 0)]);
    place.textContent = at < 0 ? "" : fill(text.count, { n: at + 1, all: steps.length });
    all.setAttribute("aria-pressed", String(at < 0));
    const to = at < 0 || at + 1 === steps.length ? after : steps[at + 1];
    label(back, at <= 0 ? before : steps[at - 1]);
    label(next, to);
    showNotes({
      place: place.textContent,
      title: steps[at]?.title ?? text.name,
      note: lesson?.notes[at] || text.noNote,
      next: to ? fill(text.then, { title: to.title }) : text.end,
    });
  }
  /** Follow a key, except where something on the page uses it itself. */
  function keydown(event) {
    const hasCommand = event.ctrlKey || event.metaKey;
    if (hasCommand && event.key === "p") {
      if (lesson || tour || book || open === null) return;
      event.preventDefault();
      return printAll((all) => view.send({ all }));
    }
    if (event.altKey || hasCommand || isUsed(event, OWN_KEYS)) return;
    if (event.key === "p" || (event.key === "Escape" && presenting())) return present();
    if (presenting() && light(event.key)) return;
    if (presenting() && event.key === "n") return openNotes(text, go);
    const clicker = presenting() ? { PageDown: 1, PageUp: -1 } : {};
    const keys = { ArrowRight: 1, ArrowLeft: -1, " ": event.shiftKey ? -1 : 1, ...clicker };
    const by = keys[event.key];
    if (!by) return;
    event.preventDefault();
    go(by);
  }
  function index() {
    return steps.findIndex((step) => step.slug === open);
  }
  function go(by) {
    const at = index();
    const to = at < 0 ? undefined : steps[at + by];
    const page = by > 0 ? after : before;
    if (to) lead(to.slug);
    else if (page) view.send({ page: page.slug, end: by > 0 ? "first" : "last" });
  }
  /** Go to a screen and mark it at once, so that a second press continues from there. */
  function lead(slug) {
    mark(slug);
    view.send({ screen: slug });
  }
  function dot(step, i) {
    const { title, slug } = step;
    const named = { title, "aria-label": `${i + 1}. ${title}` };
    return makeButton("step", [make("i")], () => lead(slug), named);
  }
  function side(words, title, act) {
    return makeButton("all", words, act, { title, "aria-label": title });
  }
  function label(button, to) {
    button.disabled = !to;
    button.setAttribute("aria-label", to ? `${button.textContent} ${to.title}` : "");
  }
}

/** Follow swipes, except where something on the page uses them itself. */
function swipe(root, go) {
  /** @type {{ x: number, y: number, at: number } | null} */
  let start = null;
  const touchstart = (event) => {
    const [touch] = event.touches;
    const one = event.touches.length === 1 && !isUsed(event, OWN_KEYS) && !scrolls(event);
    start = one ? { x: touch.clientX, y: touch.clientY, at: event.timeStamp } : null;
  };
  const touchend = (event) => {
    const [touch] = event.changedTouches;
    if (!start || event.timeStamp - start.at > SWIPE.quick) return;
    const [x, y] = [touch.clientX - start.x, touch.clientY - start.y];
    if (Math.abs(x) < SWIPE.far || Math.abs(y) > SWIPE.low) return;
    // A field sends its text only when it is left.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    go(x < 0 ? 1 : -1);
  };
  listen(root, { touchstart, touchend }, true);
}

/** @param {Event} event @param {string} selector */
function isUsed(event, selector) {
  return event.composedPath().some((node) => node instanceof Element && node.matches(selector));
}

/** Return whether the target scrolls, by more than a pixel. @param {Event} event */
function scrolls(event) {
  return event
    .composedPath()
    .some(
      (node) =>
        node instanceof Element &&
        node.scrollWidth > node.clientWidth + 1 &&
        ["auto", "scroll"].includes(getComputedStyle(node).overflowX),
    );
}

/**
 * Print all screens of a page once they are drawn, then go back to the one that is open.
 * @param {(all: boolean) => void} draw draws all screens, or the open one
 */
function printAll(draw) {
  draw(true);
  const begun = performance.now();
  let wait = window.setTimeout(print, STILL);
  const changes = new MutationObserver(() => {
    clearTimeout(wait);
    wait = window.setTimeout(print, performance.now() - begun > LONGEST ? 0 : STILL);
  });
  changes.observe(document.body, { childList: true, subtree: true });

  function print() {
    changes.disconnect();
    window.print(); // returns when the dialog is closed
    draw(false);
  }
}
