// The formulas of the app, from TeX to MathML, which browsers set without a library.
const SPACE = "http://www.w3.org/1998/Math/MathML";
const SIGNS = named(`
  cdot ⋅  times ×  div ÷  le ≤  ge ≥  ne ≠  to →  leftarrow ←  Rightarrow ⇒  rightsquigarrow ⇝
  in ∈  notin ∉  land ∧  wedge ∧  mid ∣  circ ∘  odot ⊙  approx ≈  propto ∝  dots …  lVert ‖
  rVert ‖  lfloor ⌊  rfloor ⌋  { {  } }  | ‖  % %  _ _  & &  partial ∂  infty ∞  ell ℓ  top ⊤`);
const LETTERS = named(`
  alpha α  beta β  gamma γ  delta δ  varepsilon ε  theta θ  lambda λ  mu μ  rho ρ  sigma σ  eta η
  Delta Δ  Sigma Σ  Phi Φ`);
const WORDS = "log ln exp tanh cos sin max min arg softmax det dim".split(" ");
const LARGE = { sum: "∑", prod: "∏", int: "∫" };
const ACCENTS = named("bar ¯  hat ^  overline ¯  overrightarrow →  overleftarrow ←");
const GAPS = {
  quad: "1em",
  qquad: "2em",
  ",": "0.17em",
  ":": "0.22em",
  ";": "0.28em",
  " ": "0.25em",
  "!": "-0.17em",
};
const SIZES = named("big 1.2  Big 1.6  bigl 1.2  bigr 1.2");
const IGNORED = "displaystyle textstyle large small limits".split(" ");
const TOKEN = /\\(?:[a-zA-Z]+|.)|[\s~]+|\d+(?:(?:[.,]|\{,\})\d+)*|./gsu;

/** Set every formula of a part of the page. @param {ParentNode} root */
export function setFormulas(root) {
  for (const place of root.querySelectorAll(".formula")) {
    const isDisplay = place.classList.contains("display");
    if (!place.firstElementChild) place.replaceChildren(mathOf(place.textContent ?? "", isDisplay));
    // One that is too wide for its column is scrolled by keys as well.
    if (isDisplay && place.scrollWidth > place.clientWidth) place.setAttribute("tabindex", "0");
  }
}

/** @param {string} tex @param {boolean} display */
export function mathOf(tex, display) {
  const math = tag("math", [row(reader(tex))], display ? { display: "block" } : {});
  math.setAttribute("aria-label", tex);
  math.setAttribute("role", "math");
  return math;
}

function reader(tex) {
  const tokens = tex.match(TOKEN) ?? [];
  let at = 0;
  return {
    peek: () => tokens[at],
    take: () => tokens[at++],
    /** Whether what was taken last stands before its operand alone, as the sign of a number. */
    opens: () =>
      at < 2 ||
      /^(?:[([{&=+]|\\\\|\\left)$/.test(
        tokens.slice(0, at - 1).findLast((one) => one.trim()) ?? "(",
      ),
    /** The tokens of a group in braces, or the next one alone, as they are written. */
    raw() {
      this.skip();
      if (tokens[at] !== "{") return tokens[at++] ?? "";
      let [depth, text] = [0, ""];
      for (; at < tokens.length; at++) {
        if (tokens[at] === "}" && --depth === 0) break;
        if (depth > 0) text += tokens[at];
        if (tokens[at] === "{") depth++;
      }
      at++;
      return text;
    },
    skip() {
      while (tokens[at] !== undefined && /^\s+$/.test(tokens[at])) at++;
    },
  };
}

/** What stands in one line, up to one of some tokens. */
function row(read, ...ends) {
  const parts = [];
  for (read.skip(); read.peek() !== undefined && !ends.includes(read.peek()); read.skip()) {
    const part = scripted(read);
    if (part) parts.push(part);
  }
  return parts.length === 1 ? parts[0] : tag("mrow", parts);
}

/** One part with what stands below and above it. */
function scripted(read) {
  const base = atom(read);
  let [low, high] = [null, null];
  for (read.skip(); ["_", "^", "'"].includes(read.peek()); read.skip()) {
    const mark = read.take();
    if (mark === "_") low = group(read);
    else {
      const more = mark === "'" ? tag("mo", ["′"]) : group(read);
      high = high ? tag("mrow", [high, more]) : more;
    }
  }
  if (!base || (!low && !high)) return base;
  const under = base.dataset?.large || base.dataset?.limits;
  const names = under ? ["munder", "mover", "munderover"] : ["msub", "msup", "msubsup"];
  if (low && high) return tag(names[2], [base, low, high]);
  return low ? tag(names[0], [base, low]) : tag(names[1], [base, high]);
}

function group(read) {
  read.skip();
  if (read.peek() !== "{") return atom(read) ?? tag("mrow", []);
  read.take();
  const inside = row(read, "}");
  read.take();
  return inside;
}

function atom(read) {
  const token = read.take();
  if (token === "{") {
    const inside = row(read, "}");
    read.take();
    return inside;
  }
  if (token === "~") return tag("mspace", [], { width: "0.33em" });
  if (/^\d/.test(token)) return tag("mn", [token.replace("{,}", ",")]);
  if (token[0] !== "\\") {
    if (/\p{L}/u.test(token)) return tag("mi", [token]);
    const form = token === "-" && read.opens() ? { form: "prefix" } : {};
    const sign = { "-": "−", "*": "∗" }[token] ?? token;
    return tag("mo", [sign], /[()[\]|]/.test(token) ? { stretchy: "false" } : form);
  }
  return command(read, token.slice(1));
}

function command(read, name) {
  if (name in LETTERS) return tag("mi", [LETTERS[name]]);
  if (name in LARGE)
    return marked(
      tag("mo", [LARGE[name]], { movablelimits: "false" }),
      name === "int" ? "" : "large",
    );
  if (WORDS.includes(name))
    return marked(tag("mi", [name]), ["max", "min", "arg"].includes(name) ? "limits" : "");
  if (name in GAPS) return tag("mspace", [], { width: GAPS[name] });
  if (name in SIGNS) return tag("mo", [SIGNS[name]], { stretchy: "false" });
  if (IGNORED.includes(name)) return null;
  if (name in SIZES) {
    const sign = atom(read);
    sign?.setAttribute("stretchy", "true");
    for (const size of ["minsize", "maxsize"]) sign?.setAttribute(size, `${SIZES[name]}em`);
    return sign;
  }
  if (name in ACCENTS)
    return tag("mover", [group(read), tag("mo", [ACCENTS[name]])], { accent: "true" });
  if (["frac", "tfrac", "dfrac"].includes(name)) {
    const parts = [group(read), group(read)];
    return tag("mfrac", parts, name === "tfrac" ? { displaystyle: "false" } : {});
  }
  if (name === "sqrt") return tag("msqrt", [group(read)]);
  if (name === "underset") {
    const below = group(read);
    return tag("munder", [group(read), below]);
  }
  if (name === "underbrace")
    return marked(tag("munder", [group(read), tag("mo", ["⏟"], { stretchy: "true" })]), "limits");
  if (["text", "mathrm", "operatorname"].includes(name)) {
    const words = read
      .raw()
      .replace(/\\[ ,]/g, " ")
      .replace(/\\(.)/g, "$1");
    return tag(name === "text" ? "mtext" : "mi", [words.replace(/ /g, " ")], {
      mathvariant: "normal",
    });
  }
  if (name === "mathbb") {
    const letter = read.raw();
    return tag("mi", [{ R: "ℝ" }[letter] ?? letter]);
  }
  if (name === "mathbf") {
    const bold = group(read);
    bold.style.fontWeight = "bold";
    return bold;
  }
  if (name === "left") {
    const open = fence(read);
    const inside = row(read, "\\right");
    read.take();
    return tag("mrow", [open, inside, fence(read)]);
  }
  if (name === "begin") return environment(read);
  if (name === "\\") {
    return tag("mspace", [], { linebreak: "newline" });
  }
  return tag("mtext", [`\\${name}`]); // a command that is missing here is seen at once
}

function fence(read) {
  read.skip();
  const token = read.take() ?? "";
  const sign = token[0] === "\\" ? (SIGNS[token.slice(1)] ?? "") : token === "." ? "" : token;
  return tag("mo", [sign], { stretchy: "true", fence: "true" });
}

/** Rows of cells: aligned lines, cases, matrices. */
function environment(read) {
  const name = read.raw();
  const rows = [[]];
  while (read.peek() !== undefined) {
    rows.at(-1).push(row(read, "&", "\\\\", "\\end"));
    const end = read.take();
    if (end === "\\\\") {
      if (read.peek() === "[") while (read.take() !== "]"); // the room between two lines
      rows.push([]);
    }
    if (end === "\\end") break;
  }
  read.raw();
  const looks = { cases: ["left"], aligned: ["right", "left"] }[name] ?? [""];
  const cellOf = (cell, i) => tag("mtd", [cell], { class: looks[i % looks.length] });
  const lines = rows
    .filter((cells) => cells.some((cell) => cell.childNodes.length))
    .map((cells) => tag("mtr", cells.map(cellOf)));
  const table = tag("mtable", lines, { displaystyle: "true" });
  const fences = { cases: ["{", ""], pmatrix: ["(", ")"] }[name];
  if (!fences) return table;
  const [open, close] = fences.map((sign) =>
    tag("mo", [sign], { stretchy: "true", fence: "true" }),
  );
  return tag("mrow", [open, table, close]);
}

function marked(element, what) {
  if (what) element.dataset[what] = "1";
  return element;
}

/** @returns {any} */
function tag(name, content, attributes = {}) {
  const element = document.createElementNS(SPACE, name);
  element.append(...content);
  for (const [key, value] of Object.entries(attributes))
    if (value) element.setAttribute(key, value);
  return element;
}

/** A table of names and what each stands for, from a text in which they take turns. */
function named(text) {
  const words = text.trim().split(/\s+/);
  return Object.fromEntries(words.flatMap((word, i) => (i % 2 ? [] : [[word, words[i + 1]]])));
}
