import { AblateHead } from "../interventions/heads.js";
import { prepare } from "../interventions/prepare.js";
import { KINDS } from "../sites/sites.js";
import { NO_TAP, makeEditor } from "../sites/tap.js";
import { layersOf } from "../transformer/config.js";
import { normalised } from "../decoding/steps.js";

/**
 * Measure every head: the fall of the log-probability (nats) of a translation without it, as in
 * model/measures/importance.py.
 * @param {import("../transformer/transformer.js").Transformer} model The model.
 * @param {number[]} sourceIds The ids of the source.
 * @param {number[]} targetIds The ids of the target, begin and end token included.
 * @param {string} mode What off means.
 * @yields {number} The heads so far.
 * @returns {Generator<number, Record<string, number[][]>>} The falls (L, H) of each kind.
 */
export function* headImportance(model, sourceIds, targetIds, mode) {
  const { config } = model;
  const memory = model.encode(sourceIds, NO_TAP);
  const lengths = { source: sourceIds.length, target: targetIds.length };
  const usual = logProbOf(model.decode(targetIds, memory, NO_TAP), targetIds);
  const falls = {};
  let measured = 0;
  for (const kind of KINDS) {
    falls[kind] = [];
    for (let layer = 0; layer < layersOf(config, kind); layer++) {
      const row = [];
      for (let head = 0; head < config.heads; head++) {
        const tap = makeEditor(prepare([new AblateHead(kind, layer, head, mode)], config, lengths).edits);
        const own = kind === "encoder" ? model.encode(sourceIds, tap) : memory;
        const logits = model.decode(targetIds, own, kind === "encoder" ? NO_TAP : tap);
        row.push(usual - logProbOf(logits, targetIds));
        yield ++measured;
      }
      falls[kind].push(row);
    }
  }
  return falls;
}

/**
 * Measure changes one by one: the fall of the log-probability (nats) of a translation under each.
 * @param {import("../transformer/transformer.js").Transformer} model The model.
 * @param {number[]} sourceIds The ids of the source.
 * @param {number[]} targetIds The ids of the target, begin and end token included.
 * @param {import("../interventions/base.js").Intervention[][]} changes The changes.
 * @yields {number} The changes so far.
 * @returns {Generator<number, number[]>} The falls.
 */
export function* fallsAlone(model, sourceIds, targetIds, changes) {
  const lengths = { source: sourceIds.length, target: targetIds.length };
  const logProb = (tap) => logProbOf(model.decode(targetIds, model.encode(sourceIds, tap), tap), targetIds);
  const usual = logProb(NO_TAP);
  const falls = [];
  for (const one of changes) {
    falls.push(usual - logProb(makeEditor(prepare(one, model.config, lengths).edits)));
    yield falls.length;
  }
  return falls;
}

/** Sum the log-probabilities of the pieces of a target in the logits (T, V). */
function logProbOf({ shape: [, pieces], values }, targetIds) {
  return targetIds.slice(1).reduce((sum, id, row) => {
    return sum + normalised(values.subarray(row * pieces, (row + 1) * pieces), [])[id];
  }, 0);
}
