// The columns of the stage, from left to right in the order in which the model computes them: what
// each shows, of which array, in which colour. A column is added here and in the stop that opens it.

/**
 * @typedef {object} Column
 * @property {string} id
 * @property {string} act the part of the mini-map that it belongs to
 * @property {"ids" | "strip" | "lines" | "names" | "cells" | "bars" | "map" | "read" | "top" | "scene"} kind
 * @property {string} role its colour
 * @property {string} [array] what it is drawn from; its own name, if there is none
 * @property {string} [name] its heading: a symbol, or the name of a text
 * @property {string} [sub] the name of the text below its heading
 * @property {string} [sign] the operator before it
 * @property {boolean} [decoder] whether its rows are those of the decoder
 * @property {boolean} [boxed] whether its strips have a frame: all of their numbers are there
 * @property {number} [layer] @property {number} [head]
 * @property {boolean} [passes] whether it goes when its stop is left: it is no array of the model
 * @property {number} [map] its width on the mini-map
 */

/** Return the columns of a model, by its configuration. @param {any} config @returns {Column[]} */
export function columnsOf(config) {
  const { pre, n_heads, n_encoder } = config;
  /** @param {string} id @param {string} act @param {string} role @param {Partial<Column>} [more]
   * @returns {Column} */
  const strip = (id, act, role, more = {}) => ({ id, act, kind: "strip", role, ...more });
  const norm = (id, act) => strip(id, act, "input", { name: "norm", sub: "norm_sub", sign: "→" });
  const heads = Array.from({ length: n_heads }, (_, head) => ({
    id: `h${head}`,
    act: "heads",
    kind: /** @type {const} */ ("map"),
    role: "weights",
    head,
    map: 2.4,
  }));
  const layers = Array.from({ length: n_encoder - 1 }, (_, i) => ({
    id: `l${i + 1}`,
    act: "layers",
    kind: /** @type {const} */ ("map"),
    role: "weights",
    layer: i + 1,
    map: 3,
  }));
  // biome-ignore format: a table
  return [
    { id: "ids", act: "in", kind: "ids", role: "residual", name: "ids", sub: "ids_sub", map: 2 },
    strip("emb", "in", "input", { name: "emb", sub: "numbers" }),
    strip("pos", "in", "position", { name: "pos", sub: "pos_sub", sign: "+" }),
    strip("x", "in", "input", { name: "x", sub: "numbers", sign: "=" }),
    { id: "who", act: "head", kind: "lines", role: "weights", passes: true, map: 0 },
    { id: "names", act: "head", kind: "names", role: "ink", name: "looked", passes: true, map: 0 },
    ...(pre ? [norm("n1", "head")] : []),
    strip("q", "head", "query", { name: "q", sub: "query", sign: "→", boxed: true, map: 4 }),
    strip("k", "head", "key", { name: "k", sub: "key", boxed: true, map: 4 }),
    { id: "s", act: "head", kind: "cells", role: "query", name: "q · k", sub: "score", sign: "=", map: 2 },
    { id: "sc", act: "head", kind: "cells", role: "query", name: "÷ √d_k", sub: "scaled", sign: "→", map: 2 },
    { id: "w", act: "head", kind: "bars", role: "weights", name: "softmax", sub: "shares", sign: "→", map: 4 },
    strip("v", "head", "value", { name: "v", sub: "value", boxed: true, map: 4 }),
    strip("z", "head", "output", { name: "z", sub: "got", sign: "=", boxed: true, map: 4 }),
    ...heads,
    strip("cat", "join", "output", { name: "cat", sub: "cat_sub", map: 6 }),
    strip("o", "join", "output", { name: "× W_O", sub: "numbers", sign: "→" }),
    strip("add1", "join", "residual", { name: "add1", sub: "lane", sign: "+" }),
    ...(pre ? [] : [norm("n1", "join")]),
    ...(pre ? [norm("n2", "ffn")] : []),
    strip("pre", "ffn", "ffn", { name: "pre", sub: "hidden", sign: "→", map: 9 }),
    strip("ff", "ffn", "ffn", { name: "× W₂", sub: "numbers", sign: "→" }),
    strip("add2", "ffn", "residual", { name: "sum", sub: "lane", sign: "+" }),
    ...(pre ? [] : [norm("n2", "ffn")]),
    ...layers,
    strip("mem", "layers", "input", { name: "memory", sub: "memory_sub" }),
    { id: "mtok", act: "decoder", kind: "names", role: "ink", map: 1 },
    { id: "ln", act: "decoder", kind: "lines", role: "weights", name: "over", map: 5 },
    { id: "read", act: "decoder", kind: "read", role: "ink", name: "read", decoder: true, map: 3 },
    { id: "dmap", act: "decoder", kind: "map", role: "weights", decoder: true, map: 6 },
    strip("cz", "decoder", "output", { name: "z", sub: "from_memory", decoder: true, boxed: true, map: 3 }),
    strip("dout", "next", "input", { name: "vector", sub: "after_layers", sign: "→", decoder: true, map: 4 }),
    { id: "top", act: "next", kind: "top", role: "hero", name: "next", sub: "of_vocabulary", decoder: true, map: 6 },
    { id: "answer", act: "learned", kind: "scene", role: "ink", map: 6 },
    { id: "training", act: "learned", kind: "scene", role: "weights", map: 6 },
    { id: "journey", act: "end", kind: "scene", role: "hero", map: 4 },
  ];
}
