// The opened number: the path to it, its value, and the numbers that it was computed from.
import { make, makeButton } from "../shared/dom.js";
import { follow, isSame, leavePanel, light } from "../shared/panel.js";

export function build(view, { name, number, note, trail, sources, end, text }) {
  const { root } = view;
  const shown = new Map(); // the cells by their buttons
  const ways = sources.map((source) => make("li", "", [button("source", source, source.cell)]));
  const list = ways.length ? [make("h3", "", text.sources), make("ul", "", ways)] : [];
  const value = [make("span", "value", number), " ", make("span", "quiet", note)];
  const what = make("div", "asked", [make("div", "", name), ...value], { "data-testid": "asked" });
  root.append(top(), what, ...list);
  if (end) root.append(make("p", "quiet", end));
  // The focus of a keyboard user stays on the sources.
  const next = root.querySelector(".source") ?? root.querySelector("button");
  if (next) next.tabIndex = 0;
  light(root, null);
  follow(root, (cell) => {
    for (const [element, its] of shown) element.classList.toggle("lit", isSame(cell, its));
  });

  function top() {
    const row = make("ol", "", trail.map(crumb));
    const nav = make("nav", "scroll", [row], { "aria-label": text.trail });
    nav.classList.toggle("first", trail.length < 2); // the number's name already says it
    requestAnimationFrame(() => (nav.scrollLeft = nav.scrollWidth));
    const close = makeButton("close", `× ${text.close}`, () => {
      leavePanel();
      view.send(0);
    });
    return make("div", "", [make("div", "top", [make("h2", "", text.title), close]), nav]);
  }
  function crumb(one, i) {
    const here = make("span", "", one.label, { "aria-current": "location", title: one.title });
    return make("li", "", [i + 1 < trail.length ? button("crumb", one, one.stay) : here]);
  }
  function button(look, { label, title, cell }, sent) {
    const element = makeButton(look, label, () => view.send(sent), title ? { title } : {});
    shown.set(element, cell);
    for (const event of ["pointerenter", "focus"])
      element.addEventListener(event, () => light(root, cell));
    for (const event of ["pointerleave", "blur"])
      element.addEventListener(event, () => light(root, null));
    return element;
  }
}
