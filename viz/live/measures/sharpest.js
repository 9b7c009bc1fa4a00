import { attentionSite } from "../sites/sites.js";
import { WORD_START, hasLetters, isSpecial } from "../words.js";

const CROSS_AHEAD = 0.6; // cross-attention is the easiest to read
const MIXED = 4; // keys, among which a mixed row gives nearly all weight
const NEARLY_ALL = 0.8;

/**
 * Weights of a kind of attention, of shape (L, H, query, key).
 * @typedef {{ shape: number[], values: Float32Array }} Weights
 * @typedef {{ layer: number, head: number, query: number, sharpness: number }} Sharpest
 */

/**
 * Find the head whose queries look most strongly from one content piece to another.
 * @param {Weights} weights The weights.
 * @param {string[]} queries The tokens of the queries.
 * @param {string[]} keys The tokens of the keys.
 * @param {boolean} itself Whether they look at their own sentence; neighbours do not count then.
 * @returns {Sharpest} The head, from 0.
 */
export function sharpest({ shape: [layers, heads], values }, queries, keys, itself) {
  const links = contentLinks(queries, keys, itself);
  const rows = queries.map((_, row) => row).filter((row) => links[row].includes(true));
  const found = { layer: 0, head: 0, query: 0, sharpness: -1 };
  for (let place = 0; place < layers * heads; place++) {
    const looks = rows.map((row) => {
      const start = (place * queries.length + row) * keys.length;
      return links[row].reduce((most, linked, key) => (linked ? Math.max(most, values[start + key]) : most), 0);
    });
    const sharpness = looks.reduce((sum, look) => sum + look, 0) / rows.length;
    if (sharpness > found.sharpness) {
      const query = rows[looks.indexOf(Math.max(...looks))];
      Object.assign(found, { layer: Math.floor(place / heads), head: place % heads, query, sharpness });
    }
  }
  return found;
}

/**
 * Stack a part of attention in all layers of a kind: of the weights, (L, H, query, key).
 * @param {Map<string, import("../tensor.js").Tensor>} arrays A recording.
 * @param {string} kind The kind.
 * @param {number} layers How many layers it has.
 * @param {string} part The part.
 * @returns {Weights} The tensor.
 */
export function stacked(arrays, kind, layers, part = "weights") {
  const own = Array.from({ length: layers }, (_, layer) => arrays.get(attentionSite(kind, layer, part)));
  const size = own[0].values.length;
  const values = new Float32Array(own.length * size);
  own.forEach((tensor, layer) => values.set(tensor.values, layer * size));
  return { shape: [own.length, ...own[0].shape], values };
}

/**
 * Find the head and the step, one that begins a word, that mix content pieces most: with the largest
 * third-best weight among four that have nearly all.
 * @param {Weights} weights The weights of cross-attention.
 * @param {string[]} queries The tokens of the queries.
 * @param {string[]} keys The tokens of the keys.
 * @returns {{ layer: number, head: number, query: number } | null} The place, from 0; null without any.
 */
export function mostMixed({ shape: [layers, heads], values }, queries, keys) {
  if (keys.length < MIXED) return null;
  const written = [...queries.slice(1), ""]; // the last step writes the end token
  const links = contentLinks(written, keys, false);
  const rows = written.flatMap((piece, row) => (piece.startsWith(WORD_START) ? [row] : []));
  let most = { third: 0, place: null };
  for (let at = 0; at < layers * heads; at++) {
    for (const row of rows) {
      const start = (at * queries.length + row) * keys.length;
      const own = values.subarray(start, start + keys.length);
      const best = own.map((weight, key) => (links[row][key] ? weight : 0)).toSorted().slice(-MIXED);
      const third = best.reduce((sum, weight) => sum + weight, 0) >= NEARLY_ALL ? best.at(-3) : 0;
      const place = { layer: Math.floor(at / heads), head: at % heads, query: row };
      if (third > most.third) most = { third, place };
    }
  }
  return most.place;
}

/**
 * Choose cross-attention, or the encoder if it is sharper by far.
 * @param {Record<string, Sharpest>} found The sharpest head of each kind.
 * @returns {string} The kind.
 */
export function sharpestKind({ encoder, cross }) {
  return cross.sharpness >= CROSS_AHEAD * encoder.sharpness ? "cross" : "encoder";
}

function contentLinks(queries, keys, itself) {
  const content = (token) => hasLetters(token) && !isSpecial(token);
  const [rows, columns] = [queries.map(content), keys.map(content)];
  const links = rows.map((own, row) =>
    columns.map((its, column) => own && its && !(itself && Math.abs(row - column) <= 1)),
  );
  return links.some((row) => row.includes(true)) ? links : links.map((row) => row.map(() => true));
}
