import { paddedIds } from "./interventions/compiled.js";
import { prepare } from "./interventions/prepare.js";
import { makeRecorder } from "./sites/tap.js";

/**
 * All tensors of one forward pass over one sentence pair, by the names of their sites. The target
 * starts with the begin token; row t of the logits predicts the piece after it.
 * @typedef {{ sourceIds: number[], targetIds: number[],
 *   arrays: Map<string, import("./tensor.js").Tensor> }} Recording
 */

/**
 * Run the model once over ids and keep every site, after the interventions.
 * @param {import("./transformer/transformer.js").Transformer} model The model.
 * @param {number[]} sourceIds The ids of the source, end token last.
 * @param {number[]} targetIds The ids of the target, begin token first.
 * @param {import("./interventions/base.js").Intervention[]} interventions The changes.
 * @param {import("./interventions/donors.js").Donors} donors The other sentences of the run.
 * @returns {Recording} The recording. Throws an Error when an intervention does not fit, or when the
 *   edit of a site was never reached.
 */
export function record(model, sourceIds, targetIds, interventions = [], donors = undefined) {
  const lengths = { source: sourceIds.length, target: targetIds.length, donors };
  const { edits, sizes } = prepare(interventions, model.config, lengths);
  const ids = paddedIds(sourceIds, sizes);
  const arrays = new Map();
  const tap = makeRecorder(edits, arrays);
  model.decode(targetIds, model.encode(ids, tap), tap);
  const missed = [...edits.keys()].filter((site) => !arrays.has(site));
  if (missed.length) throw new Error(`no such site in this run: ${missed.join(", ")}`);
  return { sourceIds: ids, targetIds, arrays };
}
