// The left column holds the keys (looked at), the right one the queries (looking).
import { make, makeSvg, rove, say } from "../shared/dom.js";
import { decode, fill } from "../shared/text.js";

const ROW = 26;
const LEAST = 0.02; // a weaker look is not drawn while nothing is chosen

export function build(view, fixed) {
  const { root, send } = view;
  const { queries, keys, text } = fixed;
  const weights = decode(fixed.weights, Float32Array);
  const weight = (query, key) => weights[query * keys.length + key];
  const height = ROW * Math.max(queries.length, keys.length);
  const spot = (index, count) => ((index + 0.5) * height) / count;
  let locked = null;

  const readout = make("p", "readout");
  const sheet = make("div", "view", "", { role: "group", "aria-label": text.name });
  const canvas = makeSvg("svg", { height, "aria-hidden": "true", preserveAspectRatio: "none" });
  const words = { key: keys.map((w, i) => word("key", w, i)), query: queries.map((w, i) => word("query", w, i)) };
  sheet.append(
    make("div", "title key", text.keys),
    make("div"),
    make("div", "title query", text.queries),
    column("key"),
    canvas,
    column("query"),
  );
  root.append(readout, sheet);
  const paths = queries.map((_, q) =>
    keys.map((_, k) => canvas.appendChild(makeSvg("path", { class: "soft", "stroke-width": 0.75 + 5 * weight(q, k) }))),
  );
  const all = [...words.key, ...words.query];
  rove(all, all[0]);
  sheet.addEventListener("pointerleave", rest);
  sheet.addEventListener("focusout", (event) => sheet.contains(event.relatedTarget) || rest());
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

  function fromPin(pin) {
    const side = ["query", "key"].find((name) => pin?.[name] != null);
    return side ? { side, index: pin[side] } : null;
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
    const top = others(side, index)
      .map((w, i) => [w, names[i]])
      .sort((a, b) => b[0] - a[0])
      .slice(0, 3)
      .map(([w, name]) => `${name} ${w.toFixed(2)}`)
      .join(" · ");
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
    paths.forEach((row, q) =>
      row.forEach((path, k) => {
        const mine = side === "query" ? q === index : k === index;
        path.style.opacity = mine ? strength(weight(q, k)) : 0;
      }),
    );
    say(readout, prefix + sentence(side, index));
  }
  function rest() {
    if (locked) return look(locked.side, locked.index, `${text.locked}: `);
    all.forEach((element) => element.classList.remove("chosen", "seen"));
    canvas.classList.remove("from-key");
    paths.forEach((row, q) =>
      row.forEach((path, k) => (path.style.opacity = weight(q, k) < LEAST ? 0 : strength(weight(q, k)))),
    );
    say(readout, text.hint, false);
  }
  function lock(side, index) {
    const same = locked?.side === side && locked.index === index;
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
      event.preventDefault();
      if (!moves[event.key]) return;
      rove(all, moves[event.key]);
      moves[event.key].focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      lock(side, index);
    } else if (event.key === "Escape" && locked) {
      event.preventDefault();
      lock(locked.side, locked.index);
    }
  }
  function strength(weight) {
    return 0.1 + 0.9 * weight;
  }
  function span() {
    const width = canvas.clientWidth || 90;
    canvas.setAttribute("viewBox", `0 0 ${width} ${height}`);
    paths.forEach((row, q) =>
      row.forEach((path, k) => {
        const [from, to] = [spot(k, keys.length), spot(q, queries.length)];
        const bend = width * 0.4;
        path.setAttribute("d", `M0 ${from}C${bend} ${from} ${width - bend} ${to} ${width} ${to}`);
      }),
    );
  }
}
