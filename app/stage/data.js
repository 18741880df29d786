// One sentence's arrays as they were sent, and what follows from the word that is followed.

const BYTES = 4; // of a number

/**
 * Read what was packed: numbers of single precision, their bytes by significance, compressed.
 * @param {string} packed @param {[string, number[]][]} shapes
 * @returns {Promise<Record<string, Block>>}
 * @typedef {{ data: Float32Array, shape: number[] }} Block
 */
export async function unpack(packed, shapes) {
  const text = atob(packed);
  const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const sorted = new Uint8Array(await new Response(stream).arrayBuffer());
  const count = sorted.length / BYTES;
  const joined = new Uint8Array(sorted.length);
  for (let place = 0; place < BYTES; place++)
    for (let i = 0; i < count; i++) joined[i * BYTES + place] = sorted[place * count + i];
  const numbers = new Float32Array(joined.buffer);
  /** @type {Record<string, Block>} */
  const blocks = {};
  let at = 0;
  for (const [name, shape] of shapes) {
    const size = shape.reduce((all, one) => all * one, 1);
    blocks[name] = { data: numbers.subarray(at, at + size), shape };
    at += size;
  }
  return blocks;
}

/**
 * Return the part of an array at its first indices, with the shape that is left.
 * @param {Block} block @param {...number} index @returns {Block}
 */
export function slice(block, ...index) {
  let { data, shape } = block;
  for (const i of index) {
    const size = data.length / shape[0];
    data = data.subarray(i * size, (i + 1) * size);
    shape = shape.slice(1);
  }
  return { data, shape };
}

/** Return one row of a matrix. @param {Block} block @param {number} row */
export function rowOf(block, row) {
  const width = block.shape[1];
  return block.data.subarray(row * width, (row + 1) * width);
}

/** Return the places of the largest numbers, the largest first. @param {ArrayLike<number>} row */
export function ranked(row) {
  return Array.from(row, (_, i) => i).sort((a, b) => row[b] - row[a]);
}

/** Return e^x ÷ Σ e^x, in double precision. @param {ArrayLike<number>} row @returns {number[]} */
export function softmax(row) {
  const top = Math.max(...Array.from(row));
  const powers = Array.from(row, (x) => Math.exp(x - top));
  const sum = powers.reduce((all, one) => all + one, 0);
  return powers.map((one) => one / sum);
}

/**
 * Return what is drawn when the word at `source` is followed: its head's arrays and its row.
 * @param {any} facts @param {Record<string, Block>} blocks @param {number} source
 * @param {{ reads?: boolean }} [choices]
 */
export function storyOf(facts, blocks, source, choices = {}) {
  const hero = facts.heroes[source];
  const { config } = facts;
  const head = (name) => slice(blocks[name], hero.head);
  let { cross, row } = hero;
  const reader = choices.reads ? readerOf(facts) : null;
  if (reader) cross = reader;
  const weights = rowOf(slice(blocks.ew, 0, hero.head), source);
  const order = ranked(weights);
  const maskHead = widestHead(slice(blocks.dw, 0));
  const arrays = {
    ...blocks,
    ...Object.fromEntries(["q", "k", "v", "z", "s", "sc"].map((name) => [name, head(name)])),
    cat: joined(blocks.z, config.n_heads),
    map: slice(blocks.ew, 0, hero.head),
    dmap: slice(blocks.dw, 0, maskHead),
    dsc: slice(blocks.dsc, maskHead),
    over: slice(blocks.cw, cross[0], cross[1]),
    cz: slice(blocks.cz, cross[0], cross[1]),
  };
  return { ...facts, arrays, source, hero, head: hero.head, row, cross, weights, order, maskHead };
}

/** Return a head whose rows look for the token just read, if the atlas found one. */
export function readerOf(facts) {
  const found = Object.entries(facts.roles).find(
    ([name, role]) => role === "reads" && name.startsWith("cross."),
  );
  return found ? found[0].split(".").slice(1).map(Number) : null;
}

/** Return the heads' results side by side: (H, T, d) -> (T, H · d). @param {Block} z */
function joined(z, heads) {
  const [, rows, width] = z.shape;
  const data = new Float32Array(rows * heads * width);
  for (let h = 0; h < heads; h++)
    for (let r = 0; r < rows; r++)
      data.set(
        z.data.subarray((h * rows + r) * width, (h * rows + r + 1) * width),
        (r * heads + h) * width,
      );
  return { data, shape: [rows, heads * width] };
}

/** Return the head whose rows are spread out most, which shows most. @param {Block} heads */
function widestHead(heads) {
  const [count, rows] = heads.shape;
  const clear = Array.from({ length: count }, (_, h) => {
    const map = slice(heads, h);
    return Array.from({ length: rows }, (_, r) => Math.max(...rowOf(map, r))).reduce(
      (a, b) => a + b,
    );
  });
  return clear.indexOf(Math.min(...clear));
}
