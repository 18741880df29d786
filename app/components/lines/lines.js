// The left column holds the keys (looked at), the right one the queries (looking).
import { isEnter, make, makeSvg, onLeave, rove, say, walk } from "../shared/dom.js";
import { decode, fill, largest } from "../shared/text.js";

const ROW = 26;
const LEAST = 0.02; // a weaker look is not drawn while nothing is chosen

export function build(view, fixed) {
  const { root, send } = view;
  const { queries, keys, text } = fixed;
  const weights = decode(fixed.weights, Float32Array);
  const weight = (query, key) => weights[query * keys.length + key];
  const height = ROW * Math.max(queries.length, keys.length);
  const spot = (index, count) => ((index + 0.5) * height) / count;
  /** @type {{ side: "query" | "key", index: number } | null} */
  let locked = null;

  const readout = make("p", "readout");
  const sheet = make("div", "view", "", { role: "group", "aria-label": text.name });
  const canvas = makeSvg("svg", { height, "aria-hidden": "true", preserveAspectRatio: "none" });
  const words = {
    key: keys.map((w, i) => word("key", w, i)),
    query: queries.map((w, i) => word("query", w, i)),
  };
  sheet.append(
    make("div", "title key", text.keys),
    make("div"),
    make("div", "title query", text.queries),
    column("key"),
    canvas,
    column("query"),
  );
  root.append(readout, sheet);
  const paths = queries.flatMap((_, q) =>
    keys.map((_, k) => ({ q, k, path: curve(weight(q, k)) })),
  );
  const all = [...words.key, ...words.query];
  rove(all, all[0]);
  onLeave(sheet, rest);
  view.watchWidth(span);
  return (chosen) => {
    locked = fromPin(chosen);
    for (const side of ["key", "query"]) {
      words[side].forEach((element, i) => {
        const here = locked?.side === side && locked.index === i;
        element.classList.toggle("locked", here);
        element.setAttribute("aria-pressed", here);
      });
    }
    rest();
  };

  /** @param {import("../shared/types").Pin | null} pin @returns {typeof locked} */
  function fromPin(pin) {
    if (pin?.query != null) return { side: "query", index: pin.query };
    return pin?.key == null ? null : { side: "key", index: pin.key };
  }
  function column(side) {
    const element = make("div", `column ${side}`);
    element.style.height = `${height}px`;
    element.append(...words[side]);
    return element;
  }
  function word(side, label, index) {
    const element = make("div", "word soft");
    element.append(make("span", "token", label), make("span", "number"));
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", sentence(side, index));
    element.addEventListener("pointerenter", () => look(side, index));
    element.addEventListener("focus", () => look(side, index));
    element.addEventListener("click", () => lock(side, index));
    element.addEventListener("keydown", (event) => steer(event, side, index));
    return element;
  }
  function others(side, index) {
    if (side === "query") return keys.map((_, k) => weight(index, k));
    return queries.map((_, q) => weight(q, index));
  }
  function sentence(side, index) {
    const names = side === "query" ? keys : queries;
    const top = largest(others(side, index), names);
    const template = side === "query" ? text.looks : text.looked_at;
    return fill(template, { word: (side === "query" ? queries : keys)[index], top });
  }
  function look(side, index, prefix = "") {
    const seen = others(side, index);
    const facing = side === "query" ? "key" : "query";
    all.forEach((element) => element.classList.remove("chosen", "seen"));
    words[side][index].classList.add("chosen");
    words[facing].forEach((element, i) => {
      element.classList.add("seen");
      element.style.setProperty("--weight", seen[i]);
      element.lastChild.textContent = seen[i].toFixed(2);
    });
    canvas.classList.toggle("from-key", side === "key");
    fade((q, k) => index === (side === "query" ? q : k));
    say(readout, prefix + sentence(side, index));
  }
  function rest() {
    if (locked) return look(locked.side, locked.index, `${text.locked}: `);
    all.forEach((element) => element.classList.remove("chosen", "seen"));
    canvas.classList.remove("from-key");
    fade((q, k) => weight(q, k) >= LEAST);
    say(readout, text.hint, false);
  }
  function lock(side, index) {
    const same = side === locked?.side && index === locked?.index;
    const pin = { query: null, key: null, ...(same ? {} : { [side]: index }) };
    rove(all, words[side][index]);
    view.mark(pin);
    send("lock", pin);
  }
  function steer(event, side, index) {
    const facing = side === "query" ? "key" : "query";
    const across = Math.min(index, words[facing].length - 1);
    const moves = {
      ArrowUp: words[side][index - 1],
      ArrowDown: words[side][index + 1],
      ArrowLeft: side === "query" ? words.key[across] : null,
      ArrowRight: side === "key" ? words.query[across] : null,
    };
    if (event.key in moves) {
      walk(event, all, moves[event.key]);
    } else if (isEnter(event)) {
      event.preventDefault();
      lock(side, index);
    } else if (event.key === "Escape" && locked) {
      event.preventDefault();
      lock(locked.side, locked.index);
    }
  }
  function curve(weight) {
    return canvas.appendChild(
      makeSvg("path", { class: "soft", "stroke-width": 0.75 + 5 * weight }),
    );
  }
  /** Show some of the looks, the stronger the clearer. */
  function fade(isShown) {
    for (const { q, k, path } of paths) {
      path.style.opacity = isShown(q, k) ? String(0.1 + 0.9 * weight(q, k)) : "0";
    }
  }
  function span() {
    const width = canvas.clientWidth || 90;
    canvas.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const bend = width * 0.4;
    for (const { q, k, path } of paths) {
      const [from, to] = [spot(k, keys.length), spot(q, queries.length)];
      path.setAttribute("d", `M0 ${from}C${bend} ${from} ${width - bend} ${to} ${width} ${to}`);
    }
  }
}
