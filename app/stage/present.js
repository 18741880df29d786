// Around the stage in the tour: nothing but its picture, unless the menu is asked for; in front of a
// class, the same picture in full screen, with the teacher's notes in a second window.
import { listen, make, makeButton } from "../components/shared/dom.js";
import { light, present, presenting } from "../components/shared/lens.js";
import { fill } from "../components/shared/text.js";
import { openNotes, showNotes } from "../components/steps/notes.js";

const POPUP_MS = 1000;
const MENU = "with-menu"; // of the document: app/style.css shows what is around the stage

/**
 * Return the buttons above the picture, and what their keys do.
 * @param {{ root: HTMLElement, text: any, words: any[], share: any, next: (by: number) => void }} stage
 */
export function barOf({ root, text, words, share, next }) {
  const page = document.documentElement;
  const save = makeButton("step save", text.save, () =>
    share.panel.hidden ? share.open() : share.close(),
  );
  const show = makeButton("step show", text.present, begin, { title: text.present_keys });
  const menu = makeButton("step menu", text.menu, () => focus(!isFocused()), {
    title: text.menu_keys,
  });
  root.prepend(make("div", "top", [save, show, menu, share.panel]));
  focus(isFocused());
  enlarge(presenting());
  let opened = Number.NEGATIVE_INFINITY; // when the second window came, which ends a full screen
  const fullscreenchange = () => {
    const left = !document.fullscreenElement && performance.now() - opened > POPUP_MS;
    if (left) enlarge(false);
  };
  listen(root, { fullscreenchange });
  return { press, leave, tell };

  function isFocused() {
    return !page.classList.contains(MENU);
  }
  function focus(on) {
    page.classList.toggle(MENU, !on);
    root.classList.toggle("full", on);
    menu.setAttribute("aria-pressed", String(!on));
  }
  function enlarge(on) {
    if (on !== presenting()) present(on);
    root.classList.toggle("presented", on);
  }
  /** Full screen, where the browser lets it, and else in all of its window. */
  function begin() {
    focus(true);
    share.close();
    enlarge(true);
    page.requestFullscreen?.().catch(() => {});
  }
  function leave() {
    if (!share.panel.hidden) share.close();
    else if (presenting()) {
      enlarge(false);
      if (document.fullscreenElement) document.exitFullscreen();
    } else focus(!isFocused());
  }
  /** Follow a presenter's key; return whether it was one. @param {string} key */
  function press(key) {
    if (key === "p") presenting() ? leave() : begin();
    else if (key === "n") {
      opened = performance.now();
      openNotes({ notes: text.notes }, next);
    } else return presenting() && light(key);
    return true;
  }
  /** Tell the second window which stop is shown. @param {number} at @param {string[]} titles */
  function tell(at, titles) {
    const then = titles[at + 1];
    showNotes({
      place: fill(text.place, { n: at + 1, all: titles.length }),
      title: titles[at],
      note: words[at].note,
      next: then ? fill(text.then, { title: then }) : "",
    });
  }
}
