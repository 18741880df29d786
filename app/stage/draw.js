// One frame of the stage: a pure function of T, the window, and one sentence's numbers.

import { fill } from "../components/shared/text.js";
import { rowOf, softmax } from "./data.js";
import { drawDecoder } from "./decoder.js";
import { drawEncoder } from "./encoder.js";
import { drawLearned } from "./learned.js";
import { drawMap } from "./map.js";
import { clamp, ease, mix, part, seatShare, settle, turn } from "./motion.js";
import { frameOf, rowsOf, seatsOf } from "./seats.js";
import { grouped, number } from "./words.js";

const EARLY = 0.8; // of the time in which the seats move, after which the operation begins
const FIRST_STEPS = 0.98; // the quantile of the numbers that gets the full colour

/**
 * Return what draws a sentence in a window of a size: seats and rows are found once.
 * @param {any} story @param {any[]} columns @param {any[]} stops @param {any} pen
 * @param {any} text @param {number} width @param {number} height
 */
export function stageOf(story, columns, stops, pen, text, width, height) {
  const f = frameOf(width, height);
  const { hero, order } = story;
  const E = rowsOf(f, story.src.length, [
    hero.source,
    hero.source - 1,
    hero.source + 1,
    ...order.slice(0, 2),
  ]);
  const D = rowsOf(f, Math.max(2, story.tgt.length - 1), [story.row, story.row - 1, story.row + 1]);
  const size = (rows, r, most) =>
    clamp(rows.heights[r] * 0.42, 11, f.phone ? Math.min(13, most) : most);
  const longest = Math.max(
    ...story.src.map((one, r) => pen.width(nameOf(one, text), [size(E, r, 17), 600])),
  );
  const tokens = Math.min(f.phone ? 76 : 160, longest + 24);
  const seats = seatsOf({ columns, stops, tokens, frame: f });
  const index = Object.fromEntries(stops.map((one, i) => [one.slug, i]));
  const scales = new Map();
  const scale = (id) => {
    if (!scales.has(id)) {
      const sizes = Array.from(story.arrays[id].data, Math.abs).sort((a, b) => a - b);
      scales.set(id, sizes[Math.floor((sizes.length - 1) * FIRST_STEPS)] || 1);
    }
    return scales.get(id);
  };
  const base = {
    ...{ story, columns, stops, pen, text, f, E, D, scale, size },
    index: (slug) => index[slug],
    fill: (name, values) => fill(text[name], values),
    name: (token) => nameOf(token, text),
    shown: (word) => (word === "<eos>" ? text.end : word),
    num: number,
    whole: grouped,
    percent: percentOf,
    roleOf: (kind, layer, head) => text.roles[story.roles[`${kind}.${layer}.${head}`]] ?? "",
  };
  const paint = (/** @type {number} */ T, choices = {}, log = null) => {
    const s = { ...base, T, seats: seats(T), ...state(story, choices) };
    drawFrame(sceneOf(s, log));
  };
  return Object.assign(paint, { seats, f, E });
}

function state(story, choices) {
  const temperature = choices.temperature ?? 1;
  const scaled = rowOf(story.arrays.sc, story.source);
  return {
    temperature,
    shares: temperature === 1 ? story.weights : softmax(Array.from(scaled, (x) => x / temperature)),
    maskOpen: Boolean(choices.maskOpen),
  };
}

/** Add to a scene what its parts ask it. */
function sceneOf(s, log) {
  const { T, stops, seats, pen } = s;
  const at = (slug) => s.index(slug);
  s.seat = (id) => seats[id] ?? { x: 0, w: 0, open: 0, there: 0 };
  s.op = (slug) => {
    const since = T - (at(slug) - 1);
    if (since <= 0) return 0;
    if (since >= 1) return 1;
    const begin = seatShare(stops[at(slug)].ms) * EARLY;
    return clamp((since - begin) / (1 - begin));
  };
  s.since = (slug, from, to) => part(T, at(slug) + from, at(slug) + to);
  s.until = (slug, from, to) => 1 - s.since(slug, from, to);
  s.before = (slug) => s.until(slug, -0.95, -0.7);
  s.place = (id, r) => {
    const [seat, cell] = [s.seat(id), s.E.cell(r)];
    return [seat.x, cell.y, seat.w, cell.h];
  };
  s.fly = (id, r, from, to, q, alpha) => {
    const [x, y, w, h] = from.map((one, i) => mix(one, to[i], q));
    const { role } = s.columns.find((one) => one.id === id);
    pen.fade(alpha, () =>
      pen.cells(s.story.arrays[id], r, x, y, w, h, { role, scale: s.scale(id) }),
    );
  };
  s.later = part(T, at("memory") - 0.8, at("memory") - 0.4);
  s.flying = (slug) => s.op(slug) > 0 && T < at(slug);
  s.number = (value, [array, ...index], text, x, y, look, final = true) => {
    pen.write(text, x, y, look);
    if (log && final && pen.g.globalAlpha > 0.5) log.push({ value, array, index, text });
  };
  s.strip = (id, look) => drawStrip(s, id, look);
  s.cellColumn = (id, numberOf, look) => drawCells(s, id, numberOf, look);
  s.map = (id, block, rows, look) => drawHeat(s, id, block, rows, look);
  return s;
}

function drawFrame(s) {
  const { pen, f } = s;
  const { g } = pen;
  g.globalAlpha = 1;
  g.fillStyle = pen.colour("ground");
  g.fillRect(0, 0, f.width, f.height);
  drawEncoder(s);
  drawDecoder(s);
  drawLearned(s);
  drawTokens(s);
  drawHeadings(s);
  drawMap(s);
}

/** Draw a column of vectors; each row comes from `from` pixels beside its seat. */
function drawStrip(s, id, look) {
  const { p = 1, from = 0, only = -1, rows = s.E, array = id } = look;
  const { alphaOf = null, whole = false, over = false } = look;
  const seat = s.seat(id);
  if (seat.w < 0.3 || seat.there < 0.01 || p <= 0) return;
  const { pen, story } = s;
  const column = s.columns.find((one) => one.id === id);
  const block = story.arrays[array];
  const count = look.count ?? block.shape[0];
  const decoder = rows === s.D;
  const heroRow = decoder ? story.row : story.source;
  const cut = block.shape[1] < widthOf(id, story.config);
  for (let r = 0; r < count; r++) {
    if (only >= 0 && r !== only) continue;
    const q = turn(p, r, count);
    if (q <= 0) continue;
    const e = settle(q);
    const cell = rows.cell(r);
    const [x, w] = [seat.x + (1 - e) * from, seat.w * (whole || from ? 1 : e)];
    const alpha = alphaOf ? alphaOf(r) : 1;
    if (alpha <= 0) continue;
    pen.fade(seat.there * clamp(q * 2), () => {
      // Faded strips lie on the ground, so that the hero's band does not tint them.
      if (alpha < 1 && !over) pen.box(x, cell.y, w, cell.h, { fill: "ground", radius: 0 });
      pen.fade(alpha, () => {
        const cells = { role: column.role, scale: s.scale(id), clip: array === "hid" };
        const edge = { line: column.role, radius: 0 };
        pen.cells(block, r, x, cell.y, w, cell.h, cells);
        if (seat.open > 0.5 && column.boxed)
          pen.fade(0.5, () => pen.box(x - 0.5, cell.y - 0.5, w + 1, cell.h + 1, edge));
        if (cut && w > 60) fadeOut(s, x, w, cell, r === heroRow);
      });
    });
  }
}

/** The numbers that are not shown fade into an ellipsis. */
function fadeOut(s, x, w, cell, hero) {
  const { g } = s.pen;
  const reach = Math.min(44, w * 0.16);
  const ground = s.pen.colour(hero && s.T > 0.6 ? "hero" : "ground");
  const clear = ground.startsWith("#") ? `${ground.slice(0, 7)}00` : "transparent";
  const shade = g.createLinearGradient(x + w - reach, 0, x + w, 0);
  shade.addColorStop(0, clear);
  shade.addColorStop(0.85, ground);
  g.fillStyle = shade;
  g.fillRect(x + w - reach, cell.y - 0.5, reach + 1, cell.h + 1);
  s.pen.fade(clamp((w - 60) / 60), () =>
    s.pen.write("…", x + w - 1, cell.y + cell.h / 2 - 3, [14, 700, "quiet", "right"]),
  );
}

function widthOf(id, config) {
  if (id === "pre") return config.d_ff;
  if (["q", "k", "v", "z", "cz"].includes(id)) return config.d_k;
  return config.d_model;
}

/** Draw a column with one number a row. */
function drawCells(s, id, numberOf, { p, write, array = "", flat = false }) {
  const seat = s.seat(id);
  if (seat.w < 0.5 || seat.there < 0.01 || p <= 0) return;
  const { pen, E, story } = s;
  const most = Math.max(...Array.from({ length: E.n }, (_, r) => Math.abs(numberOf(r))));
  for (let r = 0; r < E.n; r++) {
    const q = clamp(p * E.n - r);
    if (q <= 0) continue;
    const cell = E.cell(r);
    const value = numberOf(r);
    const best = !flat && r === story.order[0];
    pen.fade(seat.there * q, () => {
      const role = s.columns.find((one) => one.id === id).role;
      const tint = pen.signed((value / most) * 0.55, role);
      const fill = flat ? "panel" : `rgb(${tint.join(" ")})`;
      pen.box(seat.x, cell.y, seat.w, cell.h, { fill, radius: 4 });
      if (seat.w < 34) return;
      const look = [s.size(E, r, 16), best ? 700 : 500, "ink", "center", seat.w - 2];
      const [at, x] = [
        [`encoder.0.self_attn.${array}`, story.head, story.source, r],
        seat.x + seat.w / 2,
      ];
      pen.fade((seat.open - 0.5) * 2, () =>
        s.number(value, at, write(value), x, E.middle(r) + 0.5, look, q === 1 && !flat),
      );
    });
  }
}

/** Draw a map of shares, (rows, keys): who looks at whom. */
function drawHeat(s, id, block, rows, look) {
  const { p = 1, rowShown = -1, rowHidden = -1, hero = -1 } = look;
  const { names = null, causal = false, path } = look;
  const seat = s.seat(id);
  if (seat.w < 0.6 || seat.there < 0.01 || p + (rowShown >= 0 ? 1 : 0) <= 0) return;
  const { pen, f } = s;
  const [n, keys] = block.shape;
  const width = seat.w / keys;
  const numbers = width > 30;
  for (let r = 0; r < n; r++) {
    const q = r === rowHidden ? 0 : r === rowShown ? 1 : settle(clamp(p * 2.2 - (1.2 * r) / n));
    if (q <= 0) continue;
    const [gap, row] = [rows.heights[r] * 0.1, rowOf(block, r)];
    const [y, h] = [rows.tops[r] + gap - (1 - q) * 26, rows.heights[r] - 2 * gap];
    pen.fade(seat.there * q, () => {
      pen.cells(block, r, seat.x, y, seat.w, h, { role: "weights", scale: 1 });
      if (causal && r + 1 < keys) {
        const x = seat.x + (r + 1) * width;
        pen.box(x, y - 0.5, seat.x + seat.w - x, h + 1, { fill: "ground", radius: 0 });
        const shut = { fill: "panel", radius: 0 };
        for (let c = r + 1; c < keys && width > 5; c++)
          pen.box(seat.x + c * width, y, width - 1, h, shut);
      }
      const fill = r === hero ? "hero" : "ground";
      for (let c = 1; c < keys && width > 6; c++)
        pen.box(seat.x + c * width - 1, y - 0.5, 1.5, h + 1, { fill, radius: 0 });
      if (!numbers || rows.heights[r] < 15) return;
      for (let c = 0; c < keys; c++) {
        if (row[c] < 0.045 || (causal && c > r)) continue;
        const { ink } = pen.shade(row[c]);
        const big = clamp(Math.min(width * 0.36, h * 0.6), 11, 15);
        const written = [big, row[c] > 0.2 ? 700 : 500, ink, "center"];
        const [x, says] = [seat.x + (c + 0.5) * width, String(Math.round(row[c] * 100))];
        s.number(
          row[c],
          [...path, r, c],
          says,
          x,
          y + h / 2 + 0.5,
          written,
          q === 1 && !s.maskOpen,
        );
      }
    });
  }
  if (hero >= 0 && width > 2 && seat.open > 0.2)
    pen.fade(seat.there * Math.max(p, rowShown >= 0 ? 1 : 0), () => {
      const [y, h] = [rows.tops[hero] + rows.heights[hero] * 0.1, rows.heights[hero] * 0.8];
      pen.box(seat.x - 2, y - 2, seat.w + 3, h + 4, { line: "heroFill", thick: 2.5, radius: 4 });
    });
  if (!names || width < 13 || seat.w < 150) return;
  const shown = part(seat.open, 0.6, 1) * clamp((width - 13) / 6) * clamp((seat.w - 150) / 50);
  pen.fade(seat.there * shown, () => {
    names.forEach((token, c) => {
      const own = c === hero && !causal && names === s.story.src;
      const { g } = pen;
      g.save();
      g.translate(seat.x + c * width + width / 2 + 2, rows.top - 6);
      g.rotate(-Math.PI / 3.6);
      pen.write(s.name(token), 0, 0, [
        clamp(width * 0.4, 11, 14),
        own ? 700 : 500,
        own ? "heroInk" : "quiet",
        "left",
        f.phone ? 48 : 92,
      ]);
      g.restore();
    });
    if (f.phone) return;
    const [y, look] = [f.y + f.h + 12, [12.5, 400, "quiet"]];
    pen.write(s.text.scale, seat.x, y, look);
    pen.write(s.text.key_axis, seat.x + seat.w, y, [...look, "right"]);
  });
}

/** The words of the sentence, which fly to their rows, and stay there. */
function drawTokens(s) {
  const { pen, E, story, f } = s;
  const seat = s.seats.tokens;
  const p = s.op("tokens");
  const opening = 1 - part(s.T, 0.02, 0.3);
  const size = f.phone ? 21 : Math.min(40, f.width / 34);
  const middle = f.map + (f.height - f.map) * 0.36;
  const source = lineUp(s, story.src, size, middle);
  if (opening > 0) drawOpening(s, opening, size, source);
  if (seat.w < 8 || seat.there < 0.01) return;
  story.src.forEach((token, r) => {
    const hero = r === story.source;
    const q = ease(turn(p, r, E.n));
    const start = source.spans[r];
    const h = E.heights[r];
    const from = start ?? { x: f.width / 2 - 20, y: middle + size, w: 40 };
    const [x, w] = [mix(from.x, seat.x, q), mix(from.w, seat.w, q)];
    const y = mix(from.y - size * 0.65, E.tops[r] + h * 0.14, q);
    const tall = mix(size * 1.3, h * 0.72, q);
    if (!start && q <= 0) return;
    pen.fade((start ? 1 : q) * seat.there * s.before("answer"), () => {
      if (q > 0.02) {
        const align = q > 0.98 ? "right" : "center";
        const chip = { hero, quiet: token.special, size: mix(size, s.size(E, r, 17), q), align };
        pen.chip(s.name(token), x, y, w, tall, chip);
        return;
      }
      if (hero) pen.box(x - 5, y - 2, w + 10, tall + 4, { fill: "heroFill", radius: 8 });
      pen.write(token.t, x, from.y, [size, 600, hero ? "onHero" : "ink"]);
    });
  });
  if (!f.phone && s.seats.tokens.there > 0.5)
    pen.fade(part(s.T, s.index("rows") - 0.4, s.index("rows") - 0.1) * s.before("layers"), () =>
      pen.write(s.text.query_axis, seat.x + seat.w, E.top - 14, [12.5, 400, "quiet", "right"]),
    );
}

/** The sentence and its translation; the word that is followed is joined with what it becomes. */
function drawOpening(s, shown, size, source) {
  const { pen, story, f } = s;
  const written = lineUp(s, story.tgt, size * 0.86, source.bottom + (f.height - f.map) * 0.2);
  const [a, b] = [source.spans[story.source], written.spans[story.row + 1]];
  pen.fade(shown, () => {
    const { config } = story;
    const { n_encoder: encoder, n_decoder: decoder, n_heads: heads, d_model } = config;
    const facts = s.fill("facts", { encoder, decoder, heads, d_model });
    const quiet = [f.phone ? 14 : 16, 400, "quiet", "center", f.w];
    const strong = [f.phone ? 14 : 16, 700, "quiet", "center", f.w];
    pen.write(s.text.whole, f.width / 2, source.top - size * 1.9, strong);
    pen.write(facts, f.width / 2, written.bottom + size * 1.7, quiet);
    if (a && b) {
      const { g } = pen;
      g.strokeStyle = pen.colour("heroFill");
      g.lineWidth = 4;
      g.lineCap = "round";
      const [x0, y0, x1, y1] = [a.x + a.w / 2, a.y + size * 0.75, b.x + b.w / 2, b.y - size * 0.75];
      g.beginPath();
      g.moveTo(x0, y0);
      g.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
      g.stroke();
      pen.box(b.x - 5, b.y - size * 0.6, b.w + 10, size * 1.24, { fill: "heroFill", radius: 8 });
    }
    story.tgt.forEach((token, r) => {
      const span = written.spans[r];
      const role = r === story.row + 1 && a ? "onHero" : "ink";
      if (span) pen.write(token.t, span.x, span.y, [size * 0.86, 600, role]);
    });
    const style = [f.phone ? 14 : 16, 400, "quiet", "center", f.w];
    pen.write(facts, f.width / 2, written.bottom + size * 1.7, style);
  });
}

/** Return where tokens stand when they are written as a sentence, in as many lines as it takes. */
function lineUp(s, tokens, size, middle) {
  const { pen, f } = s;
  const look = [size, 600];
  const blank = pen.width("n", look) * 0.55;
  /** @type {{ i: number, x: number, w: number }[][]} */
  const lines = [[]];
  let x = 0;
  tokens.forEach((token, i) => {
    if (token.special) return;
    const w = pen.width(token.t, look);
    let line = lines[lines.length - 1];
    const space = token.starts && line.length ? blank : 0;
    if (x + space + w > f.w * 0.92 && line.length) {
      line = [];
      lines.push(line);
      x = 0;
    } else x += space;
    line.push({ i, x, w });
    x += w;
  });
  /** @type {({ x: number, y: number, w: number } | undefined)[]} */
  const spans = [];
  const high = size * 1.5;
  lines.forEach((line, k) => {
    const last = line[line.length - 1];
    const wide = last ? last.x + last.w : 0;
    for (const one of line)
      spans[one.i] = {
        x: f.width / 2 - wide / 2 + one.x,
        y: middle + (k - (lines.length - 1) / 2) * high,
        w: one.w,
      };
  });
  const half = ((lines.length - 1) / 2) * high;
  return { spans, top: middle - half, bottom: middle + half };
}

/** Above each column that is open: its symbol, what it is, and the operator before it. */
function drawHeadings(s) {
  const { pen, f, E, D, story } = s;
  const { config } = story;
  const values = {
    n: s.whole(config.d_model),
    k: config.d_k,
    ff: s.whole(config.d_ff),
    rows: story.src.length,
    heads: config.n_heads,
    vocabulary: s.whole(config.vocab),
    layers: config.n_decoder,
    word: s.name(story.src[story.source]),
  };
  const [size, raised] = f.phone ? [13, 2] : [17, 8];
  /** @type {any} */
  let before = null; // the open column to the left, if nothing else lies between
  for (const one of s.columns) {
    const seat = s.seat(one.id);
    if (seat.there < 0.01 || seat.w < 4) continue;
    const [name, sub] = headingOf(s, one);
    const late = one.decoder || one.id === "ln";
    const top = (one.kind === "top" ? f.y : late ? D.top : E.top) - 26;
    const again = one.kind === "top" ? s.op("loss") : 0;
    const here =
      seat.there *
      appears(s, one) *
      (late || one.id === "mem" ? Math.max(s.before("answer"), again) : 1);
    const shown = part(seat.open, 0.3, 1) * (one.kind === "lines" ? part(seat.w, 150, 200) : 1);
    const middle = seat.x + seat.w / 2;
    const role =
      one.role === "weights" ? pen.shade(0.72).fill : one.role === "hero" ? "ink" : one.role;
    const max = seat.w + (f.phone ? 6 : 30);
    if (name)
      pen.fade(here * shown, () => {
        const fits = clamp((size * max) / pen.width(name, [size, 700]), 11, size);
        pen.write(name, middle, top - raised, [fits, 700, role, "center", max]);
        if (sub && !f.phone && seat.w > 74)
          pen.write(fill(sub, values), middle, top + 11, [12.5, 400, "quiet", "center", max]);
        const gap = before ? seat.x - before.x - before.w : 0;
        const sign = one.id === "k" ? (s.op("score") ? "·" : "") : one.sign;
        if (sign && gap > 4 && gap < 90)
          pen.write(sign, seat.x - gap / 2, top - raised, [size + 2, 400, "quiet", "center"]);
      });
    if (name && seat.open < 0.7 && seat.w > 6 && name.length < 4 && !f.phone)
      pen.fade(here * (1 - shown), () =>
        pen.write(name, middle, top + 12, [11, 700, role, "center"]),
      );
    if (seat.open > 0.4) before = seat;
    else if (seat.w > 6) before = null;
  }
}

/** Return what stands above a column, which changes with what it shows. */
function headingOf(s, one) {
  const { config } = s.story;
  const { text } = s;
  if (one.id === "pre") return [`× W₁ → ${text.activations[config.activation]}`, text.hidden];
  if (one.id === "sc") return [`÷ √${config.d_k}`, text.scaled];
  if (one.id === "z" && s.T > s.index("rows") - 0.4) return ["Z", text.each_row];
  if (one.id === "read" && s.later < 0.5) return [text.read_so_far, ""];
  if (one.id === "add1" && s.T > s.index("join") + 0.5) return [text.add1, ""];
  return [text[one.name] ?? one.name, text[one.sub]];
}

/** Return how far a column's heading has come: with the first of its numbers. */
function appears(s, column) {
  const at = s.stops.findIndex((one) => one.shows.includes(column.id));
  return part(s.T, at - 0.7, at - 0.45);
}

/** @param {any} token @param {any} text */
export function nameOf(token, text) {
  if (token.t === "<eos>") return text.end;
  if (token.t === "<bos>") return text.start;
  return token.t;
}

/** Write a share in percent; only all of it is 100 %, and only nothing is 0. @param {number} share */
export function percentOf(share) {
  const sign = "\u202f%";
  if (share >= 0.995 && share < 1) return `>99${sign}`;
  if (share < 0.0005) return `<${number(0.1, 1)}${sign}`;
  return `${share >= 0.0995 ? Math.round(share * 100) : number(share * 100, 1)}${sign}`;
}
