// How things move: numbers from 0 to 1, and what share of a stop's transition an operation takes.

const SEATS_MS = 620; // the time in which the seats move, before the operation is shown

/** @param {number} value */
export function clamp(value, low = 0, high = 1) {
  return Math.min(Math.max(value, low), high);
}

/** @param {number} from @param {number} to @param {number} part */
export function mix(from, to, part) {
  return from + (to - from) * part;
}

/** Start and end slowly. @param {number} t */
export function ease(t) {
  return t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2;
}

/** Start quickly and end slowly. @param {number} t */
export function settle(t) {
  return 1 - (1 - t) ** 3;
}

/** Return how far `p` is on its way from `a` to `b`. @param {number} p @param {number} a @param {number} b */
export function part(p, a, b) {
  return clamp((p - a) / (b - a));
}

/** Return how far the one at `i` of `n` is, where each starts a little after the one before it.
 * @param {number} p @param {number} i @param {number} n */
export function turn(p, i, n, overlap = 0.5) {
  return clamp(p * (1 + overlap) - (overlap * i) / Math.max(1, n));
}

/** Return the share of a transition in which the seats move. @param {number} ms */
export function seatShare(ms) {
  return clamp(SEATS_MS / Math.max(ms, 1), 0.2, 0.72);
}

/** Return the point of a curve with level ends at `t`: [x, y].
 * @param {number[]} from @param {number[]} to @param {number} t */
export function alongCurve(from, to, t) {
  const middle = (from[0] + to[0]) / 2;
  const at = (a, b, c, d) =>
    (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t ** 3 * d;
  return [at(from[0], middle, middle, to[0]), at(from[1], from[1], to[1], to[1])];
}
