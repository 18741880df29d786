// The search: a button that shows its shortcut, and a window with results for arrows and Enter.
import { listen, make, makeButton } from "../shared/dom.js";
import { simple } from "../shared/text.js";

const MOST = 12; // results at a time

export function build(view, { finds, text }) {
  const entries = finds.map(([what, title, note, page, screen, head]) => ({
    what,
    title,
    note,
    goal: { page, screen, head },
    name: simple(title),
    words: simple(`${title} ${note}`),
  }));
  const button = makeButton("boxed open", [make("span", "glass", "⌕"), text.search], show, {
    "aria-haspopup": "dialog",
    "aria-keyshortcuts": "Control+K",
    title: `${text.what} (Ctrl K)`,
  });
  button.append(make("kbd", "", "Ctrl K"));
  const field = make("input", "field", [], {
    type: "search",
    placeholder: text.what,
    "aria-label": text.what,
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": "found",
    autocomplete: "off",
  });
  const list = make("ul", "list", [], { id: "found", role: "listbox", "aria-label": text.what });
  const none = make("p", "none", text.none, { role: "status" });
  const close = makeButton("close", "×", () => box.close(), { "aria-label": text.close });
  const box = make("dialog", "box", [field, close, list, none], { "aria-label": text.what });
  let found = [];
  let at = 0;

  box.addEventListener("click", (event) => event.target === box && box.close());
  field.addEventListener("input", sift);
  field.addEventListener("keydown", steer);
  view.root.append(button, box);
  listen(view.root, { keydown: open });

  function open(event) {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "k") return;
    event.preventDefault();
    show();
  }
  function show() {
    if (box.open) return;
    field.value = "";
    sift();
    box.showModal();
    field.focus();
  }
  function sift() {
    const words = simple(field.value).split(" ").filter(Boolean);
    found = entries
      .filter((entry) => words.every((word) => entry.words.includes(word)))
      .map((entry) => ({ entry, rank: rankOf(entry, words) }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, MOST)
      .map(({ entry }) => entry);
    at = 0;
    list.replaceChildren(...found.map(rowOf));
    none.hidden = found.length > 0;
    mark();
  }
  function rowOf(entry, i) {
    const row = make(
      "li",
      "row",
      [
        make("span", "what", text[entry.what]),
        make("span", "title", entry.title),
        make("span", "note", entry.note),
      ],
      { role: "option", id: `found-${i}` },
    );
    row.addEventListener("click", () => go(entry));
    row.addEventListener("pointermove", () => {
      at = i;
      mark();
    });
    return row;
  }
  function mark() {
    [...list.children].forEach((row, i) => {
      row.setAttribute("aria-selected", String(i === at));
      if (i === at) row.scrollIntoView({ block: "nearest" });
    });
    if (found.length) field.setAttribute("aria-activedescendant", `found-${at}`);
    else field.removeAttribute("aria-activedescendant");
  }
  /** @param {KeyboardEvent} event */
  function steer(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      at = (at + by + found.length) % Math.max(found.length, 1);
      mark();
    } else if (event.key === "Enter" && found[at]) go(found[at]);
    else return;
    event.preventDefault();
  }
  function go(entry) {
    box.close();
    view.send(entry.goal);
  }
}

/** Rank a result: first by how well its name matches, then pages, screens, terms, heads. */
function rankOf({ what, name }, words) {
  const kind = ["page", "screen", "term", "head"].indexOf(what);
  const first = words[0] ?? "";
  if (name.startsWith(first)) return kind;
  return words.every((word) => name.includes(word)) ? 10 + kind : 20 + kind;
}
