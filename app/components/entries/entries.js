// Entries in groups, with a search field and a link to each group.
import { make, makeButton } from "../shared/dom.js";
import { simple } from "../shared/text.js";

export function build(view, { groups, text }) {
  const search = make("input", "", [], {
    type: "search",
    placeholder: text.search,
    "aria-label": text.search,
    autocomplete: "off",
  });
  const ways = make("nav", "ways", [], { "aria-label": text.search });
  const none = make("p", "none", text.none, { role: "status" });
  const parts = groups.map(part);
  search.addEventListener("input", sift);
  view.root.append(make("div", "tools", [search, ways]), none, ...parts.map(({ box }) => box));
  sift();

  function part({ title, entries }) {
    const heading = make("h2", "", title);
    const rows = entries.map((entry) => ({ row: rowOf(entry), words: wordsOf(entry) }));
    const list = make(
      "ul",
      "list",
      rows.map(({ row }) => row),
    );
    const way = makeButton("way", title, () => heading.scrollIntoView());
    ways.append(way);
    return { box: make("section", "", [heading, list], { "aria-label": title }), rows, way };
  }
  function rowOf({ title, note, text: what, url, seen }) {
    const head = make("div", "", [make("div", "title", url ? [linkTo(url, title)] : title)]);
    if (note) head.append(make("p", "note", note));
    return make("li", "entry", [
      head,
      make("p", "what", what),
      make("div", "doors", seen.map(door)),
    ]);
  }
  function door({ page, screen, title }) {
    return makeButton("door", `${title}\u00a0→`, () => view.send({ page, screen }));
  }
  function sift() {
    const wanted = simple(search.value.trim());
    for (const { box, rows, way } of parts) {
      for (const { row, words } of rows) row.hidden = !words.includes(wanted);
      box.hidden = rows.every(({ row }) => row.hidden);
      way.disabled = box.hidden;
    }
    none.hidden = parts.some(({ box }) => !box.hidden);
  }
}

/** Return the words by which an entry is found. */
function wordsOf({ title, note, text }) {
  return simple([title, note, text].join(" "));
}

function linkTo(url, title) {
  return make("a", "", title, { href: url, target: "_blank", rel: "noopener noreferrer" });
}
