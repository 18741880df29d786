// Where everything stands: rows keep their heights, columns are hidden, thin or open. A pure
// function of T and of the window.
import { clamp, ease, mix, seatShare } from "./motion.js";

const PHONE = 640; // pixels: narrower windows open fewer columns at a time
const THIN = 11;
const MAX_ROW = 70;
const [TALL, TALL_PHONE] = [30, 22]; // of the rows that matter, where the others are low

/** Return where the picture has its parts. @param {number} width @param {number} height */
export function frameOf(width, height) {
  const phone = width < PHONE;
  const [map, heads, side] = phone
    ? [34, 46, 8]
    : [height < 600 ? 46 : 56, height < 600 ? 62 : 78, 26];
  const y = map + heads;
  return {
    phone,
    map,
    heads,
    x: side,
    w: width - 2 * side,
    y,
    h: height - y - (phone ? 8 : 20),
    width,
    height,
  };
}

/**
 * Return the rows of a side; where there are many, those in `focus` stay tall.
 * @param {{ phone: boolean, y: number, h: number }} frame @param {number} n @param {number[]} focus
 */
export function rowsOf(frame, n, focus) {
  const tall = frame.phone ? TALL_PHONE : TALL;
  const pitch = Math.min(MAX_ROW, frame.h / n);
  const large =
    pitch < (frame.phone ? 18 : 24) ? [...new Set(focus)].filter((r) => r >= 0 && r < n) : [];
  const rest = large.length
    ? (frame.h - tall * large.length) / Math.max(1, n - large.length)
    : pitch;
  /** @type {number[]} */
  const heights = [];
  /** @type {number[]} */
  const tops = [];
  const top = frame.y + (frame.h - (large.length ? frame.h : pitch * n)) / 2;
  let y = top;
  for (let r = 0; r < n; r++) {
    heights.push(large.includes(r) ? tall : rest);
    tops.push(y);
    y += heights[r];
  }
  return {
    n,
    top,
    bottom: y,
    pitch,
    heights,
    tops,
    middle: (r) => tops[r] + heights[r] / 2,
    cell: (r) => ({ y: tops[r] + heights[r] * 0.19, h: heights[r] * 0.62 }),
  };
}

/**
 * @typedef {{ x: number, w: number, open: number, there: number }} Seat
 * @typedef {{ columns: any[], stops: any[], tokens: number, frame: any }} Plan
 */

/** Return the seats of all columns at a stop. @param {Plan} plan @param {number} at */
function seatsAtStop({ columns, stops, tokens, frame }, at) {
  const stop = stops[at];
  const { phone } = frame;
  const open = (phone && stop.phone) || stop.open;
  const come = new Map(stops.flatMap((one, i) => one.shows.map((id) => [id, i])).reverse());
  const shown = columns.filter((one) => come.get(one.id) <= at && !(one.passes && !open[one.id]));
  const inLayer = (one) =>
    /^(n|q$|k$|s|sc|w$|v$|z$|h\d|cat|o$|add|pre|ff)/.test(one.id) || one.act === "in";
  const fold = (one) => stop.folded && (inLayer(one) || one.act === "layers");
  const gone = (one) => stop.learned && !open[one.id];
  const thin = (one) => {
    if (gone(one)) return 0;
    if (one.kind === "names") return phone ? 2 : 60;
    if (one.id === "read") return phone ? 30 : 60;
    if (fold(one)) return one.act === "layers" ? (phone ? 3 : 8) : phone ? 0.3 : 0.8;
    return phone ? 2.5 : THIN;
  };
  const gap = (a, b) => {
    if (!a) return phone ? 5 : 16;
    const [oa, ob] = [open[a.id], open[b.id]];
    const block = (one) => fold(one) && one.act !== "layers";
    if (gone(a) || gone(b)) return 0;
    if (stop.folded && block(a) && block(b)) return oa || ob ? 2 : 0.1;
    if (a.kind === "map" && b.kind === "map" && a.act === "heads" && b.act === "heads")
      return oa > 50 ? (phone ? 3 : 14) : 2;
    if (a.id === "who" || b.id === "ln" || a.id === "ln") return 6;
    if (stop.folded && block(a) && b.act === "layers" && ob) return phone ? 8 : 26;
    if (a.act === "layers" || b.act === "layers")
      return oa && ob ? (phone ? 5 : 24) : phone ? 3 : 10;
    if (oa && ob) return phone ? 8 : 34;
    return oa || ob ? (phone ? 4 : 16) : phone ? 0.4 : 3;
  };
  const labels = stop.learned || (phone && stop.folded && at > 13) ? 0 : tokens;
  let fixed = 0;
  let wide = 0;
  shown.forEach((one, i) => {
    fixed += gap(shown[i - 1], one);
    if (open[one.id]) wide += open[one.id];
    else fixed += thin(one);
  });
  const spare = stop.spare?.[phone ? 1 : 0] ?? 0;
  const room = frame.w - labels - fixed - spare;
  const scale = wide ? Math.min(phone ? 1.7 : 1.25, room / wide) : 1;
  let x = frame.x + labels + (room - scale * wide) / 2;
  /** @type {Record<string, Seat>} */
  const seats = { tokens: { x: x - labels, w: labels, open: 1, there: labels ? 1 : 0 } };
  let before;
  for (const one of columns) {
    if (!shown.includes(one)) {
      seats[one.id] = { x: x + (phone ? 4 : 20), w: 0, open: 0, there: 0 };
      continue;
    }
    x += gap(before, one);
    const w = open[one.id] ? open[one.id] * scale : thin(one);
    seats[one.id] = { x, w, open: open[one.id] ? 1 : 0, there: gone(one) ? 0 : 1 };
    x += w;
    before = one;
  }
  return seats;
}

/** Return a function from T to the seats, which remembers each stop's. @param {Plan} plan */
export function seatsOf(plan) {
  /** @type {Record<string, Seat>[]} */
  const known = [];
  const last = plan.stops.length - 1;
  const still = (at) => {
    known[at] ??= seatsAtStop(plan, at);
    return known[at];
  };
  return (/** @type {number} */ T) => {
    const at = clamp(Math.floor(T), 0, last);
    const [from, to] = [still(at), still(Math.min(at + 1, last))];
    const moved = ease(clamp((T - at) / seatShare(plan.stops[Math.min(at + 1, last)].ms)));
    if (moved === 0) return from;
    /** @type {Record<string, Seat>} */
    const seats = {};
    for (const id in to) {
      const between = (name) => mix(from[id][name], to[id][name], moved);
      seats[id] = {
        x: between("x"),
        w: between("w"),
        open: between("open"),
        there: between("there"),
      };
    }
    return seats;
  };
}
