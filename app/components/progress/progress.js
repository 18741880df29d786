// The last screen of the visitor, and how much of each page they have seen.
import { along, join, make, rove } from "../shared/dom.js";
import { recall } from "../shared/memory.js";
import { fill } from "../shared/text.js";

export function build(view, { pages, text }) {
  const { seen, last } = recall();
  const here = pages.find((page) => page.slug === last?.page);
  if (here) view.root.append(goOn(here));
  if (Object.keys(seen).length > 0) {
    const buttons = pages.filter((page) => page.slug in seen).map(draw);
    rove(buttons, buttons[0]);
    view.root.append(make("div", "list", buttons, { role: "toolbar", "aria-label": text.name }));
  }
  return () => {};

  function goOn(page) {
    const button = make("button", "last", fill(text.last, { title: page.title }));
    button.addEventListener("click", () => view.send({ page: page.slug, screen: last?.screen }));
    return button;
  }
  function draw(page, i) {
    const { screens = [], count = 0 } = seen[page.slug] ?? {};
    const bar = make("i");
    bar.style.width = `${(100 * screens.length) / Math.max(count, 1)}%`;
    const told = fill(text.seen, { n: screens.length, all: count });
    const button = make("button", "page", [page.title, bar], {
      title: count ? told : "",
      "aria-label": count ? `${page.title}, ${told}` : page.title,
    });
    button.addEventListener("click", () => view.send({ page: page.slug, screen: "" }));
    const buttons = () => [...(button.parentElement?.children ?? [])];
    join(button, /** @type {any} */ (buttons), {
      moves: () => along(/** @type {any} */ (buttons()), i, ["ArrowRight"], ["ArrowLeft"]),
    });
    return button;
  }
}
