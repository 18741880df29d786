// What everything on the stage is drawn with: texts, strips of cells, maps, bars, chips and curves.
import { colourTable, paint, rgb } from "../components/shared/colour.js";
import { clamp, mix } from "./motion.js";

const PALE = 0.62; // a share w is drawn as w^0.62, as the legend says: pale layers stay readable
const STRONG = 0.75; // the same of signed numbers
// biome-ignore format: a table
const EXTRA = {
  light: {
    position: "#2C6E70", ffn: "#7D6608", negative: "#7B8494", panel: "#F5F6F9", line: "#E3E5EC",
    quiet: "#5A6170", hero: "#FFF1BF", heroFill: "#F6B93B", heroInk: "#7A4E00", onHero: "#2B1D00",
  },
  dark: {
    position: "#7CC7C9", ffn: "#D9C25A", negative: "#8991A1", panel: "#1C1F28", line: "#303644",
    quiet: "#A9AFBD", hero: "#3B3212", heroFill: "#E0A52A", heroInk: "#FFD98A", onHero: "#2B1D00",
  },
};
// With forced colours, the system's own.
// biome-ignore format: a table
const FORCED = {
  ground: "Canvas", ink: "CanvasText", quiet: "CanvasText", line: "GrayText", panel: "Canvas",
  hero: "Canvas", heroFill: "Highlight", heroInk: "Highlight", onHero: "HighlightText",
};

/**
 * Return the colours of a theme; with forced colours, ground and ink are the system's.
 * @param {any} palette @param {boolean} dark @param {{ ground: string, ink: string }} page
 */
export function coloursOf(palette, dark, page, forced = false) {
  const { ground, ink } = page;
  const of = { ...EXTRA[dark ? "dark" : "light"], ...palette.roles, ground, ink };
  if (forced) Object.assign(of, FORCED);
  return { ...of, weights: colourTable(palette.weights), dark };
}

/** Return what draws on a canvas. @param {CanvasRenderingContext2D} g @param {any} colours @param {string} font */
export function penOf(g, colours, font) {
  const colour = (role) => colours[role] ?? role;
  const fontOf = (/** @type {any[]} */ [size = 14, weight = 400]) => `${weight} ${size}px ${font}`;
  /** @type {Map<string, number>} */
  const widths = new Map();

  /** Draw what is within with an opacity on top of what there is. */
  function fade(alpha, draw) {
    if (alpha <= 0.004) return;
    const before = g.globalAlpha;
    g.globalAlpha = before * Math.min(alpha, 1);
    draw();
    g.globalAlpha = before;
  }
  function width(text, look) {
    const name = `${fontOf(look)}|${text}`;
    let known = widths.get(name);
    if (known === undefined) {
      g.font = fontOf(look);
      known = g.measureText(text).width;
      if (widths.size > 4000) widths.clear();
      widths.set(name, known);
    }
    return known;
  }
  /** Shorten a text that is too wide. */
  function cut(text, most, look) {
    if (width(text, look) <= most) return text;
    const signs = [...text];
    while (signs.length > 1 && width(`${signs.join("")}…`, look) > most) signs.pop();
    return `${signs.join("").trimEnd()}…`;
  }
  /**
   * Write a text in a look; "_k" and the like in it is written low.
   * @param {string} text @param {number} x @param {number} y @param {any[]} [look]
   */
  function write(text, x, y, look = []) {
    const [size = 14, weight = 400, role = "ink", align = "left", max] = look;
    const shown = max === undefined ? text : cut(text, max, look);
    const parts = shown.split(/_(model|ff|k|O|Q|K|V)/);
    const looks = [look, [size * 0.72, weight]];
    const spans = parts.map((one, i) => width(one, looks[i % 2]));
    const all = spans.reduce((sum, one) => sum + one, 0);
    let at = align === "center" ? x - all / 2 : align === "right" ? x - all : x;
    g.textAlign = "left";
    g.textBaseline = "middle";
    g.fillStyle = colour(role);
    parts.forEach((one, i) => {
      g.font = fontOf(looks[i % 2]);
      g.fillText(one, at, i % 2 ? y + size * 0.24 : y);
      at += spans[i];
    });
    return all;
  }
  function path(x, y, w, h, radius) {
    g.beginPath();
    g.roundRect(x, y, Math.max(0, w), Math.max(0, h), Math.max(0, Math.min(radius, w / 2, h / 2)));
  }
  function box(
    x,
    y,
    w,
    h,
    { fill = "", line = "", thick = 1, radius = 6, dash = /** @type {number[]} */ ([]) } = {},
  ) {
    path(x, y, w, h, radius);
    if (fill) {
      g.fillStyle = colour(fill);
      g.fill();
    }
    if (!line) return;
    g.strokeStyle = colour(line);
    g.lineWidth = thick;
    g.setLineDash(dash);
    g.stroke();
    g.setLineDash([]);
  }
  /** Draw a token; `next` is the one that its row writes. */
  function chip(text, x, y, w, h, look = {}) {
    const { hero = false, quiet = false, ghost = false } = look;
    const { size = 15, align = "center", next = "" } = look;
    const edge = [x + 0.5, y + 0.5, w - 1, h - 1];
    if (hero) box(x, y, w, h, { fill: "heroFill", radius: 7 });
    else if (ghost) box(...edge, { line: "quiet", dash: [4, 4], radius: 7 });
    else box(...edge, { fill: "panel", line: "line", radius: 7 });
    const middle = y + h / 2 + 0.5;
    const ink = hero ? "onHero" : "ink";
    const strong = [size, 700, ink];
    if (!next) {
      const at = { center: x + w / 2, right: x + w - 9, left: x + 9 }[align];
      write(text, at, middle, [
        size,
        hero ? 700 : 600,
        quiet && !hero ? "quiet" : ink,
        align,
        w - 10,
      ]);
    } else if (w < 150 && width(`${text} → ${next}`, strong) > w - 14) {
      write(`→ ${next}`, x + w / 2, middle, [...strong, "center", w - 8]); // there is little room
    } else {
      const weak = [size * 0.92, 400, hero ? "onHero" : "quiet"];
      const room = w - 14 - width(" → ", weak);
      const read = cut(text, Math.max(room * 0.46, room - width(next, strong)), weak);
      const written = cut(next, room - width(read, weak), strong);
      const all = width(`${read} → `, weak) + width(written, strong);
      const end = write(`${read} → `, x + (w - all) / 2, middle, weak);
      write(written, x + (w - all) / 2 + end, middle, strong);
    }
  }
  /** Return the colour of a signed number between −1 and 1. */
  function signed(value, role) {
    const part = clamp(Math.abs(value)) ** STRONG * (value < 0 ? 0.8 : 1);
    const [from, to] = [rgb(colour("ground")), rgb(colour(value < 0 ? "negative" : role))];
    return from.map((one, i) => Math.round(mix(one, to[i], part)));
  }
  const shade = (share) => paint(colours.weights, clamp(share) ** PALE);
  const levelOf = (share) => colours.weights[Math.round(clamp(share) ** PALE * 255)];

  /** @type {WeakMap<any, Record<string, HTMLCanvasElement[]>>} */
  const pictures = new WeakMap();
  /** Return a matrix as a picture of one pixel a number, then halved copies for narrow seats. */
  function pictureOf(block, role, scale, clip) {
    const name = `${role} ${scale} ${clip}`;
    const known = pictures.get(block.data) ?? {};
    pictures.set(block.data, known);
    if (known[name]) return known[name];
    const [rows, columns] = block.shape;
    let colours3 = new Float32Array(rows * columns * 3);
    block.data.forEach((value, i) => {
      colours3.set(
        role === "weights" ? levelOf(value) : signed((clip && value < 0 ? 0 : value) / scale, role),
        i * 3,
      );
    });
    /** @type {HTMLCanvasElement[]} */
    const found = [];
    for (let w = columns; ; w /= 2) {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [w, rows];
      const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      const image = pen.createImageData(w, rows);
      for (let i = 0; i < rows * w; i++)
        image.data.set([colours3[i * 3], colours3[i * 3 + 1], colours3[i * 3 + 2], 255], i * 4);
      pen.putImageData(image, 0, 0);
      found.push(canvas);
      if (w % 2 || w <= 4 || role === "weights") break;
      const half = new Float32Array((rows * w * 3) / 2);
      for (let i = 0; i < (rows * w) / 2; i++)
        for (let c = 0; c < 3; c++)
          half[i * 3 + c] = (colours3[i * 6 + c] + colours3[i * 6 + 3 + c]) / 2;
      colours3 = half;
    }
    known[name] = found;
    return found;
  }
  /** Draw some columns of one row of a matrix as cells. */
  function cells(block, row, x, y, w, h, look) {
    const { role, scale, from = 0, count = block.shape[1], clip = false } = look;
    if (w < 0.2 || h <= 0) return;
    const found = pictureOf(block, role, scale, clip);
    const wanted = Math.max(4, (w * devicePixelRatio * 1.3 * block.shape[1]) / count);
    const image =
      found.findLast((one) => one.width >= Math.min(wanted, found[0].width)) ?? found[0];
    const halved = image.width / block.shape[1];
    g.imageSmoothingEnabled = (w * devicePixelRatio) / (count * halved) < 2;
    g.drawImage(image, from * halved, row, count * halved, 1, x, y, w, h);
  }
  /** Draw a curve between two points with level ends, up to a part of it. */
  function curve(
    from,
    to,
    {
      role = "residual",
      thick = 2,
      dash = /** @type {number[]} */ ([]),
      shown = 1,
      back = false,
    } = {},
  ) {
    if (shown <= 0) return;
    const middle = (from[0] + to[0]) / 2;
    g.save();
    if (shown < 1) {
      const [start, end] = back ? [to[0], from[0]] : [from[0], to[0]];
      const edge = mix(start, end, shown);
      g.beginPath();
      const left = Math.min(start, edge) - (start < end ? thick : 0);
      g.rect(left, -1e4, Math.abs(edge - start) + thick, 2e4);
      g.clip();
    }
    g.strokeStyle = colour(role);
    g.lineWidth = thick;
    g.lineCap = "round";
    g.setLineDash(dash);
    g.beginPath();
    g.moveTo(from[0], from[1]);
    g.bezierCurveTo(middle, from[1], middle, to[1], to[0], to[1]);
    g.stroke();
    g.restore();
  }
  function line(from, to, role = "line", thick = 1, dash = /** @type {number[]} */ ([])) {
    g.strokeStyle = colour(role);
    g.lineWidth = thick;
    g.setLineDash(dash);
    g.beginPath();
    g.moveTo(from[0], from[1]);
    g.lineTo(to[0], to[1]);
    g.stroke();
    g.setLineDash([]);
  }
  function lifted(x, y, w, h, role, radius = 5) {
    g.save();
    g.shadowColor = "rgba(20, 20, 50, .3)";
    g.shadowBlur = 14;
    box(x, y, w, h, { fill: "ground", radius });
    g.restore();
    box(x, y, w, h, { line: role, thick: 2, radius });
  }
  return { g, fade, width, write, box, chip, cells, curve, line, lifted, shade, signed, colour };
}
