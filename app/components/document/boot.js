// A self-contained document: what a page showed, with its numbers, without a server.
import { make } from "../shared/dom.js";
import { mount } from "../shared/mount.js";
import { decode, together } from "../shared/text.js";

const VIEWS = ["matrix", "wall", "lines"];
const MARKED = [...VIEWS, "chips", "beam_tree"];
const STEPS = 65535; // of the root of a weight in two bytes, from 0 to 1

/** Draw what the document holds: fixed figures, or attention to choose from. */
export async function boot() {
  const content = JSON.parse(byId("content").textContent ?? "");
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  if (content.attentions) await browse(content, scheme);
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
async function browse({ attentions, chosen, palette, language }, scheme) {
  for (const one of Object.values(attentions)) one.weights = await unpack(one);
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
    const { wall } = attentions[kind.value];
    fill(layer, wall.layers, chosenLayer);
    fill(head, wall.heads.length, chosenHead);
  }
  function draw() {
    for (const name of VIEWS) byId(name).hidden = name !== view.value;
    const { weights, masks, wall, matrix, lines } = attentions[kind.value];
    const [i, j] = [Number(layer.value), Number(head.value)];
    const size = wall.queries.length * wall.keys.length;
    const from = (i * wall.heads.length + j) * size;
    const one = named(weights.subarray(from, from + size), `${kind.value} ${from}`);
    const pictures = () => named(new Uint8ClampedArray(weights.map((w) => w * 255)), kind.value);
    const drawn = {
      matrix: () => ({ fixed: { ...matrix, values: one, mask: masks[i] }, chosen: pin }),
      wall: () => ({ fixed: { ...wall, pictures: pictures() }, chosen: { layer: i, head: j } }),
      lines: () => ({ fixed: { ...lines, weights: one }, chosen: pin?.key === null ? pin : null }),
    }[view.value]();
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
 * Return the weights of all layers and heads, as numbers of single precision or in steps.
 * @param {{ weights: string, exact: boolean }} packed
 */
async function unpack({ weights, exact }) {
  const deflated = new Blob([decode(weights, Uint8Array)]).stream();
  const plain = new Response(deflated.pipeThrough(new DecompressionStream("deflate")));
  const bytes = together(new Uint8Array(await plain.arrayBuffer()), exact ? 4 : 2);
  if (exact) return new Float32Array(bytes);
  return new Float32Array(new Uint16Array(bytes)).map((step) => (step / STEPS) ** 2);
}

/** Let a name stand for numbers where it is asked whether other ones are drawn. */
function named(numbers, name) {
  return Object.assign(numbers, { toJSON: () => name });
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
  select.parentElement.hidden = count < 2;
  select.value = String(chosen);
}

function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
