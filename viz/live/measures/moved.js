import { attentionSite } from "../sites/sites.js";

export const LEAST_SEEN = 5e-4; // a smaller change counts as none, as in viz/effect/difference.py

/**
 * The weights of a layer after minus before, as `attention_change` of viz/compute/effects.py.
 * @param {import("../recording.js").Recording} before The recording of the model as it was trained.
 * @param {import("../recording.js").Recording} after That of the changed model on the same pieces.
 * @param {string} kind The kind of attention.
 * @param {number} layer The layer, from 0.
 * @returns {import("../tensor.js").Tensor} The changes (H, T, S); new rows of padding are NaN.
 */
export function attentionChange(before, after, kind, layer) {
  const site = attentionSite(kind, layer, "weights");
  const [was, now] = [before, after].map(({ arrays }) => arrays.get(site));
  const [[heads, rows, columns], [, queries, keys]] = [now.shape, was.shape];
  const values = now.values.slice();
  for (let head = 0; head < heads; head++) {
    for (let row = 0; row < rows; row++) {
      const at = (head * rows + row) * columns;
      if (row >= queries) values.fill(NaN, at, at + columns);
      else for (let key = 0; key < keys; key++) values[at + key] -= was.values[(head * queries + row) * keys + key];
    }
  }
  return { shape: now.shape, values };
}

/**
 * The share of attention that each head of a layer moved, as a mean over queries; rows of padding,
 * where there is nothing to compare, do not count.
 * @param {import("../tensor.js").Tensor} change What `attentionChange` returned.
 * @returns {number[]} The shares (H).
 */
export function movedShares({ shape: [heads, rows, columns], values }) {
  return Array.from({ length: heads }, (_, head) => {
    let [sum, queries] = [0, 0];
    for (let row = 0; row < rows; row++) {
      const at = (head * rows + row) * columns;
      if (Number.isNaN(values[at])) continue;
      queries++;
      for (let key = 0; key < columns; key++) sum += Math.abs(values[at + key]) / 2;
    }
    return sum / queries;
  });
}
