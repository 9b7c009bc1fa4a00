import { attentionSite } from "../sites/sites.js";
import { scoresOf } from "../tensor.js";

/**
 * Return the factor of interventions for each score q k / sqrt(d_k): 1 where nothing is changed or a
 * link is forbidden, NaN where they do not multiply. See Recording.score_factors.
 * @param {Map<string, import("../tensor.js").Tensor>} arrays A recording.
 * @param {Map<string, import("../sites/tap.js").Edit>} edits The edits of its run.
 * @param {string} kind The kind of attention.
 * @param {number} layer The layer, from 0.
 * @returns {import("../tensor.js").Tensor} The factors (H, T, S).
 */
export function scoreFactors(arrays, edits, kind, layer) {
  const site = attentionSite(kind, layer, "scores");
  const { shape } = arrays.get(site);
  const edit = edits.get(site);
  const plain = scoresOf(...["q", "k"].map((part) => arrays.get(attentionSite(kind, layer, part))));
  if (!edit) return { shape, values: plain.values.fill(1) };
  const scores = plain.values.map((score) => (score === 0 ? 1 : score)); // every factor gives 0 for 0
  const after = (share) => edit.apply({ shape, values: scores.map((score) => score * share) }).values;
  const [whole, half, zero] = [1, 0.5, 0].map(after);
  const factors = scores.map((score, at) => {
    if (!Number.isFinite(whole[at])) return 1;
    const factor = whole[at] / score;
    const expected = (factor * score) / 2;
    const isHalf = Math.abs(half[at] - expected) <= 1e-6 + 1e-5 * Math.abs(expected);
    return isHalf && Math.abs(zero[at]) <= 1e-6 ? factor : NaN;
  });
  return { shape, values: factors };
}
