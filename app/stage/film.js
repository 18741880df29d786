// Films and pictures of the stage: what a film shows at each moment, its frames with the band below
// the picture, and the files that are saved.
import { stageOf } from "./draw.js";
import { clamp, mix, part } from "./motion.js";
import { penOf } from "./pen.js";
import { FRAMES_A_SECOND, record } from "./record.js";

const [WIDTH, HEIGHT, BAND] = [1280, 720, 96];
const SHARP = 2; // pixels of a picture for each of its film
const WAY = { opening: 700, through: 7_700, ending: 1_100, card: 500, last: "loop" };
const ONE = { before: 400, card: 1_600 }; // milliseconds around the motion of a single stop
const EVEN = 0.7; // how much of a stop's own length it keeps in the film of the whole way
const CLEARED = 0.72; // before a stop: what was learned is gone, and what comes begins
const VEIL_MS = 160;

/**
 * What a film shows at a moment: where T stands, how far its last words have come, and how much of
 * the picture a cut veils.
 * @typedef {{ ms: number, at: (ms: number) => { T: number, ends: number, veil: number } }} Film
 */

/** Return the film of the whole way: up to the last written word, then the way of the one that is
 * followed. @param {any[]} stops @returns {Film} */
export function wholeWay(stops) {
  const last = stops.findIndex((one) => one.slug === WAY.last);
  const lengths = stops.slice(1, last + 1).map((one) => one.ms ** EVEN);
  const all = lengths.reduce((sum, one) => sum + one, 0);
  const cut = WAY.opening + WAY.through;
  const end = stops.length - 1;
  const through = (ms) => {
    let left = (ms / WAY.through) * all;
    const at = lengths.findIndex((one) => {
      left -= one;
      return left < 0;
    });
    return at < 0 ? last : at + 1 + left / lengths[at];
  };
  const at = (ms) => ({
    T:
      ms < cut
        ? through(Math.max(0, ms - WAY.opening))
        : mix(end - CLEARED, end, part(ms, cut, cut + WAY.ending)),
    ends: part(ms, cut, cut + VEIL_MS),
    veil: 1 - clamp(Math.abs(ms - cut) / VEIL_MS),
  });
  return { ms: cut + WAY.ending + WAY.card, at };
}

/** Return the film of a single stop. @param {any[]} stops @param {number} stop @returns {Film} */
export function oneStop(stops, stop) {
  const end = ONE.before + stops[stop].ms;
  const at = (ms) => ({
    T: stop === 0 ? 0 : stop - 1 + part(ms, ONE.before, end),
    ends: part(ms, end, end + VEIL_MS),
    veil: 0,
  });
  return { ms: end + ONE.card, at };
}

/**
 * Return what saves films and pictures of a sentence.
 * @param {any} what the story with its columns and stops, colours, font, texts, and the words below
 */
export function studioOf({ story, columns, stops, colours, font, text, titles, model, link }) {
  const canvas = document.createElement("canvas");
  const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  const pen = penOf(g, colours, font);
  const paint = stageOf(story, columns, stops, pen, text, WIDTH, HEIGHT - BAND);

  /** Draw one frame: the picture, and below it what one sees, at last of what it is. */
  function draw({ T, ends, veil }, title, stop, choices = {}) {
    g.setTransform(canvas.width / WIDTH, 0, 0, canvas.height / HEIGHT, 0, 0);
    paint(T, choices);
    const top = HEIGHT - BAND;
    const most = WIDTH - 52;
    const large = [28, 700];
    pen.fade(veil, () => pen.box(0, 0, WIDTH, top, { fill: "ground", radius: 0 }));
    pen.box(0, top, WIDTH, BAND, { fill: "panel", radius: 0 });
    pen.box(0, top, WIDTH, 1, { fill: "line", radius: 0 });
    pen.fade(1 - ends, () => pen.write(title, 26, top + BAND / 2, [...large, "ink", "left", most]));
    pen.fade(ends, () => {
      const said = `${story.text} → ${story.output}`;
      const size = clamp((28 * most) / pen.width(said, large), 15, 26);
      pen.write(said, 26, top + 34, [size, 700, "ink", "left", most]);
      pen.write(`${model} · ${link(stop)}`, 26, top + 69, [17, 400, "quiet", "left", most]);
    });
  }
  /** Return the frames of the whole way, or of a stop: how many, and what draws each on the canvas.
   * @param {number | null} stop */
  function frames(stop) {
    [canvas.width, canvas.height] = [WIDTH, HEIGHT];
    const film = stop === null ? wholeWay(stops) : oneStop(stops, stop);
    const count = Math.round((film.ms / 1000) * FRAMES_A_SECOND);
    const frame = (i) => {
      const moment = film.at(((i + 1) * 1000) / FRAMES_A_SECOND);
      const { act } = stops[Math.round(moment.T)];
      draw(moment, stop === null ? text.acts[act] : titles[stop], stop ?? 0);
    };
    return { canvas, count, frame };
  }
  /** Return a film as a file. @param {number | null} stop @param {"webm" | "mp4"} kind
   * @param {(done: number) => void} tell */
  function film(stop, kind, tell) {
    return record({ ...frames(stop), kind, tell });
  }
  /** Return the picture at a stop as a PNG. @param {number} stop @param {any} choices
   * @returns {Promise<Blob | null>} */
  function picture(stop, choices) {
    [canvas.width, canvas.height] = [WIDTH * SHARP, HEIGHT * SHARP];
    draw({ T: stop, ends: 1, veil: 0 }, "", stop, choices);
    return new Promise((done) => canvas.toBlob(done));
  }
  return { frames, film, picture };
}

/** Return a link to what is shown: it keeps sentence and model, stop and word.
 * @param {Record<string, string>} choices @param {string} anchor */
export function linkTo(choices, anchor) {
  const link = new URL(location.href);
  link.pathname = link.pathname.replace(/[^/]*$/, "tour");
  for (const [name, value] of Object.entries(choices)) link.searchParams.set(name, value);
  link.searchParams.delete("stop"); // the anchor names it
  link.hash = anchor;
  return link.href;
}
