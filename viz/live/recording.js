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
 * What one stack made of ids: every site of it, after the edits.
 * @typedef {{ ids: number[], arrays: Map<string, import("./tensor.js").Tensor> }} Pass
 * @typedef {Pass & { memory: import("./tensor.js").Tensor, seen: import("./tensor.js").Tensor }} Encoded
 * @typedef {Map<string, import("./sites/tap.js").Edit>} Edits
 */

/**
 * Encode ids and keep every site.
 * @param {import("./transformer/transformer.js").Transformer} model The model.
 * @param {number[]} ids The ids of the source, with padding if there is any.
 * @param {Edits} edits The edits by site.
 * @returns {Encoded} What `encode` returns, and the sites.
 */
export function encodedPass(model, ids, edits) {
  const arrays = new Map();
  return { ids, arrays, ...model.encode(ids, makeRecorder(edits, arrays)) };
}

/**
 * Run the decoder over ids and keep every site.
 * @param {import("./transformer/transformer.js").Transformer} model The model.
 * @param {number[]} ids The ids of the target, begin token first.
 * @param {Encoded} source The encoded source.
 * @param {Edits} edits The edits by site.
 * @returns {Pass} The sites.
 */
export function decodedPass(model, ids, source, edits) {
  const arrays = new Map();
  model.decode(ids, source, makeRecorder(edits, arrays));
  return { ids, arrays };
}

/**
 * Run the model once over ids and keep every site, after the interventions.
 * @param {import("./transformer/transformer.js").Transformer} model The model.
 * @param {number[]} sourceIds The ids of the source, end token last.
 * @param {number[]} targetIds The ids of the target, begin token first.
 * @param {import("./interventions/base.js").Intervention[]} interventions The changes.
 * @param {import("./interventions/donors.js").Donors} donors The other sentences of the run.
 * @param {{ encode?: (ids: number[], edits: Edits) => Encoded, written?: Pass | null }} known What
 *   encodes the source, and a pass of the decoder under the same interventions, if there was one.
 * @returns {Recording} The recording. Throws an Error when an intervention does not fit, or when the
 *   edit of a site was never reached.
 */
export function record(model, sourceIds, targetIds, interventions = [], donors = undefined, known = {}) {
  const lengths = { source: sourceIds.length, target: targetIds.length, donors };
  const { edits, sizes } = prepare(interventions, model.config, lengths);
  const ids = paddedIds(sourceIds, sizes);
  const source = known.encode?.(ids, edits) ?? encodedPass(model, ids, edits);
  const isWritten = String(known.written?.ids) === String(targetIds);
  const target = isWritten ? known.written : decodedPass(model, targetIds, source, edits);
  const arrays = new Map([...source.arrays, ...target.arrays]);
  const missed = [...edits.keys()].filter((site) => !arrays.has(site));
  if (missed.length) throw new Error(`no such site in this run: ${missed.join(", ")}`);
  return { sourceIds: ids, targetIds, arrays };
}
