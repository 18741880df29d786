// The left column holds the keys, the right one the queries that attend to them.
import { join, make, makeButton, makeSvg, markOne, onLeave, rove, say } from "../shared/dom.js";
import { inCell, share, signed } from "../shared/number.js";
import { decode, fill, largest } from "../shared/text.js";

const ROW = 26;
const LEAST = 0.02; // a smaller weight is not drawn while nothing is chosen
const BEAT = 1300; // milliseconds per word during playback
const FACING = { key: "query", query: "key" };

export function build(view, fixed) {
  const { queries, keys, languages, unheard, text, reach } = fixed;
  const labels = { key: keys, query: queries };
  const weights = decode(fixed.weights, Float32Array);
  const weight = (query, key) => weights[query * keys.length + key];
  const write = reach ? signed : share;
  const strength = (query, key) => Math.abs(weight(query, key) || 0) / (reach ?? 1);
  const height = ROW * Math.max(queries.length, keys.length);
  const spot = (index, count) => ((index + 0.5) * height) / count;
  /** @type {{ side: "query" | "key", index: number } | null} */
  let locked = null;
  let width = 90; // of the canvas

  const readout = make("p", "readout");
  const canvas = makeSvg("svg", { height, "aria-hidden": "true", preserveAspectRatio: "none" });
  const words = {
    key: keys.map((_, i) => word("key", i)),
    query: queries.map((_, i) => word("query", i)),
  };
  const all = [...words.key, ...words.query];
  const titles = [make("div", "title key", text.keys), make("div")];
  titles.push(make("div", "title query", text.queries));
  const columns = [...titles, column("key"), canvas, column("query")];
  const sheet = make("div", "view", columns, { role: "group", "aria-label": text.name });
  const [less, , , , , , more] = view.palette.signed;
  sheet.style.setProperty("--less", less);
  sheet.style.setProperty("--more", more);
  view.root.append(readout, sheet);
  if (unheard) {
    sheet.classList.add("unheard");
    view.root.append(make("div", "legend", [make("span", "", `┄ ${unheard}`)]));
  }
  const paths = queries.flatMap((_, q) =>
    keys.map((_, k) => ({ q, k, path: /** @type {SVGPathElement | null} */ (null) })),
  );
  rove(all, all[0]);
  onLeave(sheet, rest);
  sheet.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !locked) return;
    event.preventDefault();
    lock(locked.side, locked.index);
  });
  view.watchWidth(span);
  if (fixed.plays && !matchMedia("(prefers-reduced-motion: reduce)").matches) play();
  return (chosen) => {
    locked = fromPin(chosen);
    markOne(all, locked && words[locked.side][locked.index], "locked", "aria-pressed");
    rest();
  };

  /** @param {import("../shared/types").Pin | null} pin @returns {typeof locked} */
  function fromPin(pin) {
    if (pin?.query != null) return { side: "query", index: pin.query };
    return pin?.key == null ? null : { side: "key", index: pin.key };
  }
  function column(side) {
    const element = make("div", `column ${side}`, words[side]);
    element.style.height = `${height}px`;
    return element;
  }
  function word(side, index) {
    const parts = [make("span", "token", labels[side][index]), make("span", "number")];
    parts[0].lang = languages[side];
    const attributes = { role: "button", "aria-label": sentence(side, index) };
    const element = make("div", "word soft", parts, attributes);
    join(element, () => all, {
      moves: () => moves(side, index),
      look: () => look(side, index),
      choose: () => lock(side, index),
    });
    return element;
  }
  function moves(side, index) {
    const facing = words[FACING[side]];
    const across = facing[Math.min(index, facing.length - 1)];
    return {
      ArrowUp: words[side][index - 1],
      ArrowDown: words[side][index + 1],
      ArrowLeft: side === "query" ? across : undefined,
      ArrowRight: side === "key" ? across : undefined,
    };
  }
  /** Show one query after the other, until the visitor points at a word or pauses. */
  function play() {
    let at = -1;
    let paused = false;
    const pause = makeButton("pause", text.pause, () => {
      paused = !paused;
      pause.textContent = paused ? text.play : text.pause;
    });
    view.root.append(pause);
    const timer = setInterval(() => {
      if (!sheet.isConnected) return clearInterval(timer);
      if (paused || document.hidden || sheet.matches(":hover, :focus-within")) return;
      at = (at + 1) % (queries.length + 2); // all of them together, for two beats
      if (at < queries.length) look("query", at);
      else rest();
      words.query.forEach((element, i) => element.classList.toggle("unwritten", i > at));
    }, BEAT);
  }
  function numberOf(weight) {
    if (Number.isNaN(weight)) return ""; // one of the two runs does not read this word
    return reach ? inCell(weight, 2, signed) : share(weight, 2);
  }
  /** Return the weights between a word and all words of the other column. */
  function weightsOf(side, index) {
    return labels[FACING[side]].map((_, i) =>
      side === "query" ? weight(index, i) : weight(i, index),
    );
  }
  function sentence(side, index) {
    const top = largest(weightsOf(side, index), labels[FACING[side]], write);
    const template = side === "query" ? text.looks : text.looked_at;
    return fill(template, { word: labels[side][index], top });
  }
  function look(side, index, prefix = "") {
    const seen = weightsOf(side, index);
    all.forEach((element) => element.classList.remove("chosen", "seen"));
    words[side][index].classList.add("chosen");
    words[FACING[side]].forEach((element, i) => {
      element.classList.add("seen");
      element.style.setProperty("--weight", String(Math.abs(seen[i] || 0) / (reach ?? 1)));
      element.lastChild.textContent = numberOf(seen[i]);
    });
    canvas.classList.toggle("from-key", side === "key");
    fade((q, k) => index === (side === "query" ? q : k));
    say(readout, prefix + sentence(side, index));
  }
  function rest() {
    if (locked) return look(locked.side, locked.index, `${text.locked}: `);
    all.forEach((element) => element.classList.remove("chosen", "seen"));
    canvas.classList.remove("from-key");
    fade((q, k) => strength(q, k) >= LEAST);
    say(readout, text.hint, false);
  }
  function lock(side, index) {
    const same = side === locked?.side && index === locked?.index;
    const pin = { query: null, key: null, ...(same ? {} : { [side]: index }) };
    view.mark(pin);
    view.send(pin);
  }
  /** Make a line where it is first shown: a long sentence has thousands, and shows few. */
  function curve(q, k) {
    const look = reach ? ` ${weight(q, k) < 0 ? "less" : "more"}` : "";
    const path = makeSvg("path", {
      class: `soft${look}`,
      "stroke-width": 0.75 + 5 * strength(q, k),
      d: bent(q, k),
    });
    return canvas.appendChild(path);
  }
  /** Show some of the weights, the larger ones more opaque. */
  function fade(isShown) {
    for (const line of paths) {
      const { q, k } = line;
      const shown = isShown(q, k);
      if (shown) line.path ??= curve(q, k);
      if (line.path) line.path.style.opacity = shown ? String(0.1 + 0.9 * strength(q, k)) : "0";
    }
  }
  function bent(q, k) {
    const bend = width * 0.4;
    const [from, to] = [spot(k, keys.length), spot(q, queries.length)];
    return `M0 ${from}C${bend} ${from} ${width - bend} ${to} ${width} ${to}`;
  }
  function span() {
    width = canvas.clientWidth || 90;
    canvas.setAttribute("viewBox", `0 0 ${width} ${height}`);
    for (const { q, k, path } of paths) path?.setAttribute("d", bent(q, k));
  }
}
