import { hasLetters, isSpecial } from "../words.js";

const CROSS_AHEAD = 0.6; // cross-attention is the easiest to read

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
      return Math.max(...links[row].map((linked, key) => (linked ? values[start + key] : 0)));
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
