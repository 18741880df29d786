// rows = queries, columns = keys; row -1 and column -1 are the labels.
function build(root, fixed, palette, send) {
  const { queries, keys, text, roles } = fixed;
  const weights = decode(fixed.weights, Float32Array);
  const mask = fixed.mask && decode(fixed.mask, Uint8Array);
  const table = colourTable(palette.weights);
  const at = (row, col) => row * keys.length + col;
  const isOpen = (row, col) => mask?.[at(row, col)] !== 0;
  root.style.setProperty("--query-role", `var(--${roles[0]})`);
  root.style.setProperty("--key-role", `var(--${roles[1]})`);

  const readout = make("p", "readout");
  const frame = make("div", "scroll frame");
  const grid = make("div", "grid");
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", text.name);
  grid.setAttribute("aria-rowcount", queries.length + 1);
  grid.setAttribute("aria-colcount", keys.length + 1);
  const cells = new Map();
  let pin = { query: null, key: null };

  const describe = (row, col) => {
    if (col < 0) return fill(text.query, { query: queries[row], top: top(row) });
    if (row < 0) return fill(text.key, { key: keys[col] });
    const words = { query: queries[row], key: keys[col], weight: weights[at(row, col)].toFixed(4) };
    return fill(isOpen(row, col) ? text.cell : text.masked, words);
  };
  const top = (row) =>
    keys
      .map((key, col) => [weights[at(row, col)], key])
      .sort((a, b) => b[0] - a[0])
      .slice(0, 3)
      .map(([weight, key]) => `${key} ${weight.toFixed(2)}`)
      .join(" · ");
  const rest = () => {
    const pinned = pin.query !== null || pin.key !== null;
    const words = pinned && `${text.pinned}: ${describe(pin.query ?? -1, pin.key ?? -1)}`;
    say(readout, words || text.hint, pinned);
    light(pin.query, pin.key);
  };
  const light = (row, col) => {
    for (const [id, cell] of cells) {
      const [r, c] = id.split(",").map(Number);
      if (c < 0) cell.classList.toggle("near", r === row);
      if (r < 0) cell.classList.toggle("near", c === col);
    }
  };
  const look = (row, col) => {
    say(readout, describe(row, col));
    light(row, col);
  };
  const choose = (row, col) => {
    const wanted = { query: row < 0 ? null : row, key: col < 0 ? null : col };
    const same = wanted.query === pin.query && wanted.key === pin.key;
    show(same ? null : wanted);
    send("pin", pin);
  };
  const show = (chosen) => {
    pin = { query: chosen?.query ?? null, key: chosen?.key ?? null };
    for (const [id, cell] of cells) {
      const [r, c] = id.split(",").map(Number);
      const row = r < 0 ? null : r;
      const col = c < 0 ? null : c;
      const here = (row !== null || col !== null) && row === pin.query && col === pin.key;
      cell.classList.toggle("pinned", here);
      cell.classList.toggle("in-line", pin.key === null && pin.query === r && c >= 0);
      cell.classList.toggle("in-column", pin.query === null && pin.key === c && r >= 0);
      cell.setAttribute("aria-selected", here);
    }
    rest();
  };

  const place = (row, col, element) => {
    cells.set(`${row},${col}`, element);
    element.tabIndex = row === 0 && col === 0 ? 0 : -1;
    element.setAttribute("aria-label", describe(row, col));
    element.setAttribute("aria-colindex", col + 2);
    element.addEventListener("pointerenter", () => look(row, col));
    element.addEventListener("focus", () => look(row, col));
    element.addEventListener("click", () => {
      rove(cells.values(), element);
      choose(row, col);
    });
    element.addEventListener("keydown", (event) => steer(event, row, col));
    return element;
  };
  const steer = (event, row, col) => {
    const moves = {
      ArrowUp: [row - 1, col],
      ArrowDown: [row + 1, col],
      ArrowLeft: [row, col - 1],
      ArrowRight: [row, col + 1],
      Home: [row, 0],
      End: [row, keys.length - 1],
      PageUp: [0, col],
      PageDown: [queries.length - 1, col],
    };
    if (event.key in moves) {
      const next = cells.get(moves[event.key].join(","));
      event.preventDefault();
      if (!next) return;
      rove(cells.values(), next);
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(row, col);
    } else if (event.key === "Escape" && (pin.query !== null || pin.key !== null)) {
      event.preventDefault();
      show(null);
      send("pin", pin);
    }
  };

  const corner = make("div", "corner");
  corner.append(make("span", "axis-key", text.key_axis), make("span", "axis-query", text.query_axis));
  corner.setAttribute("role", "columnheader");
  const header = row(corner);
  const heads = keys.map((key, col) => header.appendChild(head(key, "key", -1, col)));
  grid.append(header);
  queries.forEach((query, r) => {
    const line = row(head(query, "query", r, -1));
    keys.forEach((_, c) => line.append(cell(r, c)));
    grid.append(line);
  });
  frame.append(grid);
  root.append(readout, frame, legend());
  frame.addEventListener("pointerleave", rest);
  frame.addEventListener("focusout", (event) => frame.contains(event.relatedTarget) || rest());
  watchWidth(root, fit);
  return show;

  function row(first) {
    const line = make("div", "row");
    line.setAttribute("role", "row");
    line.append(first);
    return line;
  }
  function head(label, side, r, c) {
    const element = make("div", `head ${side}`);
    element.append(make("span", "token", label));
    element.setAttribute("role", side === "key" ? "columnheader" : "rowheader");
    return place(r, c, element);
  }
  function cell(r, c) {
    const element = make("div", isOpen(r, c) ? "cell" : "cell masked");
    element.setAttribute("role", "gridcell");
    if (isOpen(r, c)) {
      const { fill: background, ink } = paint(table, weights[at(r, c)]);
      element.style.background = background;
      element.style.color = ink;
    }
    return place(r, c, element);
  }
  function legend() {
    const line = make("div", "legend");
    line.append(make("span", "", "0"), ramp(table), make("span", "", "1"));
    if (mask?.includes(0)) line.append(make("span", "mask-sample"), make("span", "", text.hatched));
    return line;
  }
  function fit(width) {
    const font = `13px ${getComputedStyle(root).fontFamily}`;
    const widest = (labels) => Math.max(...labels.map((label) => textWidth(label, font)));
    const side = Math.min(Math.max(widest(queries) + 20, 96), Math.max(width * 0.34, 96));
    const least = matchMedia("(pointer: coarse)").matches ? 26 : 21;
    const size = Math.min(Math.max(Math.floor((width - side - 6) / keys.length) - 1, least), 56);
    const height = Math.min(size, queries.length > 16 ? 24 : 34);
    const upright = widest(keys) + 6 > size;
    grid.style.gridTemplateColumns = `${side}px repeat(${keys.length}, ${size}px)`;
    root.style.setProperty("--cell-h", `${Math.max(height, 21)}px`);
    for (const element of heads) element.classList.toggle("upright", upright);
    const digits = size >= 32 ? 2 : size >= 23 ? 1 : 0;
    root.style.setProperty("--digits", size >= 32 ? "11px" : "10px");
    queries.forEach((_, r) =>
      keys.forEach((_, c) => {
        if (isOpen(r, c)) cells.get(`${r},${c}`).textContent = short(weights[at(r, c)], digits);
      }),
    );
  }
  function short(weight, digits) {
    if (digits === 0) return "";
    const number = weight.toFixed(2);
    if (number === "0.00") return "0";
    return digits === 2 ? number : number.replace(/^0/, "");
  }
}
