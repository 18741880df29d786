// The last screen of the visitor, and how much of each page they have seen.
import { joinRow, make, makeButton, rove } from "../shared/dom.js";
import { recall } from "../shared/memory.js";
import { fill } from "../shared/text.js";

export function build(view, { pages, text }) {
  const { seen, last } = recall();
  const here = pages.find((page) => page.slug === last?.page);
  if (here) view.root.append(goOn(here));
  if (Object.keys(seen).length > 0) {
    const buttons = pages.filter((page) => page.slug in seen).map(draw);
    joinRow(buttons, ["ArrowRight"], ["ArrowLeft"]);
    rove(buttons, buttons[0]);
    view.root.append(make("div", "list", buttons, { role: "toolbar", "aria-label": text.name }));
  }

  function goOn(page) {
    const go = () => view.send({ page: page.slug, screen: last?.screen });
    return makeButton("last", fill(text.last, { title: page.title }), go);
  }
  function draw(page) {
    const { screens = [], count = 0 } = seen[page.slug] ?? {};
    const bar = make("i");
    bar.style.width = `${(100 * screens.length) / Math.max(count, 1)}%`;
    const told = fill(text.seen, { n: screens.length, all: count });
    const go = () => view.send({ page: page.slug, screen: "" });
    return makeButton("page", [page.title, bar], go, {
      title: count ? told : "",
      "aria-label": count ? `${page.title}, ${told}` : page.title,
    });
  }
}
