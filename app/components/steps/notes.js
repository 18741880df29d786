// The speaker's notes in a separate window, for the screen that the class does not see.
import { make } from "../shared/dom.js";

const LOOK = `
  body { margin: 1.5rem; font: 1.5rem/1.5 system-ui, sans-serif; color-scheme: light dark; }
  h1 { font-size: 1.6rem; margin: 0.5rem 0; }
  .note { white-space: pre-line; }
  .quiet { opacity: 0.75; font-size: 1.1rem; font-variant-numeric: tabular-nums; }
`;
const KEYS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1 };
/** @type {Window | null} */
let opened = null;
/** @type {(by: number) => void} */
let lead = () => {};
let shown = { place: "", title: "", note: "", next: "" };

/**
 * Open the window, or bring it to the front; its keys also change the screen.
 * @param {{ notes: string }} text @param {(by: number) => void} go
 */
export function openNotes(text, go) {
  lead = go;
  opened = window.open("", "illuminated-notes", "popup,width=640,height=720");
  if (!opened) return;
  const { document } = opened;
  document.title = text.notes;
  document.documentElement.lang = window.document.documentElement.lang;
  document.head.replaceChildren(make("style", "", LOOK));
  if (!document.body.dataset.since) {
    document.body.dataset.since = String(Date.now());
    document.addEventListener("keydown", (event) => {
      const by = KEYS[event.key];
      if (by) lead(by);
    });
    opened.setInterval(tick, 1000);
  }
  document.title = text.notes;
  draw();
  opened.focus();
}

/** @param {typeof shown} notes */
export function showNotes(notes) {
  shown = notes;
  draw();
}

function draw() {
  if (!opened || opened.closed) return;
  const parts = [
    make("p", "quiet clock"),
    make("h1", "", shown.title),
    make("p", "note", shown.note),
    make("p", "quiet", shown.next),
  ];
  opened.document.body.replaceChildren(...parts);
  tick();
}

/** Show how long the window has been open, which is the time of the talk. */
function tick() {
  if (!opened || opened.closed) return;
  const { body } = opened.document;
  const clock = body.querySelector(".clock");
  const seconds = Math.floor((Date.now() - Number(body.dataset.since)) / 1000);
  const minutes = String(Math.floor(seconds / 60)).padStart(2, "0");
  const time = `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  if (clock) clock.textContent = `${shown.place} · ${time}`;
}
