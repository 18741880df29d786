// The formula of each stop, with the numbers of the word that is followed.
import { ranked, rowOf, slice } from "./data.js";
import { nameOf, percentOf } from "./draw.js";
import { factor, grouped, number } from "./words.js";

/**
 * Return the values that a stop's words are filled with.
 * @param {any} story @param {any} text
 */
export function valuesOf(story, text) {
  const { config, arrays, hero, row } = story;
  const name = (token) => nameOf(token, text);
  const hidden = arrays.hid.data;
  const zero = hidden.filter((one) => one === 0).length / hidden.length;
  const at = story.top[row].indexOf(story.tgt[row + 1].t);
  return {
    word: name(story.src[story.source]),
    best: name(story.src[story.order[0]]),
    share: percentOf(story.weights[story.order[0]]),
    next: name(story.tgt[row + 1]),
    read: name(story.tgt[row]),
    writes: percentOf(rowOf(arrays.over, row)[story.source]),
    p: at < 0 ? "" : percentOf(rowOf(arrays.tp, row)[at]),
    zero: percentOf(zero),
    head: hero.head + 1,
    heads: config.n_heads,
    d_model: grouped(config.d_model),
    d_k: config.d_k,
    d_ff: grouped(config.d_ff),
    vocabulary: grouped(config.src_vocab),
    target_vocabulary: grouped(config.vocab),
    layers: config.n_encoder,
    more: config.n_encoder - 1,
    decoder_layers: config.n_decoder,
  };
}

/** Return a stop's formula. @param {string} slug @param {any} story @param {any} text */
export function formulaOf(slug, story, text) {
  const { arrays, source, row, order, config } = story;
  const name = (token) => nameOf(token, text);
  const word = name(story.src[source]);
  const best = order[0];
  const key = name(story.src[best]);
  const first = (id, r) => Array.from(rowOf(arrays[id], r).subarray(0, 3), (one) => number(one));
  const x = config.pre ? "norm(x)" : "x";
  const at = (id, r, c) => rowOf(arrays[id], r)[c];
  switch (slug) {
    case "tokens":
      return `${word} → ${story.src[source].id}`;
    case "vectors":
      return `${word} = ( ${first("emb", source).join("  ")}  … )`;
    case "position":
      return `${number(at("emb", source, 0))} + ${factor(at("pos", source, 0))} = ${number(at("x", source, 0))}`;
    case "qkv":
      return `q = ${x} · W_Q     k = ${x} · W_K     v = ${x} · W_V`;
    case "score": {
      const [q, k] = [rowOf(arrays.q, source), rowOf(arrays.k, best)];
      const [a, b] = ranked(q.map((one, i) => Math.abs(one * k[i])));
      return `q(${word}) · k(${key}) = ${number(q[a])}·${factor(k[a])} + ${factor(q[b])}·${factor(k[b])} + … = ${number(at("s", source, best), 1)}`;
    }
    case "softmax":
      return `${key}:  ${number(at("s", source, best))} ÷ ${number(Math.sqrt(config.d_k))} = ${number(at("sc", source, best))}  →  ${percentOf(story.weights[best])}`;
    case "sum": {
      const parts = order
        .slice(0, 3)
        .map((j) => `${number(story.weights[j])}·v(${name(story.src[j])})`);
      return `z = ${parts.join(" + ")} + …`;
    }
    case "rows":
      return "softmax( Q Kᵀ / √d_k ) · V = Z";
    case "heads":
      return `${config.n_heads} × ${config.d_k} = ${config.d_model}`;
    case "join":
      return `x + concat(z₁ … z${low(config.n_heads)}) · W_O`;
    case "feed-forward":
      return config.activation === "relu" ? `x + max(0, ${x} · W₁) · W₂` : `x + f(${x} · W₁) · W₂`;
    case "layers":
      return `${story.src.length} × ${config.d_model}`;
    case "mask":
      return "softmax( mask( Q Kᵀ / √d_k ) ) · V";
    case "memory":
      return `softmax( q(${name(story.tgt[row])}) · k(${word}) / √d_k ) = ${number(at("over", row, source))}`;
    case "words": {
      const says = (i) =>
        `${shown(story.top[row][i], text)}: ${number(at("tl", row, i))} → ${percentOf(at("tp", row, i))}`;
      return `${says(0)}      ${says(1)}`;
    }
    case "loop":
      return story.output;
    case "answer":
      return `p(${name(story.tgt[row + 1])}) = ${number(arrays.p.data[row], 3)}`;
    case "loss":
      return `−log ${number(arrays.p.data[row], 3)} = ${number(arrays.loss.data[row], 3)}`;
    case "training": {
      const [from, to] = [story.moments[0], story.moments[story.moments.length - 1]];
      return `${number(from.loss)} → ${number(to.loss)}`;
    }
    case "journey":
      return `${word} → ${name(story.tgt[row + 1])}`;
    default:
      return "";
  }
}

function shown(word, text) {
  return nameOf({ t: word }, text);
}

function low(n) {
  return [...String(n)].map((one) => "₀₁₂₃₄₅₆₇₈₉"[Number(one)]).join("");
}

/**
 * Return how one number came to be, in double precision; null where it is no sum of what is here.
 * A line is a name, a colour and numbers; `ours` is the model's own result.
 * @param {any} story @param {string} column @param {number} row @param {number} at
 * @returns {{ lines: any[][], result: number, ours: number } | null}
 */
export function calculationOf(story, column, row, at) {
  const { arrays, source, config } = story;
  const of = (id, r) => Array.from(rowOf(arrays[id], r));
  const sum = (values) => values.reduce((all, one) => all + one, 0);
  const times = (a, b) => a.map((one, i) => one * b[i]);
  const added = (parts) => ({
    lines: parts.map(([id, role]) => [id, role, [of(id, row)[at]]]),
    result: sum(parts.map(([id]) => of(id, row)[at])),
    ours: of(column, row)[at],
  });
  const [scores, scaled] = [of("s", source), of("sc", source)];
  switch (column) {
    case "k":
    case "q":
    case "s": {
      const [q, k] = [of("q", source), of("k", row)];
      const product = times(q, k);
      const lines = [
        ["q", "query", q],
        ["k", "key", k],
        ["q × k", "output", product],
      ];
      return { lines, result: sum(product), ours: scores[row] };
    }
    case "sc": {
      const root = Math.sqrt(config.d_k);
      const lines = [
        ["q · k", "query", [scores[row]]],
        ["√d_k", "ink", [root]],
      ];
      return { lines, result: scores[row] / root, ours: scaled[row] };
    }
    case "w": {
      const powers = scaled.map(Math.exp);
      const lines = [
        ["÷ √d_k", "query", scaled],
        ["e^x", "value", powers],
      ];
      return { lines, result: powers[row] / sum(powers), ours: story.weights[row] };
    }
    case "z": {
      const weights = of("map", row);
      const v = weights.map((_, j) => of("v", j)[at]);
      const product = times(weights, v);
      const lines = [
        ["softmax", "value", weights],
        ["v", "value", v],
        ["×", "output", product],
      ];
      return { lines, result: sum(product), ours: of("z", row)[at] };
    }
    case "x":
      return added([
        ["emb", "input"],
        ["pos", "position"],
      ]);
    case "add1":
      return added([
        ["x", "input"],
        ["o", "output"],
      ]);
    case "add2":
      return added([
        [config.pre ? "add1" : "n1", "residual"],
        ["ff", "ffn"],
      ]);
    default:
      return null;
  }
}

/** Return the numbers of a column as a table: its rows, each with a token's name. @param {any} story
 * @param {any} column @param {any} text */
export function tableOf(story, column, text) {
  const { arrays, src, tgt, source } = story;
  const names = (tokens) => tokens.map((one) => nameOf(one, text));
  const rows = column.decoder ? names(tgt.slice(0, -1)) : names(src);
  const numbers = (block) => rows.map((_, r) => Array.from(rowOf(block, r)));
  switch (column.kind) {
    case "ids":
      return { rows, head: null, values: src.map((one) => [one.id]) };
    case "cells":
      return {
        rows,
        head: null,
        values: Array.from(rowOf(arrays[column.id], source), (one) => [one]),
      };
    case "bars":
    case "lines":
      if (column.id !== "ln")
        return { rows, head: null, values: Array.from(story.weights, (one) => [one]) };
      return {
        rows: names(tgt.slice(0, -1)),
        head: names(src),
        values: tgt.slice(0, -1).map((_, r) => Array.from(rowOf(arrays.over, r))),
      };
    case "strip":
      return { rows, head: null, values: numbers(arrays[column.id]) };
    case "map":
      if (column.decoder) return { rows, head: rows, values: numbers(arrays.dmap) };
      return {
        rows,
        head: rows,
        values: numbers(slice(arrays.ew, column.layer ?? 0, column.head ?? 0)),
      };
    case "top":
      return {
        rows: story.top[story.row].map((one) => nameOf({ t: one }, text)),
        head: null,
        values: Array.from(rowOf(arrays.tp, story.row), (one) => [one]),
      };
    default:
      return null;
  }
}
