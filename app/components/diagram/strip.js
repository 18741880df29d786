// The flat strip above a page: "you are here".
const STACKS = ["whole", "input", "encoder", "decoder", "output", "training"];

/** Draw words going in on the left; the next word comes out on the right and goes in again. */
export function drawStrip(pen, text, width) {
  const chapters = [...pen.chapters.values()];
  const strip = STACKS.map((stack) => chapters.filter((chapter) => chapter.stack === stack));
  const wide = width >= 700;
  const gap = 4;
  const between = wide ? 20 : 12;
  const pad = 4;
  const count = strip.flat().length;
  const room = width - 4 - (strip.length - 1) * between - (count - strip.length) * gap;
  const w = room / count;
  const top = 16;
  const h = wide ? 39 : 28;
  const middle = top + h / 2;
  const bottom = top + h + 13; // of the frames
  const size = wide ? 11 : 12;
  const quiet = { size: wide ? 10.5 : 10, fill: pen.colour("residual"), anchor: "start" };
  const places = new Map();
  let x = 2;
  const groups = strip.map((stack) => {
    const start = x;
    for (const { slug } of stack) {
      places.set(slug, x);
      x += w + gap;
    }
    x += between - gap;
    return { start, end: x - between, frame: stack.length > 1 ? pad : 0 };
  });
  groups[1].frame = 0;
  for (const at of [2, 3]) {
    const { start, end } = groups[at];
    const side = { stroke: pen.colour("residual"), "stroke-width": 1 };
    pen.rect(start - pad, top - 4, end - start + 2 * pad, bottom - top + 4, side);
    pen.text(at === 2 ? text.encoder : text.decoder, start, bottom - 3.5, quiet);
  }
  for (let i = 1; i < strip.length - 1; i++) {
    const [from, to] = [groups[i], groups[i + 1]];
    const training = i === strip.length - 2 ? { "stroke-dasharray": "3 3" } : {};
    const way = [from.end + from.frame, middle, to.start - to.frame, middle];
    pen.arrow(way, "residual", training);
  }
  for (const { slug, number, stack } of strip.flat()) {
    const name = wide ? undefined : String(number);
    pen.part(slug, places.get(slug), top, w, h, { name, size, dashed: stack === "training" });
  }
  // The word that came out goes in again.
  const out = places.get("output") + w / 2;
  const back = places.get("masked_attention") + w / 2;
  const low = 24; // the least height that a finger can hit
  const pill = w + 2 * (between - pad - (wide ? 4 : 3));
  const level = top + h + low / 2 + 9;
  pen.line([out, top + h, out, level - low / 2], "output");
  pen.arrow([out - pill / 2, level, back, level, back, bottom], "output");
  const number = String(pen.chapters.get("decoding").number);
  const name = wide ? undefined : number;
  pen.part("decoding", out - pill / 2, level - low / 2, pill, low, { name, size });
  const now = pen.here === "decoding" ? out : places.get(pen.here) + w / 2;
  const tip = pen.here === "decoding" ? level - low / 2 : top;
  if (Number.isFinite(now)) {
    const pin = `M${now - 7},${tip - 11} h14 l-7,10 Z`;
    pen.add("path", { d: pin, fill: pen.ink, stroke: pen.ground });
    const side = now < width / 2 ? 1 : -1;
    const look = { size: 10.5, anchor: side > 0 ? "start" : "end", weight: 600 };
    if (tip === top) pen.text(text.here, now + side * 11, 10, look);
  }
  pen.size(0, 0, width, level + low / 2 + 3);
}
