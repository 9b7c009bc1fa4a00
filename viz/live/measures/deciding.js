import { attentionSite } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";
import { findWord } from "../words.js";

/**
 * One of two sentences: its words, its recording, and the row of the deciding step.
 * @typedef {import("../words.js").Word} Word
 * @typedef {{ words: Word[], recording: import("../recording.js").Recording,
 *   step: number }} Side
 * @typedef {{ kind: string, layer: number, head: number }} Head
 * @typedef {{ asks: string, source: [string, string] }} Told The word that asks, "" for none, and the
 *   word that decides in each sentence.
 */

/**
 * List all heads of a kind, layer by layer.
 * @param {import("../transformer/config.js").Config} config The model.
 * @param {string} kind The kind.
 * @returns {Head[]} The heads.
 */
export function headsOf(config, kind) {
  const layers = Array.from({ length: layersOf(config, kind) }, (_, layer) => layer);
  return layers.flatMap((layer) =>
    Array.from({ length: config.heads }, (_, head) => ({ kind, layer, head })),
  );
}

/**
 * Return the weights of one query of a head.
 * @param {Map<string, import("../tensor.js").Tensor>} arrays A recording.
 * @param {Head} head The head.
 * @param {number} query The row.
 * @returns {Float32Array} The weights by keys.
 */
export function rowOf(arrays, { kind, layer, head }, query) {
  const { shape: [, queries, keys], values } = arrays.get(attentionSite(kind, layer, "weights"));
  const start = (head * queries + query) * keys;
  return values.subarray(start, start + keys);
}

/**
 * Sum the weights of a row on the pieces of a word.
 * @param {Float32Array} row The weights.
 * @param {{ first: number, last: number } | undefined} word The word; nothing is on a missing one.
 * @returns {number} The sum.
 */
export function onWord(row, word) {
  let sum = 0;
  if (word) for (let piece = word.first; piece <= word.last; piece++) sum += row[piece];
  return sum;
}

/**
 * Find the head that moves most weight between the two words that decide: from the word that asks, in
 * the encoder, or from the deciding step, in cross-attention.
 * @param {import("../transformer/config.js").Config} config The model.
 * @param {Told} told The words.
 * @param {[Side, Side]} sides Both sentences.
 * @returns {Head} The head. A movement is the smaller of the first word's loss and the second's gain.
 */
export function decidingHead(config, { asks, source }, sides) {
  const places = source.map((text) => sides.map(({ words }) => words[findWord(words, text)]));
  let widest = { moved: -Infinity };
  for (const kind of asks ? ["encoder", "cross"] : ["cross"]) {
    const queries = sides.map(({ words, step }) => (kind === "cross" ? step : words[findWord(words, asks)].first));
    for (const head of headsOf(config, kind)) {
      const rows = sides.map(({ recording }, n) => rowOf(recording.arrays, head, queries[n]));
      const [one, other] = places.map((words) => words.map((word, n) => onWord(rows[n], word)));
      const moved = Math.min(one[0] - one[1], other[1] - other[0]);
      if (moved > widest.moved) widest = { ...head, moved };
    }
  }
  const { moved: _moved, ...head } = widest;
  return head;
}
