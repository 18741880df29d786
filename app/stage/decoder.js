// The second half: the decoder reads what it wrote, asks the memory, and picks the next token.
import { rowOf, softmax } from "./data.js";
import { alongCurve, clamp, ease, mix, part, settle, turn } from "./motion.js";

/** Draw the decoder's columns. @param {any} s the scene */
export function drawDecoder(s) {
  const { story, D } = s;
  drawTop(s);
  if (s.seat("read").there < 0.01) return;
  drawSource(s);
  drawLines(s);
  drawMask(s);
  drawRead(s);
  const later = (r) => mix(1, r > writtenUpTo(s) ? 0.12 : 1, s.later);
  const look = { rows: D, count: story.tgt.length - 1, alphaOf: later };
  s.strip("cz", { ...look, p: part(s.op("memory"), 0.6, 1), from: -50 });
  s.strip("dout", { ...look, p: part(s.op("words"), 0, 0.35) });
}

/** Return the last row that is read at this moment: all at the mask, then up to the hero's. */
function writtenUpTo(s) {
  const last = s.story.tgt.length - 2;
  const played = s.op("loop");
  if (played <= 0) return s.story.row;
  return Math.min(last, Math.floor(mix(s.story.row, last + 0.999, played)));
}

function drawSource(s) {
  const { pen, E, story } = s;
  const seat = s.seat("mtok");
  if (seat.w < 44) return;
  pen.fade(seat.there * s.before("answer"), () =>
    story.src.forEach((token, r) => {
      const hero = r === story.source;
      pen.write(s.name(token), seat.x + seat.w - 4, E.middle(r), [
        s.size(E, r, 15),
        hero ? 700 : 500,
        hero ? "heroInk" : "quiet",
        "right",
        seat.w - 4,
      ]);
    }),
  );
}

/** Lines from the words of the source to the rows that look at them. */
function drawLines(s) {
  const { pen, E, D, story } = s;
  const [seat, read] = [s.seat("ln"), s.seat("read")];
  const p = s.op("memory");
  if (p <= 0 || seat.w < 10) return;
  const [x0, x1] = [seat.x + 2, read.x - 7];
  const weights = story.arrays.over;
  const end = writtenUpTo(s);
  const played = s.op("loop");
  const now = played > 0 && played < 1 ? end : story.row;
  const shown = s.before("answer") * seat.there;
  for (let r = 0; r <= end; r++) {
    const row = rowOf(weights, r);
    const hero = r === now;
    for (let c = 0; c < E.n; c++) {
      const share = row[c];
      if (share < 0.04) continue;
      const q = ease(clamp(hero ? p * 1.7 : p * 2.2 - 1.1));
      const [from, to] = [E.middle(c), D.middle(r)];
      const role = hero ? pen.shade(0.35 + 0.65 * share).fill : "residual";
      const thick = hero ? 1.5 + 9 * share : 0.5 + 3 * share;
      pen.fade(shown * (hero ? 1 : 0.4 * share), () =>
        pen.curve([x0, from], [x1, to], { role, thick, shown: q, back: true }),
      );
      if (!hero || share < 0.25 || x1 - x0 < 130) continue;
      pen.fade(shown * part(p, 0.55, 0.7) * seat.open, () => {
        const says = s.percent(share);
        const w = pen.width(says, [15, 700]) + 16;
        const [x, y] = [(x0 + x1) / 2, (from + to) / 2];
        const look = { fill: "ground", line: pen.shade(0.7).fill, thick: 1.5, radius: 13 };
        pen.box(x - w / 2, y - 13, w, 26, look);
        const at = [`decoder.${story.cross[0]}.cross_attn.weights`, story.cross[1], r, c];
        s.number(share, at, says, x, y + 1, [15, 700, "ink", "center"]);
      });
    }
  }
  const crosses = part(p, 0.5, 0.95);
  if (crosses <= 0 || crosses >= 1) return;
  const [x, y] = alongCurve([x0, E.middle(story.source)], [x1, D.middle(story.row)], ease(crosses));
  const size = E.cell(story.source).h;
  pen.lifted(x - 26, y - size * 0.35, 52, size * 0.7, "value");
  pen.write("v", x, y + 1, [15, 700, "value", "center"]);
}

/** The decoder's own map: no row looks at what comes after it. */
function drawMask(s) {
  const { pen, D, story } = s;
  const p = part(s.op("mask"), 0.35, 1);
  const n = story.tgt.length - 1;
  const open = s.maskOpen;
  const block = open ? opened(story) : story.arrays.dmap;
  s.map("dmap", block, D, {
    p,
    hero: story.row,
    names: story.tgt.slice(0, n),
    causal: !open,
    path: ["decoder.0.self_attn.weights", story.maskHead],
  });
  const seat = s.seat("dmap");
  if (seat.open < 0.9 || p < 1 || seat.w < 200) return;
  if (n < 4 || seat.w < 300) return;
  const high = D.tops[n - 1] + D.heights[n - 1] - D.tops[0];
  const [x, y] = [seat.x + seat.w * 0.72, D.tops[0] + high * 0.2];
  pen.fade(part(seat.w, 200, 260), () => {
    const says = open ? s.text.peeks : s.text.shut;
    const w = pen.width(says, [15, 600]) + 24;
    const left = Math.min(x - w / 2, seat.x + seat.w - w);
    pen.box(left, y - 16, w, 32, { fill: "ground", line: "line", radius: 16 });
    pen.write(says, left + w / 2, y + 1, [15, 600, "quiet", "center"]);
  });
}

/** What the shares would be without the mask. @type {WeakMap<any, any>} */
const OPENED = new WeakMap();
function opened(story) {
  const { dsc } = story.arrays;
  const known = OPENED.get(dsc.data);
  if (known) return known;
  const rows = Array.from({ length: dsc.shape[0] }, (_, r) => softmax(rowOf(dsc, r)));
  const block = { data: Float32Array.from(rows.flat()), shape: dsc.shape };
  OPENED.set(dsc.data, block);
  return block;
}

/** The tokens that the decoder has read, and beside each the one that its row writes. */
function drawRead(s) {
  const { pen, D, story } = s;
  const seat = s.seat("read");
  const here = s.before("answer") * seat.there;
  const n = story.tgt.length - 1;
  const p = s.op("mask");
  const end = writtenUpTo(s);
  const both = part(s.T, s.index("memory") - 0.7, s.index("memory") - 0.4);
  const played = s.op("loop");
  for (let r = 0; r < n; r++) {
    const q = ease(turn(p, r, n, 1));
    const h = D.heights[r];
    const hero = r === (played > 0 && played < 1 ? end : story.row);
    const late = r > end;
    const look = { hero, quiet: story.tgt[r].special, size: s.size(D, r, 16) };
    const named = both > 0.5 && seat.w > 100 && !late ? s.name(story.tgt[r + 1]) : "";
    const [y, high] = [D.tops[r] + h * 0.14, h * 0.72];
    pen.fade(here * q * mix(1, late ? 0 : 1, s.later), () =>
      pen.chip(s.name(story.tgt[r]), seat.x, y - (1 - q) * 16, seat.w, high, {
        ...look,
        next: named,
      }),
    );
    const ghost = { ghost: true, size: look.size };
    if (r === end + 1)
      pen.fade(here * s.later, () => pen.chip("?", seat.x, y, seat.w, high, ghost));
  }
}

/** The ten likeliest next tokens; the winner becomes the next row. */
function drawTop(s) {
  const { pen, story, f } = s;
  const seat = s.seat("top");
  const p = s.op("words");
  const pushed = s.op("loss");
  const here = seat.there * Math.max(s.before("answer"), part(pushed, 0, 0.2));
  if (p <= 0 || here < 0.01 || seat.w < 24) return;
  const played = pushed ? 0 : s.op("loop");
  const last = story.tgt.length - 2;
  const moment = played ? mix(story.row, last + 0.999, played) : story.row;
  const row = Math.min(last, Math.floor(moment));
  const words = story.top[row];
  const probabilities = rowOf(story.arrays.tp, row);
  const high = Math.min(52, (f.h - 8) / words.length);
  const top = f.y + (f.h - high * words.length) / 2;
  const size = clamp(high * 0.38, 11, f.phone ? 13 : 18);
  const widest = Math.max(...words.map((one) => pen.width(one, [size, 700])));
  const label = Math.min(seat.w * (f.phone ? 0.46 : 0.42), widest + 18);
  const bar = seat.w - label - (f.phone ? 46 : 74);
  const written = story.tgt[row + 1].t;
  const middle = (i) => top + high * (i + 0.5);
  words.forEach((word, i) => {
    const q = settle(clamp(part(p, 0.35, 1) * 1.6 - (0.6 * i) / words.length));
    const share = probabilities[i];
    const won = word === written;
    const weight = won ? 700 : 500;
    const y = middle(i) - high * 0.3;
    pen.fade(here * q, () => {
      if (won)
        pen.box(seat.x - 4, y - high * 0.16, seat.w + 8, high * 0.92, { fill: "hero", radius: 8 });
      const look = [size, weight, "ink", "right", label - 10];
      pen.write(s.shown(word), seat.x + label - 9, middle(i), look);
      if (bar < 6) return;
      const fill = won ? "heroFill" : pen.shade(0.5).fill;
      const long = Math.max(2.5, bar * share * q);
      pen.box(seat.x + label, y, bar, high * 0.6, { fill: "panel", radius: 4 });
      pen.box(seat.x + label, y, long, high * 0.6, { fill, radius: 4 });
      const ink = [Math.max(11, size * 0.86), weight, won ? "ink" : "quiet"];
      const x = seat.x + label + bar + 7;
      if (pushed > 0.5)
        push(s, seat.x + label + long, middle(i), won ? 1 - share : -share, bar, x, ink);
      else
        s.number(
          share,
          ["probabilities", row, i],
          s.percent(share * q),
          x,
          middle(i),
          ink,
          q === 1,
        );
    });
  });
  if (pushed) return;
  const from = s.seat("dout");
  const won = [seat.x - 8, middle(Math.max(0, words.indexOf(written)))];
  const line = { role: "heroFill", thick: 3, shown: part(p, 0.25, 0.5) };
  pen.fade(here, () => pen.curve([from.x + from.w + 3, s.D.middle(row)], won, line));
  flyBack(s, moment, row, written, won, label);
}

/** Where training pushes a score: the right token's up by 1 − p, each other one's down by its p. */
function push(s, x, y, by, bar, end, look) {
  const { pen } = s;
  const grown = part(s.op("loss"), 0.55, 1);
  const tip = x + by * bar * 0.55 * grown;
  const head = Math.min(8, Math.abs(tip - x)) * Math.sign(by);
  if (Math.abs(tip - x) > 1.5) {
    const role = by > 0 ? "heroInk" : "key";
    pen.line([x, y], [tip, y], role, 3);
    pen.line([tip - head, y - 6], [tip, y], role, 3);
    pen.line([tip - head, y + 6], [tip, y], role, 3);
  }
  const text = `${by > 0 ? "+" : "−"}${s.num(Math.abs(by), 2)}`;
  pen.write(Math.abs(by) < 0.005 ? "≈0" : text, end, y, look);
}

/** At the end of each step of the loop the winner flies to the seat of the next row. */
function flyBack(s, moment, row, written, won, label) {
  const { pen, D, f } = s;
  const step = part(moment - Math.floor(moment), 0.35, 0.95);
  if (s.op("loop") <= 0 || s.op("loop") >= 1 || step <= 0 || row >= s.story.tgt.length - 2) return;
  const e = ease(step);
  const read = s.seat("read");
  const from = s.seat("dout");
  const path = [won, [from.x + from.w, f.y + f.h - 6], [read.x, D.middle(row + 1)]];
  const [a, b, t] = e < 0.5 ? [path[0], path[1], e * 2] : [path[1], path[2], e * 2 - 1];
  const h = D.heights[row + 1] * 0.72;
  const w = mix(label, Math.min(read.w, 150), e);
  const look = { hero: true, size: s.size(D, row + 1, 16) };
  pen.chip(s.shown(written), mix(a[0], b[0], t), mix(a[1], b[1], t) - h / 2, w, h, look);
}
