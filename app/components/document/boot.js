// A self-contained document: what a page showed, with its numbers, without a server.
import { make } from "../shared/dom.js";
import { mount } from "../shared/mount.js";

const VIEWS = ["matrix", "wall", "lines"];
const MARKED = [...VIEWS, "chips", "beam_tree"];

/** Draw what the document holds: fixed figures, or attention to choose from. */
export function boot() {
  const content = JSON.parse(byId("content").textContent ?? "");
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  if (content.attentions) browse(content, scheme);
  else stand(content, scheme);
}

/** Draw figures one below the other; a choice within a figure stays marked in it. */
function stand({ figures, palette, language }, scheme) {
  const places = [...document.querySelectorAll(".figure")];
  for (const [i, { kind, fixed, chosen }] of figures.entries()) {
    const show = (/** @type {any} */ marked) => {
      component.data = /** @type {any} */ ({ fixed, chosen: marked, palette, language });
      mount(component, kind);
    };
    const component = figure(places[i], (value) => MARKED.includes(kind) && show(asPin(value)));
    show(chosen);
    scheme.addEventListener("change", () => show(component.data.chosen));
  }
}

/** Draw what is chosen in the form, now and whenever it changes. */
function browse({ attentions, chosen, palette, language }, scheme) {
  const [view, kind, layer, head] = ["view", "kind", "layer", "head"].map(
    (name) => /** @type {HTMLSelectElement} */ (byId(name)),
  );
  const figures = Object.fromEntries(VIEWS.map((name) => [name, figure(byId(name), take)]));
  /** @type {import("../shared/types").Pin | null} */
  let pin = null;

  view.value = chosen.view;
  kind.value = chosen.kind;
  offer(chosen.layer, chosen.head);
  kind.addEventListener("change", () => {
    pin = null;
    offer(0, 0);
  });
  byId("choices").addEventListener("change", draw);
  scheme.addEventListener("change", draw);
  draw();

  /** Offer the layers and heads of the chosen kind. */
  function offer(chosenLayer, chosenHead) {
    const { heads } = attentions[kind.value];
    fill(layer, heads.length, chosenLayer);
    fill(head, heads[0].length, chosenHead);
  }
  function draw() {
    for (const name of VIEWS) byId(name).hidden = name !== view.value;
    const { heads, masks, wall, matrix, lines } = attentions[kind.value];
    const [i, j] = [Number(layer.value), Number(head.value)];
    const one = heads[i][j];
    const drawn = {
      matrix: { fixed: { ...matrix, values: one, mask: masks[i] }, chosen: pin },
      wall: { fixed: wall, chosen: { layer: i, head: j } },
      lines: { fixed: { ...lines, weights: one }, chosen: pin?.key === null ? pin : null },
    }[view.value];
    figures[view.value].data = { ...drawn, palette, language };
    mount(figures[view.value], view.value);
  }
  function take(value) {
    if ("layer" in value) {
      layer.value = String(value.layer);
      head.value = String(value.head);
    } else pin = asPin(value);
  }
}

/**
 * Return a place for a component; `take` is called with what is chosen in it.
 * @param {Element} place @param {(value: any) => void} take
 * @returns {import("../shared/types").Component}
 */
function figure(place, take) {
  const parentElement = place.attachShadow({ mode: "open" });
  parentElement.append(make("div", "root"));
  return {
    parentElement,
    data: /** @type {any} */ (null),
    setTriggerValue: (_, value) => take(value),
  };
}

/** Return a pin, or null if neither side is pinned. */
function asPin(value) {
  return value.query === null && value.key === null ? null : value;
}

function fill(select, count, chosen) {
  const options = Array.from({ length: count }, (_, i) =>
    make("option", "", String(i + 1), { value: i }),
  );
  select.replaceChildren(...options);
  select.value = String(chosen);
}

function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
