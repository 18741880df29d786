// The mini-map above the picture: all columns, and a frame around those that are open.
import { clamp, ease, mix, seatShare } from "./motion.js";

const GAP = 5; // between the acts, in the width of a column's unit

/** Return where each column and act stands on the map. @param {any[]} columns @param {any} f */
export function mapOf(columns, f) {
  const shown = columns.filter((one) => one.map !== 0);
  const left = f.x + (f.phone ? 0 : 8);
  const room = f.w - (f.phone ? 44 : 16 + 74);
  const acts = [...new Set(shown.map((one) => one.act))];
  const unit =
    room / (shown.reduce((sum, one) => sum + (one.map ?? 5), 0) + GAP * (acts.length - 1));
  /** @type {Record<string, { x: number, w: number }>} */
  const places = {};
  /** @type {Record<string, { x: number, w: number }>} */
  const spans = {};
  let x = left;
  let act = acts[0];
  for (const one of shown) {
    if (one.act !== act) x += GAP * unit;
    act = one.act;
    const w = (one.map ?? 5) * unit;
    places[one.id] = { x, w };
    spans[act] ??= { x, w: 0 };
    spans[act].w = x + w - spans[act].x;
    x += w;
  }
  return { places, spans, y: f.phone ? 18 : 22, h: f.phone ? 10 : 13 };
}

/** @param {any} s the scene */
export function drawMap(s) {
  const { pen, f, columns, stops, T } = s;
  const { places, spans, y, h } = mapOf(columns, f);
  const last = stops.length - 1;
  const at = clamp(Math.floor(T), 0, last);
  const next = Math.min(at + 1, last);
  const moved = ease(clamp((T - at) / seatShare(stops[next].ms)));
  const reached = stops.slice(0, Math.ceil(T) + 1).flatMap((one) => one.shows);
  for (const one of columns) {
    const place = places[one.id];
    if (!place) continue;
    const role =
      one.role === "weights" ? pen.shade(0.6).fill : one.role === "hero" ? "heroFill" : one.role;
    pen.fade(reached.includes(one.id) ? 1 : 0.2, () =>
      pen.box(place.x, y - h / 2, Math.max(1, place.w - 1), h, { fill: role, radius: 2 }),
    );
  }
  const span = (i) => {
    const open = Object.keys(stops[i].open)
      .filter((id) => places[id])
      .map((id) => places[id]);
    if (!open.length) return { x: places.ids.x - 3, w: places.ids.w + 4 };
    const x = Math.min(...open.map((one) => one.x));
    return { x, w: Math.max(...open.map((one) => one.x + one.w)) - x };
  };
  const [a, b] = [span(at), span(next)];
  const [x, w] = [mix(a.x, b.x, moved), mix(a.w, b.w, moved)];
  pen.box(x - 3, y - h / 2 - 4, w + 5, h + 8, { line: "ink", thick: 2, radius: 5 });
  const now = stops[Math.round(T)].act;
  if (!f.phone)
    for (const [act, place] of Object.entries(spans)) {
      const look = [12, act === now ? 700 : 400, act === now ? "ink" : "quiet", "center"];
      if (act !== now && pen.width(s.text.acts[act], look) > place.w + 26) continue;
      pen.write(s.text.acts[act], place.x + place.w / 2, y + h / 2 + 14, look);
    }
  const style = [f.phone ? 12 : 14, 400, "quiet", "right"];
  pen.write(`${Math.round(T) + 1} / ${stops.length}`, f.x + f.w, y, style);
}
