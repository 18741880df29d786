// Two drawings of the Transformer: a flat strip ("you are here"), and the model, layer by layer.
import { download, joinRow, make, makeButton, makeSvg, rove, say } from "../shared/dom.js";
import { drawModel } from "./model.js";
import { colourOf, makePen } from "./pen.js";
import { drawStrip } from "./strip.js";

export function build(view, fixed) {
  const { root } = view;
  const chapters = new Map(fixed.parts.map((part) => [part.slug, part]));
  const map = make("div", "map", [], { role: "toolbar", "aria-label": fixed.text.name });
  const readout = make("p", "readout name");
  let here; // undefined until a page is marked, so that nothing is drawn twice
  let buttons = [];
  root.append(map, fixed.model ? saver() : readout);
  view.watchWidth(draw);
  return (chosen) => {
    here = chosen;
    draw(view.room);
  };

  function draw(width) {
    if (!width || here === undefined) return;
    buttons = [];
    const pen = makePen(root, view.palette, chapters, here, button);
    if (fixed.model) drawModel(pen, fixed.model, fixed.text, Math.min(width, 760));
    else drawStrip(pen, fixed.text, width);
    map.replaceChildren(pen.svg);
    joinRow(buttons, ["ArrowRight", "ArrowUp"], ["ArrowLeft", "ArrowDown"], (at) => ({
      look: () => readOut(buttons[at].slug),
      choose: () => view.send(buttons[at].slug),
    }));
    rove(buttons, buttons.find((one) => one.slug === here) ?? buttons[0]);
    readout.hidden = width >= 700;
    readOut(here);
  }
  function button(element, slug) {
    buttons.push(Object.assign(element, { slug }));
    element.addEventListener("blur", () => readOut(here));
    element.addEventListener("pointerleave", () => readOut(here));
  }
  function readOut(slug) {
    const part = chapters.get(slug);
    say(readout, part ? `${part.number} · ${part.name}` : "");
  }
  function saver() {
    return makeButton("save", fixed.text.save, () => {
      const picture = /** @type {SVGElement} */ (map.querySelector("svg")?.cloneNode(true));
      const ground = { width: "100%", height: "100%", fill: colourOf(root, "background") };
      const [x, y] = picture.getAttribute("viewBox")?.split(" ") ?? [];
      picture.prepend(makeSvg("rect", { x, y, ...ground }));
      const text = new XMLSerializer().serializeToString(picture);
      download(new Blob([text], { type: "image/svg+xml" }), "transformer.svg");
    });
  }
}
