// The model, layer by layer, with its own sizes.
import { fill } from "../shared/text.js";

const MOST_LAYERS = 7; // more than these are drawn as one

/**
 * Draw the model as in the paper: encoder left, decoder right, each from the bottom up: the outline
 * with all layers closed, or one open layer of each alone.
 */
export function drawModel(pen, model, text, width) {
  const open = model.view === "layers";
  const wide = width >= 520;
  const gap = wide ? 84 : 24;
  const loop = wide ? 30 : 12;
  const margin = wide ? 34 : 17; // room for the residual stream around a sub-layer
  const inner = wide ? 13 : 9;
  const column = (width - gap - loop - 2) / 2;
  const size = wide ? 12.5 : 11;
  const sides = {
    encoder: makeColumn(1, margin, -1),
    decoder: makeColumn(1 + column + gap, inner, 1),
  };
  const taps = []; // where the memory enters a decoder layer
  const { encoder, decoder } = sides;

  const source = open ? 0 : enter(encoder, model.source, "source", "input");
  stack(encoder, "encoder");
  const memory = memoryBox();
  const target = open ? 0 : enter(decoder, model.read, "target", "output");
  stack(decoder, "decoder");
  trunk();
  if (open) flow(decoder, 8);
  else goBack(leave());
  const low = Math.max(source, target);
  const high = Math.min(decoder.y, encoder.y) - 4;
  pen.size(0, high, width, low - high + 6);

  /** Draw the way back: the written word is read again. */
  function goBack(word) {
    const way = [width - 3, word.y, width - 3, target - 4, decoder.cx + 34, target - 4];
    pen.arrow([word.x, word.y, ...way], "output");
  }
  /** Return a column whose boxes lie between left and right, with the bypass on the outer side. */
  function makeColumn(x, inset, side) {
    const left = x + inset;
    const right = x + column - (side < 0 ? inner : margin);
    const outer = side < 0 ? x : x + column;
    return { x, left, right, w: right - left, cx: (left + right) / 2, side, outer, y: 0 };
  }
  function flow(of, length, role = "residual") {
    pen.arrow([of.cx, of.y, of.cx, of.y - length], role);
    of.y -= length;
  }
  function box(of, slug, h, options) {
    of.y -= h;
    pen.part(slug, of.left, of.y, of.w, h, { size, ...options });
  }
  function plus(of) {
    const r = 8;
    of.y -= 2 * r;
    const at = of.y + r;
    const ring = { fill: pen.ground, stroke: pen.colour("residual"), "stroke-width": 1.6 };
    pen.add("circle", { cx: of.cx, cy: at, r, ...ring });
    pen.line([of.cx - 4.5, at, of.cx + 4.5, at], pen.ink);
    pen.line([of.cx, at - 4.5, of.cx, at + 4.5], pen.ink);
    return at;
  }
  /** Draw the words, their embeddings and their positions; return the place of the lowest line. */
  function enter(of, words, side, role) {
    const step = size + 2;
    const bottom = (sentence(of, words, 0, role, 1).count - 1) * step;
    const look = { size: size - 1, fill: pen.colour("residual") };
    pen.text(model.tokens[side], of.cx, bottom + step, look);
    of.y = -size - 2;
    if (side === "target") {
      flow(of, 10, role);
      box(of, "decoding", 28, {});
    }
    flow(of, 12, role);
    box(of, "vectors", 40, { detail: model.sizes[side] });
    flow(of, 15, "input");
    const at = plus(of);
    const edge = of.cx + of.side * 26;
    const near = Math.min(edge, of.outer);
    pen.arrow([edge, at, of.cx + of.side * 9, at], "input");
    pen.part("positions", near, at - 14, Math.abs(of.outer - edge), 28, { size });
    return bottom + step;
  }
  /** Draw a sentence on up to four lines from y down or up; a longer one ends in "…". */
  function sentence(of, words, y, role, downwards) {
    const lines = pen.wrap(words, column - 30, size, 600);
    const shown = lines.length > 4 ? [...lines.slice(0, 3), "…"] : lines;
    const first = downwards > 0 ? y : y - (shown.length - 1) * (size + 2);
    const look = { size, fill: pen.colour(role), weight: 600 };
    shown.forEach((line, i) => pen.text(line, of.cx, first + i * (size + 2), look));
    return { count: shown.length, half: pen.measure(shown[0], size, 600) / 2 };
  }
  function stack(of, name) {
    const count = model.layers[name];
    const grey = pen.colour("residual");
    const bottom = of.y - 12;
    flow(of, 6);
    if (open) layer(of, name);
    const numbers =
      count > MOST_LAYERS ? [`1 – ${count}`] : [...Array(count).keys()].map((i) => i + 1);
    for (const number of open ? [] : numbers) {
      flow(of, 12);
      of.y -= 26;
      const shut = { fill: grey, "fill-opacity": 0.07, stroke: grey };
      pen.rect(of.left, of.y, of.w, 26, shut);
      pen.text(fill(text.layer, { n: number }), of.cx, of.y + 17, { size });
      if (name === "decoder") taps.push(of.y + 13);
    }
    if (model.pre) {
      flow(of, 12);
      box(of, "add_norm", 24, { name: text.norm });
    }
    of.y -= 8;
    pen.line([of.cx, of.y + 8, of.cx, of.y]);
    pen.text(model.stacks[name], of.cx, of.y - 6, { size, weight: 700 });
    of.y -= 22;
    const frame = { stroke: grey, "stroke-width": 1.2, rx: 10, "stroke-dasharray": "2 3" };
    pen.rect(of.x, of.y, column, bottom - of.y, frame);
  }
  function layer(of, name) {
    const bottom = of.y;
    of.y -= 2;
    const attention = name === "encoder" ? "self_attention" : "masked_attention";
    sublayer(of, () => attend(of, attention, false));
    if (name === "decoder") sublayer(of, () => attend(of, "cross_attention", true));
    sublayer(of, () => {
      pen.arrow([of.cx, of.y, of.cx, of.y - 12]);
      of.y -= 12;
      box(of, "add_norm", 42, { name: text.ffn, detail: model.sizes.ffn });
    });
    of.y -= 22;
    pen.line([of.cx, of.y + 22, of.cx, of.y]);
    const frame = { stroke: pen.colour("residual"), "stroke-width": 1 };
    pen.rect(of.x + 4, of.y, column - 8, bottom - of.y, frame);
    const look = { size: size - 0.5, anchor: "start", weight: 700 };
    pen.text(fill(text.layer, { n: 1 }), of.x + 10, of.y + 14, look);
  }
  /** Draw a sub-layer, post: norm(x + f(x)), or pre: x + f(norm(x)), with its bypass outside. */
  function sublayer(of, body) {
    const split = of.y - 4;
    const lane = of.outer - of.side * (margin / 2 + (wide ? 2 : 1));
    const norm = () => box(of, "add_norm", 24, { name: text.norm });
    const start = model.pre ? 8 : 12;
    pen.line([of.cx, of.y, of.cx, of.y - start]);
    of.y -= start;
    if (model.pre) {
      flow(of, 8);
      norm();
    }
    body();
    flow(of, 9);
    const at = plus(of);
    pen.arrow([of.cx, split, lane, split, lane, at, of.cx + of.side * 9, at]);
    if (model.pre) return;
    flow(of, 9);
    norm();
  }
  /** Draw queries, keys and values; in cross-attention, keys and values come from the memory. */
  function attend(of, slug, cross) {
    const h = 15;
    const roles = cross ? ["query"] : ["query", "key", "value"];
    const spread = of.w / 4;
    if (!cross) pen.line([of.cx - spread, of.y - 2, of.cx + spread, of.y - 2]);
    for (const [i, role] of roles.entries()) {
      const x = of.cx + (cross ? 0 : i - 1) * spread;
      pen.arrow([x, of.y - 2, x, of.y - h], role);
      const look = { size: 11, anchor: "start", fill: pen.colour(role), weight: 700 };
      pen.text(role[0], x + 5, of.y - 4, look);
    }
    pen.line([of.cx, of.y, of.cx, of.y - 2]);
    of.y -= h;
    const tall = wide ? 30 : 40;
    if (cross) taps.push(of.y - tall / 2);
    box(of, slug, tall, {});
    flow(of, 8, "output");
    heads(of);
  }
  function heads(of) {
    const count = model.heads;
    const cells = count <= 16;
    const h = cells ? 34 : 24;
    of.y -= h;
    const look = { name: model.sizes.heads, size: size - 0.5 };
    const group = pen.part("heads", of.left, of.y, of.w, cells ? 24 : h, look);
    if (!cells) return;
    group.querySelector(".face").setAttribute("height", h);
    group.querySelector(".ring").setAttribute("height", h + 5);
    const w = (of.w - 12 - 2 * (count - 1)) / count;
    for (let i = 0; i < count; i++) {
      const look = { rx: 1.5, fill: pen.colour("output"), "fill-opacity": 0.55 };
      pen.rect(of.left + 6 + i * (w + 2), of.y + 23, w, 6, look, group);
    }
  }
  function memoryBox() {
    flow(encoder, 14);
    const look = { name: text.memory, detail: model.sizes.memory, role: "residual" };
    box(encoder, "cross_attention", 40, look);
    return encoder.y + 20;
  }
  /** Draw one line from the memory to every decoder layer; in the open one it becomes K and V. */
  function trunk() {
    const x = encoder.x + column + gap / 2;
    const ends = [memory, ...taps];
    pen.line([encoder.right, memory, x, memory]);
    pen.line([x, Math.min(...ends), x, Math.max(...ends)]);
    for (const y of taps) {
      if (!open) {
        pen.arrow([x, y, decoder.left, y]);
        continue;
      }
      for (const role of ["key", "value"]) {
        const dy = role === "key" ? -7 : 7;
        pen.arrow([x, y + dy, decoder.left, y + dy], role);
        const look = { size: 11, fill: pen.colour(role), weight: 700 };
        pen.text(role[0], x + (wide ? gap / 4 : 6), y + dy - 3, look);
      }
    }
  }
  /** Draw scores, probabilities and the word, with the training target beside them. */
  function leave() {
    const out = "output";
    const lift = Math.max(0, decoder.y - encoder.y - 48); // clears an encoder with more layers
    flow(decoder, 14 + lift);
    box(decoder, "output", 38, { name: text.linear, detail: model.sizes.linear });
    flow(decoder, 13, out);
    box(decoder, "output", 38, { name: text.softmax, detail: model.sizes.softmax });
    const level = decoder.y + 19;
    const dashed = { "stroke-dasharray": "3 3" };
    pen.arrow([decoder.left, level, encoder.right, level], "residual", dashed);
    const look = { detail: text.learning, size, dashed: true };
    pen.part("learning", encoder.left, level - 24, encoder.w, 48, look);
    flow(decoder, 13, out);
    const { count, half } = sentence(decoder, model.written, decoder.y - 5, out, -1);
    decoder.y -= 5 + count * (size + 2);
    return { x: decoder.cx + half + 6, y: decoder.y + size - 1 };
  }
}
