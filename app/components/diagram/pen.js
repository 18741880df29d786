// The pen that both drawings share: lines, arrows, texts, and boxes that open a chapter.
import { makeSvg } from "../shared/dom.js";
import { textWidth } from "../shared/text.js";

const AFTER_HYPHEN = /(?<=-)/;

export function colourOf(root, name) {
  return getComputedStyle(root).getPropertyValue(`--st-${name}-color`).trim();
}

/** Return the pen of both drawings; colours are written out, so that a saved picture has them. */
export function makePen(root, palette, chapters, here, button) {
  const family = getComputedStyle(root).fontFamily;
  const ink = colourOf(root, "text");
  const ground = colourOf(root, "background");
  const svg = makeSvg("svg", { "font-family": family });
  const colour = (role) => palette.roles[role] ?? role;
  const add = (tag, attributes, parent = svg) => parent.appendChild(makeSvg(tag, attributes));
  const rect = (x, y, width, height, attributes, parent) =>
    add("rect", { x, y, width, height, rx: 6, fill: "none", ...attributes }, parent);
  const line = (points, role = "residual", attributes = {}) => {
    const look = { fill: "none", "stroke-width": 1.6, "stroke-linejoin": "round" };
    add("polyline", { ...look, points: points.join(" "), stroke: colour(role), ...attributes });
  };
  const arrow = (points, role = "residual", attributes = {}) => {
    const [x0, y0, x, y] = points.slice(-4);
    const angle = (Math.atan2(y - y0, x - x0) * 180) / Math.PI;
    line(points, role, attributes);
    const transform = `translate(${x} ${y}) rotate(${angle})`;
    add("path", { d: "M0,0 L-6,-3.5 L-6,3.5 Z", fill: colour(role), transform });
  };
  const text = (words, x, y, look = {}, to) => {
    const { size = 12, anchor = "middle", fill = ink, weight = 400 } = look;
    const attributes = { x, y, "font-size": size, "text-anchor": anchor, "font-weight": weight };
    const element = add("text", { ...attributes, fill }, to);
    element.textContent = words;
    return element;
  };
  const measure = (words, size, weight) => textWidth(words, `${weight} ${size}px ${family}`);
  /** Break a word that is too long for a line at its hyphens, or else into pieces that fit. */
  const pieces = (word, width, size, weight) => {
    if (measure(word, size, weight) <= width) return [word];
    const halves = word.split(AFTER_HYPHEN);
    if (halves.length > 1) return halves.flatMap((half) => pieces(half, width, size, weight));
    const parts = [""];
    for (const letter of word) {
      if (measure(parts.at(-1) + letter, size, weight) > width) parts.push("");
      parts[parts.length - 1] += letter;
    }
    return parts;
  };
  const wrap = (words, width, size, weight = 400) => {
    const lines = [""];
    for (const word of words.split(" ").flatMap((one) => pieces(one, width, size, weight))) {
      const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
      if (!lines.at(-1) || measure(longer, size, weight) <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  };
  const fitting = (words, width, size, weight) => {
    const uncut = words.split(" ").flatMap((word) => word.split(AFTER_HYPHEN));
    const widest = Math.max(...uncut.map((word) => measure(word, size, weight)));
    return Math.max(9, Math.min(size, (size * width) / widest));
  };
  /** Draw a box that opens its chapter, with `name` and `detail` in it as large as they fit. */
  const part = (slug, x, y, w, h, options) => {
    const { name, role, detail = "", size = 12, dashed = false } = options;
    const chapter = chapters.get(slug);
    const own = colour(role ?? chapter.role);
    const current = slug === here;
    const title = `${chapter.number}. ${chapter.title}`;
    const known = {
      role: "button",
      "aria-label": title,
      ...(current && { "aria-current": "page" }),
    };
    const group = add("g", { class: current ? "part here" : "part", ...known });
    add("title", {}, group).textContent = title;
    rect(x - 2.5, y - 2.5, w + 5, h + 5, { rx: 8, stroke: "none", class: "ring" }, group);
    const border = {
      stroke: own,
      "stroke-width": 1.5,
      ...(dashed && { "stroke-dasharray": "5 4" }),
    };
    const face = { class: "face", fill: own, "fill-opacity": current ? 1 : 0.12, ...border };
    rect(x, y, w, h, face, group);
    const shown = name ?? chapter.name;
    const fill = current ? ground : ink;
    const weight = current ? 700 : 600;
    let fit = fitting(shown, w - 10, size, weight);
    let { lines, small, step } = laid(fit);
    while (fit > 8 && (lines.length + small.length) * step > h) {
      fit -= 0.5;
      ({ lines, small, step } = laid(fit));
    }
    const first = y + h / 2 - ((lines.length + small.length) * step) / 2 + fit * 0.86;
    for (const [i, words] of [...lines, ...small].entries()) {
      const look = i < lines.length ? { size: fit, weight } : { size: fit - 1 };
      text(words, x + w / 2, first + i * step, { ...look, fill }, group);
    }
    button(group, slug);
    return group;

    function laid(size) {
      const lines = wrap(shown, w - 6, size, weight);
      return { lines, small: detail ? wrap(detail, w - 6, size - 1) : [], step: size + 1.5 };
    }
  };
  const size = (x, y, width, height) => {
    svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
  };
  const drawn = { add, rect, line, arrow, text, part, size };
  return { svg, colour, ink, ground, measure, wrap, here, chapters, ...drawn };
}
