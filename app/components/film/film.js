// One frame is one moment of training: the strip shows all of them, the grid the chosen one.
const SECONDS_A_FRAME = 0.35;

function build(root, fixed, palette, send) {
  const { steps, names, notes, outputs, queries, keys, wanted, text } = fixed;
  const weights = decode(fixed.weights, Float32Array);
  const mask = fixed.mask && decode(fixed.mask, Uint8Array);
  const size = queries.length * keys.length;
  const table = colourTable(palette.weights);
  const last = steps.length - 1;
  const isOpen = (cell) => mask?.[cell] !== 0;
  const weight = (cell) => weights[at * size + cell];
  const stepName = (i) => fill(text.step, { step: names[i] });
  let at = Math.min(root.at ?? last, last);
  let pointed = null;

  const play = make("button", "play");
  const range = make("input", "range");
  Object.assign(range, { type: "range", min: 0, max: last, step: 1 });
  range.setAttribute("aria-label", text.moment);
  const now = make("span", "now");
  const bar = make("div", "bar");
  bar.append(play, range, now);

  const strip = make("div", "strip");
  strip.setAttribute("role", "listbox");
  strip.setAttribute("aria-label", text.strip);
  strip.setAttribute("aria-orientation", "horizontal");
  const thumbs = steps.map((step, i) => strip.appendChild(thumb(i)));

  const said = make("p", "said");
  const readout = make("p", "readout");
  const grid = make("div", "grid");
  grid.setAttribute("role", "grid");
  const heads = [];
  const cells = [];
  grid.append(...rows());
  const frame = make("div", "scroll frame");
  frame.append(grid);
  root.append(bar, strip, said, readout, frame, legend());

  range.addEventListener("input", () => {
    stop();
    show(Number(range.value));
  });
  range.addEventListener("change", () => pick(Number(range.value)));
  play.addEventListener("click", () => (root.timer ? halt() : start()));
  frame.addEventListener("pointerleave", () => point(null));
  frame.addEventListener("focusout", (event) => frame.contains(event.relatedTarget) || point(null));
  watchWidth(root, fit);
  if (root.timer) start(at);
  show(at);

  return (chosen) => {
    // What was chosen before is no news: the visitor may have gone on since.
    if (chosen === null || chosen === root.told) return;
    root.told = chosen;
    if (!root.timer) show(Math.min(chosen, last));
  };

  function start(from = at === last ? 0 : at) {
    stop();
    root.timer = setInterval(() => {
      if (!root.isConnected) return stop();
      if (at < last) show(at + 1);
      if (at === last) halt();
    }, SECONDS_A_FRAME * 1000);
    show(from);
  }
  function stop() {
    clearInterval(root.timer);
    root.timer = null;
  }
  function halt() {
    stop();
    pick(at);
  }
  function pick(i) {
    stop();
    show(i);
    send("pick", { step: i === last ? null : steps[i] });
  }

  function show(i) {
    at = root.at = i;
    range.value = i;
    range.setAttribute("aria-valuetext", stepName(i));
    now.textContent = fill(text.place, { step: stepName(i), place: i + 1, count: steps.length });
    play.textContent = root.timer ? "❚❚" : "▶";
    play.setAttribute("aria-label", root.timer ? text.pause : text.play);
    play.title = root.timer ? text.pause : text.play;
    thumbs.forEach((element, k) => {
      element.classList.toggle("chosen", k === i);
      element.setAttribute("aria-selected", k === i);
    });
    rove(thumbs, thumbs[i]);
    // Only the strip moves, never the page.
    const { offsetLeft, offsetWidth } = thumbs[i];
    strip.scrollLeft = offsetLeft - strip.offsetLeft - (strip.clientWidth - offsetWidth) / 2;
    cells.forEach(paintCell);
    write(i);
    tell();
  }
  function write(i) {
    said.replaceChildren(make("span", "quiet", text.wrote), " ");
    for (const [word, right] of outputs[i]) {
      said.append(make("span", right ? "word right" : "word wrong", word), " ");
    }
    if (!outputs[i].length) said.append(make("span", "quiet", "∅"));
    if (notes[i]) said.append(make("span", "note", notes[i]));
  }
  function paintCell(element, cell) {
    if (!isOpen(cell)) return;
    const { fill: background, ink } = paint(table, weight(cell));
    element.style.background = background;
    element.style.color = ink;
    element.textContent = short(weight(cell));
  }
  function short(value) {
    if (!root.digits) return "";
    const number = value.toFixed(2);
    if (number === "0.00") return "0";
    return root.digits === 2 ? number : number.replace(/^0/, "");
  }
  function describe(cell) {
    const [row, col] = [Math.floor(cell / keys.length), cell % keys.length];
    const words = { query: queries[row], key: keys[col], weight: weight(cell).toFixed(4) };
    return fill(isOpen(cell) ? text.cell : text.masked, words);
  }
  function point(cell) {
    pointed = cell;
    tell();
  }
  function tell() {
    say(readout, pointed === null ? text.hint : describe(pointed), pointed !== null);
  }

  function thumb(i) {
    const element = make("div", "thumb");
    const canvas = make("canvas");
    [canvas.width, canvas.height] = [keys.length, queries.length];
    const pen = canvas.getContext("2d");
    const image = pen.createImageData(keys.length, queries.length);
    for (let cell = 0; cell < size; cell++) {
      const shade = Math.round(Math.min(Math.max(weights[i * size + cell], 0), 1) * 255);
      image.data.set([...table[shade], 255], 4 * cell);
    }
    pen.putImageData(image, 0, 0);
    element.append(canvas, make("span", "", names[i]));
    element.setAttribute("role", "option");
    element.setAttribute("aria-label", stepName(i));
    element.addEventListener("click", () => pick(i));
    element.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: last }[event.key];
      if (to === undefined && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      const next = Math.min(Math.max(to ?? i, 0), last);
      pick(next);
      thumbs[next].focus({ preventScroll: true });
    });
    return element;
  }

  function rows() {
    const row = (first) => {
      const line = make("div", "row");
      line.setAttribute("role", "row");
      line.append(first);
      return line;
    };
    const head = (label, side) => {
      const element = make("div", `head ${side}`);
      element.append(make("span", "token", label));
      element.title = label;
      element.setAttribute("role", side === "key" ? "columnheader" : "rowheader");
      if (side === "key") heads.push(element);
      return element;
    };
    const corner = make("div", "corner");
    corner.setAttribute("role", "columnheader");
    corner.append(make("span", "axis-key", text.key_axis), make("span", "axis-query", text.query_axis));
    const top = row(corner);
    top.append(...keys.map((key) => head(key, "key")));
    grid.setAttribute("aria-label", text.name);
    const goals = new Set(wanted.map(([r, c]) => r * keys.length + c));
    return [
      top,
      ...queries.map((query, r) => {
        const line = row(head(query, "query"));
        keys.forEach((_, c) => line.append(cellAt(r * keys.length + c, goals)));
        return line;
      }),
    ];
  }
  function cellAt(cell, goals) {
    const element = make("div", isOpen(cell) ? "cell" : "cell masked");
    element.classList.toggle("goal", goals.has(cell));
    element.setAttribute("role", "gridcell");
    element.tabIndex = cell === 0 ? 0 : -1;
    element.addEventListener("pointerenter", () => point(cell));
    element.addEventListener("focus", () => point(cell));
    element.addEventListener("keydown", (event) => {
      const columns = keys.length;
      const moves = { ArrowUp: -columns, ArrowDown: columns, ArrowLeft: -1, ArrowRight: 1 };
      if (!(event.key in moves)) return;
      event.preventDefault();
      const next = cells[cell + moves[event.key]];
      const wraps = moves[event.key] % columns && cell % columns === (moves[event.key] < 0 ? 0 : columns - 1);
      if (!next || wraps) return;
      rove(cells, next);
      next.focus();
    });
    cells.push(element);
    return element;
  }
  function legend() {
    const line = make("div", "legend");
    line.append(make("span", "", "0"), ramp(table), make("span", "", "1"));
    if (wanted.length) line.append(make("span", "goal-sample"), make("span", "", text.goal));
    if (mask?.includes(0)) line.append(make("span", "mask-sample"), make("span", "", text.hatched));
    return line;
  }
  function fit(width) {
    const font = `13px ${root.page.font}`;
    const widest = (labels) => Math.max(...labels.map((label) => textWidth(label, font)));
    const side = Math.min(Math.max(widest(queries) + 20, 84), Math.max(width * 0.34, 84));
    const room = Math.floor((width - side - 4) / keys.length) - 1;
    const cell = Math.min(Math.max(room, 18), 56);
    grid.style.gridTemplateColumns = `${side}px repeat(${keys.length}, ${cell}px)`;
    root.style.setProperty("--cell-h", `${Math.max(Math.min(cell, queries.length > 16 ? 22 : 30), 18)}px`);
    for (const element of heads) element.classList.toggle("upright", widest(keys) + 6 > cell);
    root.digits = cell >= 30 ? 2 : cell >= 22 ? 1 : 0;
    root.style.setProperty("--digits", cell >= 32 ? "11px" : "10px");
    if (cells.length) cells.forEach(paintCell);
  }
}
