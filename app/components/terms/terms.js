// The terms of the glossary: marked where each first appears on the page, explained on a card.

import { clamp } from "../shared/colour.js";
import { complete } from "../shared/complete.js";
import { make, makeButton } from "../shared/dom.js";
import { fill } from "../shared/text.js";

const MARKED = "term"; // the name of the highlight in the page's style sheet
const TEXTS = "p, li";
const NO_TEXTS =
  "h1, h2, h3, h4, h5, h6, a, button, label, summary, code, pre, table, svg, .katex, " +
  "[data-testid=stDialog], [data-testid=stProgress]";
const PAUSE = 250; // milliseconds between two scans of a changing page
const EDGE = 8; // pixels

export function build(view, { terms, text }) {
  const main = /** @type {HTMLElement} */ (document.querySelector(".stMain"));
  /** @type {ReturnType<typeof reader>} */
  let find;
  const list = make("ul", "list");
  const line = make("section", "line", [make("span", "label", text.words), list], {
    "aria-label": text.words,
  });
  const card = makeCard(view, text);
  /** @type {Map<any, Range>} */
  let found = new Map(); // the first range of each term, in the order of the page
  let buttons = ""; // the terms that have a button
  line.hidden = true; // until a term is found
  view.root.append(line, card.element);
  return watch;

  /**
   * Scan the page now and whenever it changes; a pending scan covers all changes until then.
   * @param {string} here the name of the page, on which some terms mean something else
   */
  function watch(here) {
    view.watcher?.disconnect();
    find = reader(terms.filter(({ pages }) => !pages.length || pages.includes(here)));
    const page = new AbortController();
    let wait = 0;
    const changes = new MutationObserver(() => {
      wait ||= window.setTimeout(() => {
        wait = 0;
        complete();
        mark();
      }, PAUSE);
    });
    changes.observe(main, { childList: true, subtree: true, characterData: true });
    const { signal } = page;
    document.addEventListener("click", openAt, { signal });
    document.addEventListener("pointermove", point, { signal, passive: true });
    document.addEventListener("scroll", card.follow, { signal, passive: true, capture: true });
    view.watcher = {
      disconnect() {
        changes.disconnect();
        clearTimeout(wait);
        page.abort();
        CSS.highlights?.delete(MARKED);
        point();
      },
    };
    complete();
    mark();
  }
  function mark() {
    found = new Map();
    for (const node of textsOf(main)) {
      for (const { term, start, end } of find(node.data)) {
        if (!term || found.has(term) || !node.parentElement?.checkVisibility()) continue;
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, end);
        found.set(term, range);
      }
    }
    CSS.highlights?.set(MARKED, new Highlight(...found.values()));
    drawList([...found.keys()]);
  }
  function drawList(shown) {
    const names = shown.map(({ name }) => name).join();
    if (names === buttons) return;
    buttons = names;
    line.hidden = shown.length === 0;
    const words = shown.map((term) => {
      const open = () => card.open(term, word);
      const word = makeButton("word", term.name, open, { "aria-haspopup": "dialog" });
      return make("li", "", [word]);
    });
    list.replaceChildren(...words);
  }
  /** @param {MouseEvent} event */
  function openAt(event) {
    const at = termAt(event);
    if (at && getSelection()?.isCollapsed !== false) card.open(...at);
  }
  /** @param {PointerEvent} [event] */
  function point(event) {
    const cursor = event && termAt(event) ? "pointer" : "";
    const { style } = document.documentElement;
    if (style.cursor !== cursor) style.cursor = cursor;
  }
  /** @param {MouseEvent} event @returns {[any, Range] | undefined} */
  function termAt({ target, clientX: x, clientY: y }) {
    if (!(target instanceof Element && main.contains(target) && target.closest(TEXTS))) return;
    return [...found].find(([, range]) =>
      [...range.getClientRects()].some(
        ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom,
      ),
    );
  }
}

/** Yield the running text of a page, node by node. */
function* textsOf(main) {
  const walker = document.createTreeWalker(
    main,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => {
      if (!(node instanceof Element)) {
        return node.parentElement?.closest(TEXTS)
          ? NodeFilter.FILTER_ACCEPT
          : NodeFilter.FILTER_SKIP;
      }
      return node.matches(NO_TEXTS) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    },
  );
  while (walker.nextNode()) yield/** @type {Text} */ (walker.currentNode);
}

/**
 * Return a function that finds the forms of terms in a text: whole words only, the longest first. A
 * form after "!" has another meaning; where it is found, it belongs to no term.
 */
function reader(terms) {
  const owners = new Map();
  for (const term of terms) {
    for (const form of term.forms) {
      if (form.startsWith("!")) owners.set(plain(form.slice(1)), null);
      else owners.set(plain(form), term);
    }
  }
  const forms = [...owners.keys()].sort((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_-])(?:${forms.join("|")})(?![\\p{L}\\p{N}_-])`,
    "giu",
  );
  /** @param {string} words */
  return (words) =>
    [...words.matchAll(pattern)].map(({ 0: form, index }) => ({
      term: owners.get(plain(form)),
      start: index,
      end: index + form.length,
    }));
}

/** @param {string} form */
function plain(form) {
  return form.toLowerCase().replace(/\s+/g, " ").replace(/’/g, "'");
}

/** @param {string} form */
function patternOf(form) {
  const escaped = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return escaped.replace(/ /g, "\\s+").replace(/'/g, "['’]");
}

/** Make the card, which shows one term at a time beside the place where it was opened. */
function makeCard(view, text) {
  const name = make("p", "name");
  const other = make("p", "other");
  const meaning = make("p", "meaning");
  const door = makeButton("boxed door", "", () => {
    element.hidePopover();
    view.send({ page: shown.page, screen: shown.screen });
  });
  const hide = () => element.hidePopover();
  const close = makeButton("close", "×", hide, { "aria-label": text.close });
  const element = make("div", "card", [name, other, meaning, door, close], {
    role: "dialog",
    popover: "auto",
    tabindex: -1,
  });
  /** @type {Range | HTMLElement | null} */
  let anchor = null;
  let shown;
  element.addEventListener("beforetoggle", ({ newState }) => {
    const word = element.matches(":focus-within") && anchor instanceof HTMLElement && anchor;
    if (newState === "closed" && word) word.focus({ preventScroll: true });
  });
  return { element, open, follow };

  /** @param {any} term @param {Range | HTMLElement} at */
  function open(term, at) {
    [shown, anchor] = [term, at];
    name.textContent = term.name;
    other.textContent = [
      term.english && fill(text.english, { name: term.english }),
      term.other && fill(text.also, { name: term.other }),
    ]
      .filter(Boolean)
      .join(" · ");
    meaning.textContent = term.meaning;
    door.textContent = `${fill(text.see, { page: term.title })}\u00a0→`;
    element.setAttribute("aria-label", term.name);
    element.showPopover();
    place(at.getBoundingClientRect());
    element.focus({ preventScroll: true });
  }
  /** Move the card along with its word; close it when the word leaves the window. */
  function follow({ target }) {
    if (!anchor || target === element || !element.matches(":popover-open")) return;
    const box = anchor.getBoundingClientRect();
    if (box.width > 0 && box.bottom > 0 && box.top < innerHeight) place(box);
    else element.hidePopover();
  }
  /** @param {DOMRect} box */
  function place({ left, top, bottom }) {
    const { offsetWidth: width, offsetHeight: height } = element;
    const below = bottom + EDGE + height <= innerHeight;
    element.style.left = `${clamp(left, EDGE, innerWidth - width - EDGE)}px`;
    element.style.top = `${Math.max(below ? bottom + EDGE : top - EDGE - height, EDGE)}px`;
    element.classList.toggle("high", top > innerHeight / 2);
  }
}
