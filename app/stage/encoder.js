// The first half of the picture: words become vectors, one head asks, all heads and layers follow.
import { rowOf, slice } from "./data.js";
import { clamp, ease, mix, part, settle, turn } from "./motion.js";

const WEIGHTS = "encoder.0.self_attn.weights";

/** Draw the encoder's columns, each as far as it has come. @param {any} s the scene */
export function drawEncoder(s) {
  drawBands(s);
  drawBlocks(s);
  drawLanes(s);
  drawTable(s);
  drawWords(s);
  drawOneHead(s);
  drawHeads(s);
  drawLayer(s);
}

/** The band of the word that is followed, behind everything. */
function drawBands(s) {
  const { pen, E, D, story } = s;
  const reach = (of) => {
    const found = s.columns.filter(
      (one) => Boolean(one.decoder) === of && s.seat(one.id).there > 0.01,
    );
    const seats = found
      .filter((one) => !["scene", "top", "lines"].includes(one.kind))
      .map((one) => s.seat(one.id));
    return Math.max(0, ...seats.filter((one) => one.w > 1).map((one) => one.x + one.w));
  };
  const band = (x, end, rows, r) => {
    const h = rows.heights[r];
    pen.box(x - 7, rows.tops[r] + h * 0.04, end - x + 16, h * 0.92, { fill: "hero", radius: 8 });
  };
  const { tokens } = s.seats;
  const start = tokens.there > 0.5 ? tokens.x : s.seat("ids").x;
  pen.fade(part(s.op("tokens"), 0.6, 1) * s.before("answer"), () =>
    band(start, Math.max(start + tokens.w, reach(false)), E, story.source),
  );
  pen.fade(part(s.op("mask"), 0.3, 0.7) * s.before("answer") * s.seat("read").there, () =>
    band(s.seat("read").x, reach(true), D, story.row),
  );
}

/** Folded layers are blocks with a name. */
function drawBlocks(s) {
  const { pen, E } = s;
  const folded = s.since("layers", -1, -0.55);
  if (folded <= 0) return;
  const block = (ids, name) => {
    const seats = ids.map((id) => s.seat(id)).filter((one) => one.w > 0 && one.there > 0.01);
    if (!seats.length) return;
    const x = Math.min(...seats.map((one) => one.x)) - 4;
    const w = Math.max(...seats.map((one) => one.x + one.w)) + 4 - x;
    pen.fade(folded * Math.min(...seats.map((one) => Math.max(one.there, 0.5))), () => {
      const look = { fill: "panel", line: "line", thick: 1.5, radius: 9 };
      pen.box(x, E.top - 7, w, E.bottom - E.top + 14, look);
      if (w > 44) pen.write(name, x + w / 2, E.top - 20, [13, 600, "quiet", "center", w + 24]);
    });
  };
  const first = ["head", "heads", "join", "ffn"];
  const inside = s.columns.filter((one) => first.includes(one.act) && !one.passes);
  block(
    inside.map((one) => one.id),
    s.fill("layer_n", { n: 1 }),
  );
  for (const one of s.columns)
    if (one.layer) block([one.id], s.fill("layer_n", { n: one.layer + 1 }));
  const heads = s.columns.filter((one) => one.id === `h${s.story.head}` || one.layer);
  for (const one of heads) {
    const seat = s.seat(one.id);
    if (seat.w < 70) continue;
    const head = one.layer ? clearHead(s, one.layer) : s.story.head;
    const role = s.roleOf("encoder", one.layer ?? 0, head);
    const says = s.fill("head_n", { n: head + 1 }) + (role && seat.w > 100 ? `: ${role}` : "");
    pen.fade(folded * seat.open * part(seat.w, 70, 90) * s.before("mask"), () =>
      pen.write(says, seat.x + seat.w / 2, E.top - 38, [12, 400, "quiet", "center", seat.w + 14]),
    );
  }
}

/** Return the head of a layer that is shown there: one with a role, or else the clearest row. */
export function clearHead(s, layer) {
  const { story } = s;
  const heads = Array.from({ length: story.config.n_heads }, (_, h) => h);
  const share = (h) => {
    const row = rowOf(slice(story.arrays.ew, layer, h), story.source);
    const known = story.roles[`encoder.${layer}.${h}`];
    return Math.max(...row) + (known ? 2 : 0);
  };
  return heads.reduce((best, h) => (share(h) > share(best) ? h : best), 0);
}

/** The grey lane carries x past a sub-layer to the ⊕ where it is added. */
function drawLanes(s) {
  const [first, second] = s.story.config.pre ? ["x", "add1"] : ["x", "n1"];
  const shown = s.until("layers", -0.8, -0.5);
  s.pen.fade(shown, () => {
    lane(s, first, "add1", part(s.op("join"), 0.1, 0.8));
    lane(s, second, "add2", part(s.op("feed-forward"), 0.1, 0.9));
  });
}

function lane(s, from, to, p) {
  const { pen, E, story } = s;
  const [a, b] = [s.seat(from), s.seat(to)];
  if (p <= 0 || b.there < 0.01) return;
  const start = a.x + a.w;
  const end = mix(start, b.x, ease(p));
  if (end - start < 8) return;
  for (let r = 0; r < E.n; r++) {
    const hero = r === story.source;
    const [y, deep] = [E.tops[r] + E.heights[r] * 0.95, E.heights[r] * 0.16];
    const { g } = pen;
    g.strokeStyle = pen.colour(hero ? "residual" : "line");
    g.lineWidth = hero ? 3 : 1.5;
    g.beginPath();
    g.moveTo(start, y - deep);
    g.quadraticCurveTo(start + 1, y, start + 7, y);
    g.lineTo(end - 7, y);
    if (p >= 1) g.quadraticCurveTo(end - 1, y, end, y - deep);
    g.stroke();
    if (!hero || p < 1) continue;
    pen.box(end - 24, y - 9, 18, 18, { fill: "ground", line: "residual", thick: 2, radius: 9 });
    pen.write("+", end - 15, y + 0.5, [15, 700, "residual", "center"]);
  }
}

/** The table of embeddings: each id pulls its row out. */
function drawTable(s) {
  const { pen, E, story } = s;
  const here = s.since("vectors", -0.85, -0.6) * s.until("vectors", 0.05, 0.3);
  const seat = s.seat("emb");
  const ids = s.seat("ids");
  if (here <= 0 || seat.w < 20) return;
  const room = s.f.x + s.f.w - seat.x - seat.w;
  const w = Math.min(s.f.phone ? 34 : 120, Math.max(24, room - 30));
  const x = s.f.x + s.f.w - w;
  const heightOf = (id) => E.top + ((E.bottom - E.top) * (id + 0.5)) / story.config.src_vocab;
  pen.fade(here, () => {
    pen.box(x, E.top, w, E.bottom - E.top, { fill: "panel", line: "line", radius: 6 });
    if (!s.f.phone) {
      pen.write(s.text.table, x + w / 2, E.top - 32, [14, 700, "input", "center", w + 40]);
      pen.write(
        s.fill("table_sub", { n: s.whole(story.config.src_vocab) }),
        x + w / 2,
        E.top - 14,
        [12, 400, "quiet", "center", w + 40],
      );
    }
    story.src.forEach((token, r) => {
      const [y, q] = [heightOf(token.id), turn(s.op("vectors"), r, E.n)];
      if (q <= 0) return;
      const hero = r === story.source;
      pen.box(x + 4, y - 1, w - 8, 2, { fill: hero ? "heroFill" : "input", radius: 1 });
      if (s.f.phone) return;
      pen.fade(hero ? 1 : 0.3, () =>
        pen.curve([x, y], [seat.x + seat.w + 6, E.middle(r)], {
          role: hero ? "heroFill" : "line",
          thick: hero ? 2.5 : 1.2,
          shown: q,
        }),
      );
    });
  });
  story.src.forEach((token, r) => {
    const q = turn(s.op("vectors"), r, E.n);
    const start = [x + 4, heightOf(token.id) - 2, w - 8, 4];
    if (q > 0 && q < 1) s.fly("emb", r, start, s.place("emb", r), ease(q), q * 3);
  });
  const pulls = here * part(s.op("vectors"), 0, 0.3) * s.until("vectors", -0.02, 0);
  const [from, to] = [E.middle(story.source), heightOf(story.src[story.source].id)];
  const look = { role: "heroFill", thick: 2, dash: [2, 5] };
  pen.fade(pulls, () => pen.curve([ids.x + ids.w, from], [x, to], look));
}

function drawWords(s) {
  const { E, story } = s;
  const p = s.op("tokens");
  s.cellColumn("ids", (r) => story.src[r].id, { p: p * 1.15, write: (v) => String(v), flat: true });
  const pulled = (r) => (turn(s.op("vectors"), r, E.n) >= 1 ? 1 : 0);
  s.strip("emb", { alphaOf: s.op("vectors") < 1 ? pulled : null, whole: true });
  s.strip("pos", { p: part(s.op("position"), 0, 0.45), from: s.f.w * 0.25 });
  s.strip("x", { p: part(s.op("position"), 0.7, 1), whole: true });
  const slides = part(s.op("position"), 0.4, 0.95);
  if (slides <= 0 || slides >= 1) return;
  for (const id of ["emb", "pos"])
    for (let r = 0; r < E.n; r++) {
      const q = ease(turn(slides, r, E.n, 0.4));
      s.fly(id, r, s.place(id, r), s.place("x", r), q, 0.75 * (1 - q * 0.6));
    }
}

function drawOneHead(s) {
  const { story } = s;
  drawWho(s);
  const q = s.op("qkv");
  const pre = story.config.pre;
  if (pre) s.strip("n1", { p: part(q, 0, 0.35), from: s.seat("x").x - s.seat("n1").x });
  const home = s.seat(pre ? "n1" : "x").x;
  const dim = s.since("score", -0.9, -0.65) * s.until("softmax", 0.1, 0.4);
  const asks = (r) => (r === story.source ? 1 : mix(1, 0.15, dim));
  s.strip("q", { p: part(q, 0.25, 1), from: home - s.seat("q").x, alphaOf: dim ? asks : null });
  s.strip("k", { p: part(q, 0.25, 1), from: home - s.seat("k").x });
  const top = story.weights[story.order[0]];
  const sums = s.op("sum");
  const faded = ease(part(sums, 0, 0.35)) * s.until("rows", -0.8, -0.4);
  s.strip("v", {
    p: part(q, 0.25, 1),
    from: home - s.seat("v").x,
    alphaOf: faded ? (r) => mix(1, 0.08 + (0.92 * story.weights[r]) / top, faded) : null,
  });
  const row = rowOf(story.arrays.s, story.source);
  const scaled = rowOf(story.arrays.sc, story.source);
  const [scoring, scaling] = [s.op("score"), part(s.op("softmax"), 0, 0.35)];
  s.cellColumn("s", (r) => row[r], { p: scoring, write: (v) => s.num(v, 1), array: "scores" });
  s.cellColumn("sc", (r) => scaled[r], { p: scaling, write: (v) => s.num(v, 2), array: "scaled" });
  drawBars(s);
  drawQuery(s);
  drawFall(s, top);
  const all = part(s.op("rows"), 0.4, 1);
  s.strip("z", { p: part(sums, 0.62, 1), only: story.source, whole: true });
  if (all > 0) s.strip("z", { p: all, alphaOf: (r) => (r === story.source ? 0 : 1) });
}

/** Lines from the hero to all others, as wide as their shares. */
function drawWho(s) {
  const { pen, E, story } = s;
  const [seat, names] = [s.seat("who"), s.seat("names")];
  if (seat.there < 0.01 || seat.w < 8) return;
  const p = s.op("who");
  const from = [seat.x + 2, E.middle(story.source)];
  const top = story.weights[story.order[0]];
  story.src.forEach((token, r) => {
    const share = story.weights[r];
    const best = r === story.order[0];
    const q = ease(turn(p, story.order.indexOf(r), E.n));
    pen.fade(seat.there * seat.open * q, () => {
      const to = [seat.x + seat.w - 6, E.middle(r)];
      const line = { role: pen.shade(0.2 + 0.8 * share).fill, thick: 1 + 17 * share, shown: q };
      pen.fade(0.35 + 0.65 * (share / top), () => pen.curve(from, to, line));
      const [size, end] = [s.size(E, r, 16), names.x + names.w];
      const own = r === story.source;
      const look = [size, best || own ? 700 : 500, own ? "heroInk" : best ? "ink" : "quiet"];
      const style = [...look, "left", names.w - (s.f.phone ? 36 : 54)];
      pen.write(s.name(token), names.x + 4, to[1], style);
      const ink = [Math.max(11, size * 0.9), best ? 700 : 400, best ? "ink" : "quiet", "right"];
      s.number(share, [WEIGHTS, story.head, story.source, r], s.percent(share), end, to[1], ink);
    });
  });
}

/** Scaled scores become bars whose lengths are shares; together they are 100 %. */
function drawBars(s) {
  const { pen, E, story, shares } = s;
  const seat = s.seat("w");
  const p = settle(part(s.op("softmax"), 0.4, 1));
  if (seat.w < 0.4 || p <= 0) return;
  const top = Math.max(...shares);
  const label = seat.open > 0.6 && seat.w > (s.f.phone ? 60 : 90) ? (s.f.phone ? 44 : 62) : 0;
  const gone = s.flying("rows");
  for (let r = 0; r < E.n; r++) {
    const cell = E.cell(r);
    const best = r === story.order[0];
    pen.fade(seat.there, () => {
      pen.box(seat.x, cell.y, seat.w, cell.h, { fill: "panel", radius: 4 });
      const long = Math.max(2, ((seat.w - label) * shares[r] * p) / top);
      const fill = pen.shade(0.25 + 0.75 * Math.sqrt(shares[r])).fill;
      pen.fade(gone ? 0.35 : 1, () => pen.box(seat.x, cell.y, long, cell.h, { fill, radius: 4 }));
      if (!label) return;
      const look = [s.size(E, r, 16), best ? 700 : 500, best ? "ink" : "quiet"];
      const at = [WEIGHTS, story.head, story.source, r];
      const [says, end] = [s.percent(shares[r] * p), p === 1 && s.temperature === 1];
      pen.fade((seat.open - 0.6) / 0.4, () =>
        s.number(story.weights[r], at, says, seat.x + long + 7, E.middle(r), look, end),
      );
    });
  }
  const still =
    part(p, 0.9, 1) * seat.open * s.since("softmax", -0.2, 0) * s.until("softmax", 0, 0.2);
  if (seat.w > 150 && !s.f.phone)
    pen.fade(still, () =>
      pen.write(s.text.all_100, seat.x + seat.w, E.bottom + 12, [13, 600, "quiet", "right"]),
    );
}

/** The query slides over each key; the score of each fills its cell. */
function drawQuery(s) {
  const { pen, E, story } = s;
  const p = s.op("score");
  if (p <= 0 || p >= 1) return;
  const [q, k, score] = [s.seat("q"), s.seat("k"), s.seat("s")];
  const at = clamp(p * (E.n + 0.6) - 0.6, 0, E.n - 1);
  const row = Math.floor(at);
  const enter = ease(part(p, 0, 0.08));
  const y = mix(E.cell(row).y, E.cell(Math.min(row + 1, E.n - 1)).y, ease(part(at - row, 0.55, 1)));
  const [x, w] = [mix(q.x, k.x, enter), mix(q.w, k.w, enter)];
  const h = Math.max(7, E.heights[row] * 0.31);
  const top = mix(E.cell(story.source).y, y - 2, enter);
  pen.fade(1 - part(p, 0.97, 1), () => {
    pen.lifted(x - 3, top - 3, w + 6, h + 6, "query");
    pen.cells(story.arrays.q, story.source, x, top, w, h, { role: "query", scale: s.scale("q") });
    pen.curve([x + w + 5, top + h / 2], [score.x - 3, E.middle(row)], { role: "query", thick: 2 });
  });
}

/** Each value, faded to its share, falls into z. */
function drawFall(s, top) {
  const { E, story } = s;
  const p = part(s.op("sum"), 0.3, 0.95);
  if (p <= 0 || p >= 1) return;
  for (let r = 0; r < E.n; r++) {
    const share = story.weights[r] / top;
    const q = ease(clamp(p * 1.5 - 0.5 * (1 - share)));
    if (q <= 0 || q >= 1) continue;
    s.fly(
      "v",
      r,
      s.place("v", r),
      s.place("z", story.source),
      q,
      clamp(0.15 + share) * (1 - q / 2),
    );
  }
}

function drawHeads(s) {
  const { E, story } = s;
  const own = `h${story.head}`;
  const lies = part(s.op("rows"), 0, 0.42);
  const folded = s.T > s.index("layers") - 0.4;
  for (const one of s.columns) {
    if (!/^h\d/.test(one.id)) continue;
    if (folded && one.id !== own) continue;
    const block = slice(story.arrays.ew, 0, one.head);
    const path = [WEIGHTS, one.head];
    if (one.id === own)
      s.map(own, block, E, {
        p: s.T >= s.index("rows") ? 1 : part(s.op("rows"), 0.42, 1),
        rowShown: lies >= 1 ? story.source : -1,
        rowHidden: lies < 1 ? story.source : -1,
        hero: lies >= 1 ? story.source : -1,
        names: s.T < s.index("heads") - 0.3 ? story.src : null,
        path,
      });
    else s.map(one.id, block, E, { p: s.op("heads"), hero: story.source, path });
    drawHeadName(s, one, block);
  }
  if (lies > 0 && lies < 1) drawLyingBars(s, own, lies);
}

function drawHeadName(s, one, block) {
  const { pen, E, story } = s;
  const seat = s.seat(one.id);
  const least = s.f.phone ? 26 : 50;
  const here = s.since("heads", -0.7, -0.3) * s.until("join", -0.8, -0.5);
  if (seat.w < least || here <= 0) return;
  const own = one.head === story.head;
  const row = rowOf(block, story.source);
  const key = row.indexOf(Math.max(...row));
  pen.fade(here * seat.open, () => {
    const middle = seat.x + seat.w / 2;
    const wide = seat.w > 84;
    const name = wide ? s.fill("head_n", { n: one.head + 1 }) : String(one.head + 1);
    const ink = own ? "heroInk" : "ink";
    pen.write(name, middle, E.top - (wide ? 50 : 18), [15, 700, ink, "center"]);
    if (!wide) return;
    const role = s.roleOf("encoder", 0, one.head);
    if (role) pen.write(role, middle, E.top - 32, [12, 400, "quiet", "center", seat.w + 12]);
    const says = `→ ${s.name(story.src[key])} ${s.percent(row[key])}`;
    const look = [12.5, own ? 700 : 400, own ? "heroInk" : "quiet", "center", seat.w + 12];
    pen.write(says, middle, E.top - 15, look);
  });
}

/** The bars lie down and become the hero's row of the map. */
function drawLyingBars(s, own, lies) {
  const { pen, E, story } = s;
  const [bars, map] = [s.seat("w"), s.seat(own)];
  const width = map.w / E.n;
  const top = story.weights[story.order[0]];
  const target = {
    y: E.tops[story.source] + E.heights[story.source] * 0.1,
    h: E.heights[story.source] * 0.8,
  };
  for (let r = 0; r < E.n; r++) {
    const q = ease(turn(ease(lies), r, E.n, 0.4));
    const cell = E.cell(r);
    const share = story.weights[r];
    const bar = Math.max(3, ((bars.w - (bars.w > 90 ? 62 : 0)) * share) / top);
    const x = mix(bars.x, map.x + r * width, q);
    const y = mix(cell.y, target.y, q) - Math.sin(q * Math.PI) * 20;
    pen.box(x, y, mix(bar, width - 1, q), mix(cell.h, target.h, q), {
      fill: pen.shade(mix(0.25 + 0.75 * Math.sqrt(share), share, q)).fill,
      radius: mix(4, 0, q),
    });
  }
}

function drawLayer(s) {
  const { pen, E, story } = s;
  const { config } = story;
  const p = s.op("join");
  if (p > 0) {
    const seat = s.seat("cat");
    const piece = seat.w / config.n_heads;
    const d = story.arrays.cat.shape[1] / config.n_heads;
    const count = Math.min(d, 8);
    if (p >= 1 && seat.open < 0.3) s.strip("cat", { p: 1 });
    else
      for (let r = 0; r < E.n; r++)
        for (let h = 0; h < config.n_heads; h++) {
          const q = ease(clamp(p * 2.2 - 0.4 * (r / E.n) - 0.05 * h));
          if (q <= 0) continue;
          const from = s.seat(`h${h}`);
          const cell = E.cell(r);
          const wide = Math.max(0.5, piece - (piece > 12 ? 5 : 0));
          const [x, w] = [mix(from.x, seat.x + h * piece, q), mix(from.w, wide, q)];
          const look = { role: "output", scale: s.scale("cat"), from: h * d, count };
          const edge = { line: h === story.head ? "heroInk" : "output", radius: 0 };
          pen.fade(seat.there * clamp(q * 2), () => {
            pen.cells(story.arrays.cat, r, x, cell.y, w, cell.h, look);
            if (w > 16)
              pen.fade(0.5, () => pen.box(x - 0.5, cell.y - 0.5, w + 1, cell.h + 1, edge));
          });
        }
  }
  s.strip("o", { p: part(p, 0.4, 0.75) });
  s.strip("add1", { p: part(p, 0.6, 1), from: s.seat("o").x - s.seat("add1").x });
  if (!config.pre) s.strip("n1", { p: part(p, 0.8, 1), from: s.seat("add1").x - s.seat("n1").x });
  const f = s.op("feed-forward");
  const [norm, hidden] = [config.pre ? "n2" : "", part(f, 0.42, 0.62)];
  if (norm) s.strip("n2", { p: part(f, 0, 0.25), from: s.seat("add1").x - s.seat("n2").x });
  if (hidden < 1) s.strip("pre", { p: part(f, 0.12, 0.42) });
  if (hidden > 0) pen.fade(hidden, () => s.strip("pre", { p: 1, array: "hid", over: hidden < 1 }));
  s.strip("ff", {
    p: part(f, 0.62, 0.85),
    from: Math.min(0, s.seat("pre").x + s.seat("pre").w - 60 - s.seat("ff").x),
  });
  s.strip("add2", { p: part(f, 0.75, 1), from: s.seat("ff").x - s.seat("add2").x });
  if (!config.pre) s.strip("n2", { p: part(f, 0.9, 1), from: s.seat("add2").x - s.seat("n2").x });
  const layers = s.op("layers");
  const count = Math.max(1, config.n_encoder - 1);
  for (const one of s.columns) {
    if (!/^l\d/.test(one.id)) continue;
    const i = one.layer - 1;
    const head = clearHead(s, one.layer);
    s.map(one.id, slice(story.arrays.ew, one.layer, head), E, {
      p: part(layers, (0.6 * i) / count, (0.6 * i) / count + 0.35),
      hero: story.source,
      path: [`encoder.${one.layer}.self_attn.weights`, head],
    });
  }
  s.strip("mem", { p: part(layers, 0.65, 1), from: -40 });
}
