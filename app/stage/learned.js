// How it learned, and the whole way of one word: pictures that take the place of the columns.
import { rowOf, slice } from "./data.js";
import { clamp, ease, mix, part, settle, turn } from "./motion.js";

/** @param {any} s the scene */
export function drawLearned(s) {
  drawAnswer(s);
  drawTraining(s);
  drawJourney(s);
}

/** Two rows of tiles, one shifted by one; under each answer its probability, then its loss. */
function drawAnswer(s) {
  const { pen, D, story, f } = s;
  const seat = s.seat("answer");
  const here = seat.there * part(seat.open, 0.35, 1);
  if (here < 0.02 || seat.w < 60) return;
  const all = story.tgt.length - 1;
  // On a phone there is room for those around the word that is followed.
  const n = f.phone ? Math.min(all, 12) : all;
  const first = clamp(story.row - 6, 0, all - n);
  const lines = Math.ceil(n / (f.phone ? 6 : 17));
  const rows = Math.ceil(n / lines);
  const [p, q] = [s.op("answer"), s.op("loss")];
  const label = f.phone ? 0 : 118;
  const tile = (seat.w - label) / rows;
  const high = (f.h - (f.phone ? 70 : 90)) / lines;
  const tall = clamp(high * 0.13, 20, 46);
  const size = clamp(tile * 0.2, 11, 17);
  const read = s.seat("read");
  const nats = story.arrays.loss.data;
  const worst = Math.max(0.5, ...nats, story.wrong ? story.wrong.loss : 0);
  const room = Math.max(20, high - 3 * tall - 22);
  for (let i = 0; i < n; i++) {
    const r = first + i;
    const line = Math.floor(i / rows);
    const [x, y] = [seat.x + label + (i % rows) * tile, f.y + line * high];
    const e = ease(turn(p, i, n));
    const hero = r === story.row;
    const h = D.heights[r] * 0.72;
    const gap = Math.min(6, tile * 0.08);
    const from = [read.x, D.tops[r], Math.max(read.w, 60), h];
    const [ax, ay, aw, ah] = [x + gap / 2, y, tile - gap, tall].map((to, k) => mix(from[k], to, e));
    const quiet = story.tgt[r].special;
    pen.fade(here, () => pen.chip(s.name(story.tgt[r]), ax, ay, aw, ah, { quiet, size }));
    // The same tokens, one place to the left: what should follow each.
    const slide = ease(turn(part(p, 0.35, 0.8), i, n, 0.3));
    if (slide <= 0) continue;
    const wrong = story.wrong?.row === r ? story.wrong : null;
    const answer = wrong ? wrong.text : s.name(story.tgt[r + 1]);
    const top = y + tall + 8;
    pen.fade(here * slide, () => {
      const left = x + gap / 2 + (1 - slide) * tile;
      pen.chip(s.shown(answer), left, top, tile - gap, tall, { hero, size });
      pen.line([x + tile / 2, y + tall + 1], [x + tile / 2, top - 1], "quiet", 1.5);
    });
    const probability = wrong ? wrong.p : story.arrays.p.data[r];
    const loss = wrong ? wrong.loss : nats[r];
    const grow = settle(part(p, 0.75, 1));
    const base = top + tall + 10;
    const wide = Math.min(tile - gap, 54);
    const middle = x + tile / 2;
    pen.fade(here * part(p, 0.7, 0.8), () => {
      pen.box(middle - wide / 2, base, wide, room, { fill: "panel", radius: 4 });
      const share = mix(probability * grow, Math.min(1, loss / worst), q);
      const role = q > 0.5 ? "key" : hero ? "heroFill" : pen.shade(0.55).fill;
      // A bar of p stands on the ground; its loss, −log p, hangs from it as weight.
      const long = Math.max(2, room * share);
      pen.box(middle - wide / 2, base + room - long, wide, long, { fill: role, radius: 4 });
      const says = q > 0.5 ? s.num(loss, 2) : s.percent(probability * grow);
      const small = clamp(tile * 0.2, 11, 15);
      const ink = [small, hero ? 700 : 500, hero ? "ink" : "quiet", "center", tile + 4];
      const [value, array] = q > 0.5 ? [loss, "loss"] : [probability, "p"];
      const still = grow === 1 && !wrong && (q === 0 || q > 0.5);
      s.number(value, [array, r], says, middle, base + room + 14, ink, still);
    });
    const falls = ease(turn(part(q, 0.35, 0.9), i, n, 0.4));
    if (falls > 0 && falls < 1 && line === lines - 1) {
      const goal = [seat.x + seat.w / 2, f.y + f.h - 18];
      const [dx, dy] = [mix(middle, goal[0], falls), mix(base + room + 14, goal[1], falls)];
      const look = { fill: "key", radius: 6 };
      pen.fade(1 - falls * 0.4, () => pen.box(dx - 6, dy - 6, 12, 12, look));
    }
  }
  if (label)
    pen.fade(here * part(p, 0.5, 0.9), () => {
      pen.write(s.text.reads, seat.x, f.y + tall / 2, [14, 600, "quiet", "left", label - 8]);
      pen.write(s.text.should, seat.x, f.y + tall * 1.5 + 8, [14, 600, "quiet", "left", label - 8]);
      const style = [14, 600, q > 0.5 ? "key" : "quiet", "left", label - 8];
      pen.write(q > 0.5 ? "−log p" : s.text.gave, seat.x, f.y + 2 * tall + 8 + room * 0.5, style);
    });
  const mean = nats.reduce((sum, one) => sum + one, 0) / all;
  pen.fade(here * part(q, 0.75, 1), () => {
    const y = f.y + f.h - 18;
    const says = s.fill("mean_loss", { loss: s.num(mean, 2), p: s.percent(Math.exp(-mean)) });
    const w = Math.min(seat.w, pen.width(says, [f.phone ? 14 : 19, 700]) + 34);
    const style = { fill: "ground", line: "key", thick: 2, radius: 19 };
    pen.box(seat.x + seat.w / 2 - w / 2, y - 19, w, 38, style);
    pen.write(says, seat.x + seat.w / 2, y + 1, [f.phone ? 14 : 19, 700, "ink", "center", w - 20]);
  });
}

/** The same sentence before, during and after training: where one head looks, and what it writes. */
function drawTraining(s) {
  const { pen, story, f } = s;
  const seat = s.seat("training");
  const here = seat.there * part(seat.open, 0.3, 1);
  if (here < 0.02 || seat.w < 60) return;
  const { moments } = story;
  const across = f.phone ? Math.min(2, moments.length - 1) : moments.length;
  const names = !f.phone && moments.length < 4 ? 96 : 0;
  const gap = f.phone ? 10 : 26;
  const w = Math.min(seat.w / across - gap - names, 520);
  const step = w + gap + names;
  const left = seat.x + (seat.w - across * step + gap) / 2 + names / 2;
  const high = (f.h + f.heads - 16) / Math.ceil(moments.length / across);
  const worst = Math.max(...moments.map((one) => one.loss));
  moments.forEach((one, i) => {
    const q = settle(turn(s.op("training"), i, moments.length, 1.6));
    if (q <= 0) return;
    const [x, y] = [left + (i % across) * step, f.y - f.heads + 14 + Math.floor(i / across) * high];
    const block = story.arrays[`m${i}`];
    const [rows, columns] = block.shape;
    const after = one.steps ? s.fill("after_steps", { n: s.whole(one.steps) }) : s.text.trained;
    const last = i === moments.length - 1;
    const ink = last ? "heroInk" : "ink";
    const side = Math.min(high - (w > 200 ? 154 : 84), (w * rows) / columns);
    const row = side / rows;
    const bar = y + 36 + side;
    pen.fade(here * q, () => {
      const title = one.steps === 0 ? s.text.untrained : after;
      pen.write(title, x + w / 2, y + 8, [f.phone ? 13 : 17, 700, ink, "center", w]);
      for (let r = 0; r < rows; r++) {
        const look = { role: "weights", scale: 1 };
        pen.cells(block, r, x, y + 24 + r * row, w, row - (row > 8 ? 1 : 0), look);
        const name = s.shown(one.tokens[r]);
        if (names && row > 12)
          pen.write(name, x - 8, y + 24 + (r + 0.5) * row, [13, 400, "quiet", "right", names - 12]);
      }
      const style = { line: last ? "heroFill" : "line", thick: last ? 2.5 : 1, radius: 3 };
      pen.box(x - 1, y + 23, w + 2, side + 2, style);
      pen.box(x, bar, w, 10, { fill: "panel", radius: 5 });
      pen.box(x, bar, Math.max(3, (w * one.loss * q) / worst), 10, { fill: "key", radius: 5 });
      const says = s.fill("loss_is", { loss: s.num(one.loss, 2) });
      pen.write(says, x, bar + 24, [14, 600, "ink", "left", w]);
      if (w > 200)
        lined(pen, `“${one.written || "∅"}”`, x, bar + 48, w, 3, [15, 400, "ink", "left"]);
    });
  });
}

/** Write a text in a few lines. */
function lined(pen, text, x, y, max, most, look) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    const fits = lines.length === most || pen.width(longer, look) <= max;
    if (fits) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  lines.forEach((line, n) => pen.write(line, x, y + n * 20, [...look, max]));
}

/** The hero's vector at every station, from the word that was typed to the word that was written. */
function drawJourney(s) {
  const { pen, story, f } = s;
  const seat = s.seat("journey");
  const here = seat.there * part(seat.open, 0.3, 1);
  if (here < 0.02 || seat.w < 60) return;
  const { arrays, config } = story;
  const one = (name, block, row, role) => ({ name, numbers: rowOf(block, row), role });
  const layers = (id, row) =>
    Array.from({ length: arrays[id].shape[0] }, (_, i) =>
      one(s.fill("layer_n", { n: i + 1 }), slice(arrays[id], i), row, "residual"),
    );
  const stations = [
    one(s.text.emb, arrays.emb, story.source, "input"),
    one("x", arrays.x, story.source, "input"),
    ...layers("es", story.source),
    one(s.text.memory, arrays.mem, story.source, "input"),
    { ...one("z", arrays.cz, story.row, "output"), bridge: true },
    ...layers("ds", story.row),
    one(s.text.vector, arrays.dout, story.row, "input"),
  ];
  const total = stations.length + 2;
  const p = s.op("journey");
  const columns = f.phone ? Math.ceil(total / 3) : total <= 16 ? total : Math.ceil(total / 2);
  const lines = Math.ceil(total / columns);
  const step = seat.w / columns;
  const high = Math.min((f.h - (f.phone || lines > 1 ? 0 : 24)) / lines, f.phone ? 180 : 460);
  const y0 = f.y + (f.h - high * lines) / 2;
  const wide = Math.min(step * 0.62, 58);
  const tall = high - 74;
  const at = (i) => ({
    x: seat.x + (i % columns) * step + step / 2,
    y: y0 + Math.floor(i / columns) * high,
  });
  const word = (text, i) => {
    const { x, y } = at(i);
    const most = Math.min(step * 1.02, 150);
    const size = clamp((18 * (most - 20)) / pen.width(text, [18, 700]), 12, f.phone ? 14 : 18);
    const w = clamp(pen.width(text, [size, 700]) + 24, 56, most);
    pen.chip(text, x - w / 2, y + 30 + tall / 2 - 22, w, 44, { hero: true, size });
  };
  for (let i = 0; i < total; i++) {
    const q = settle(turn(p, i, total, 2));
    if (q <= 0) continue;
    const { x, y } = at(i);
    pen.fade(here * q, () => {
      const middle = y + 30 + tall / 2;
      const begin = at(i - 1).x + step * (i === 1 ? 0.52 : 0.33);
      if (i % columns) pen.line([begin, middle], [x - step * 0.33, middle], "heroFill", 3);
      if (i === 0) return word(s.name(story.src[story.source]), i);
      if (i === total - 1) return word(s.name(story.tgt[story.row + 1]), i);
      const { name, role, numbers, bridge } = stations[i - 1];
      const scale = Math.max(...numbers.map(Math.abs)) || 1;
      const cell = tall / numbers.length;
      numbers.forEach((value, c) => {
        const fill = `rgb(${pen.signed(value / scale, role).join(" ")})`;
        pen.box(x - wide / 2, y + 30 + c * cell, wide, cell + 0.6, { fill, radius: 0 });
      });
      pen.box(x - wide / 2 - 1, y + 29, wide + 2, tall + 2, { line: role, radius: 2 });
      pen.write(name, x, y + 14, [f.phone ? 11 : 14, 600, role, "center", step - 4]);
      if (!bridge || f.phone) return;
      const look = [13, 700, "heroInk", "center"];
      pen.write(s.percent(story.hero.writes), at(i - 1).x + step / 2, y + 42 + tall, look);
    });
  }
  if (!f.phone && lines === 1)
    pen.fade(here * part(p, 0.6, 1), () => {
      const label = (text, a, b) => {
        const [x0, x1] = [at(a).x - step * 0.4, at(b).x + step * 0.4];
        const y = y0 + high + 4;
        pen.line([x0, y - 8], [x1, y - 8], "quiet", 1.5);
        pen.write(text, (x0 + x1) / 2, y + 8, [14, 600, "quiet", "center", x1 - x0]);
      };
      label(s.text.vectors, 1, 2);
      label(s.text.encoder, 3, 3 + config.n_encoder);
      label(s.text.decoder, 4 + config.n_encoder, total - 2);
    });
}
