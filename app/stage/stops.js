// The stops of the tour, in order: which columns come, how wide they open, and how long it moves.

/**
 * @typedef {object} Stop
 * @property {string} slug @property {string} act
 * @property {number} ms how long its transition takes
 * @property {string[]} shows the columns that come with it
 * @property {Record<string, number>} open the columns that are open, with their widths at 1440 × 900
 * @property {Record<string, number>} [phone] the same in a narrow window
 * @property {number[]} [spare] the room that it leaves at the right, wide and narrow
 * @property {boolean} [folded] whether the first layer is one block
 * @property {boolean} [learned] whether the encoder and the decoder are two blocks
 */

/** @param {any} config @param {number} head the hero's @returns {Stop[]} */
export function stopsOf(config, head) {
  const own = `h${head}`;
  const heads = Array.from({ length: config.n_heads }, (_, i) => `h${i}`);
  const layers = Array.from({ length: config.n_encoder - 1 }, (_, i) => `l${i + 1}`);
  const each = (names, width) => Object.fromEntries(names.map((name) => [name, width]));
  const [norm1, norm1After] = config.pre ? [["n1"], []] : [[], ["n1"]];
  const narrow = Math.min(26, 208 / heads.length);
  const layer = Math.min(150, 620 / config.n_encoder);
  // biome-ignore format: a table
  return [
    { slug: "sentence", act: "in", ms: 0, shows: [], open: {} },
    { slug: "tokens", act: "in", ms: 1100, shows: ["ids"], open: { ids: 96 } },
    { slug: "vectors", act: "in", ms: 1700, shows: ["emb"], spare: [150, 44],
      open: { ids: 72, emb: 560 }, phone: { ids: 50, emb: 170 } },
    { slug: "position", act: "in", ms: 1900, shows: ["pos", "x"],
      open: { emb: 300, pos: 300, x: 300 } },
    { slug: "who", act: "head", ms: 1500, shows: ["who", "names"],
      open: { x: 200, who: 520, names: 150 }, phone: { who: 150, names: 84 } },
    { slug: "qkv", act: "head", ms: 1900, shows: [...norm1, "q", "k", "v"],
      open: { x: 200, ...each(norm1, 200), q: 288, k: 288, v: 288 },
      phone: { ...each(norm1, 54), q: 84, k: 84, v: 84 } },
    { slug: "score", act: "head", ms: 3200, shows: ["s"], open: { q: 320, k: 420, s: 130 } },
    { slug: "softmax", act: "head", ms: 2200, shows: ["sc", "w"],
      open: { k: 230, s: 110, sc: 110, w: 400 }, phone: { s: 56, sc: 56, w: 170 } },
    { slug: "sum", act: "head", ms: 2400, shows: ["z"],
      open: { w: 230, v: 330, z: 330 }, phone: { w: 90, v: 100, z: 100 } },
    { slug: "rows", act: "head", ms: 2400, shows: [own],
      open: { w: 110, z: 160, [own]: 700 }, phone: { [own]: 400 } },
    { slug: "heads", act: "heads", ms: 1800, shows: heads, open: each(heads, 1060 / heads.length) },
    { slug: "join", act: "join", ms: 2400, shows: ["cat", "o", "add1", ...norm1After],
      open: { ...each(heads, narrow), cat: 380, o: 220, add1: 220, ...each(norm1After, 160) },
      phone: { cat: 190, o: 76, add1: 76 } },
    { slug: "feed-forward", act: "ffn", ms: 2400, shows: ["n2", "pre", "ff", "add2"],
      open: { add1: 150, n2: 130, pre: 520, ff: 170, add2: 170 },
      phone: { pre: 210, ff: 60, add2: 60 } },
    { slug: "layers", act: "layers", ms: 2000, shows: [...layers, "mem"], folded: true,
      open: { [own]: layer, ...each(layers, layer), mem: 280 },
      phone: { [own]: 60, ...each(layers, 60), mem: 70 } },
    { slug: "mask", act: "decoder", ms: 1900, shows: ["mtok", "ln", "read", "dmap"], folded: true,
      open: { mem: 150, mtok: 84, ln: 70, read: 140, dmap: 560 },
      phone: { read: 84, dmap: 250 } },
    { slug: "memory", act: "decoder", ms: 2200, shows: ["cz"], folded: true,
      open: { mem: 110, mtok: 96, ln: 430, read: 210, cz: 230 },
      phone: { mtok: 62, ln: 110, read: 116, cz: 60 } },
    { slug: "words", act: "next", ms: 2000, shows: ["dout", "top"], folded: true,
      open: { mtok: 84, ln: 130, read: 190, cz: 90, dout: 210, top: 440 },
      phone: { read: 90, dout: 60, top: 210 } },
    { slug: "loop", act: "next", ms: 3200, shows: [], folded: true,
      open: { mtok: 96, ln: 300, read: 200, dout: 110, top: 400 },
      phone: { mtok: 54, ln: 60, read: 90, top: 180 } },
    { slug: "answer", act: "learned", ms: 1900, shows: ["answer"], folded: true, learned: true,
      open: { answer: 1120 }, phone: { answer: 360 } },
    { slug: "loss", act: "learned", ms: 2000, shows: [], folded: true, learned: true,
      open: { top: 330, answer: 790 }, phone: { answer: 360 } },
    { slug: "training", act: "learned", ms: 2200, shows: ["training"], folded: true, learned: true,
      open: { training: 1160 }, phone: { training: 360 } },
    { slug: "journey", act: "end", ms: 2200, shows: ["journey"], folded: true, learned: true,
      open: { journey: 1240 }, phone: { journey: 370 } },
  ];
}
