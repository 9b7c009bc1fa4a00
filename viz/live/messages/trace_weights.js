import { TurnAttention } from "../interventions/attention.js";
import { partners } from "../interventions/donors.js";
import { writeEdits } from "../interventions/link_text.js";
import { distribution, weightsInForce, withWeights, withWeightsInLayer, withoutWeights } from "../interventions/weight_acts.js";
import { answerOf } from "../measures/answer.js";
import { attentionSite } from "../sites/sites.js";
import { isMute } from "../words.js";
import { boardTiles, offHeads } from "./head_boards.js";

/** @typedef {import("../interventions/weight_acts.js").Row} Row */

/**
 * Answer with a query of one head turned onto each of its keys.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../translator.js").Run} run The run of this sentence, unchanged.
 * @param {import("../trace.js").Decided} decided The step that decides.
 * @param {Row} row The query.
 * @yields {[number, number]} The keys so far, and all of them.
 * @returns {[number, number][]} The probabilities of both pieces, for each key.
 */
export function* answersWhenTurned(translator, run, decided, row) {
  const { kind, layer, head, query } = row;
  const answers = [];
  const count = keysOf(run, row).length;
  for (let key = 0; key < count; key++) {
    const turn = new TurnAttention(kind, query, [key], [[layer, head]]);
    answers.push(answerOf(translator.record(run.source, run.translation.ids, [turn]), decided));
    yield [key + 1, count];
  }
  return answers;
}

/**
 * Make the message of the weights of one query: what depends on the sentences and the head. The page
 * adds its words and colours.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {{ own: import("../translator.js").Run, other: import("../translator.js").Run,
 *   changed: import("../translator.js").Run | null }} runs As for the maps.
 * @param {import("../trace.js").Decided} decided The step that decides.
 * @param {Row} row The query.
 * @param {[number, number][]} turned What `answersWhenTurned` returned.
 * @returns {object} The row, its tokens and keys, the model's own weights and those in force, what each
 *   button makes of the changes (null where it does nothing), and the answers.
 */
export function weightsMessage(translator, { own, other, changed }, decided, row, turned) {
  const { targetTokenizer, model: { config } } = translator;
  const interventions = changed?.interventions ?? [];
  const named = translator.pieces(own.recording);
  const names = row.kind === "encoder" ? named.source : named.target;
  const ids = keysOf(own, row);
  const keys = (row.kind === "decoder" ? named.target : named.source).slice(0, ids.length);
  const { shape: [, all, width], values } = own.recording.arrays.get(attentionSite(row.kind, row.layer, "weights"));
  const start = (row.head * all + row.query) * width;
  const weights = Array.from(values.subarray(start, start + ids.length));
  const now = weightsInForce(interventions, row, ids.length);
  const given = rowOfOther(own, other, row);
  const set = (some) => some && writeEdits(withWeights(interventions, row, distribution(some)));
  const target = own.translation.ids;
  const forced = changed && translator.record(own.source, target, translator.fitting(own.source, interventions, target).fit);
  return {
    row, special: names.map(isMute), queries: names.map(marks), keys: keys.map(marks),
    own: weights, weights: now ?? weights, turned,
    rivals: targetTokenizer.tokens(decided.pieces).map((token) => marks(token).replace(/^·+|·+$/g, "")),
    answers: [own.recording, other.recording, forced].filter(Boolean).map((one) => answerOf(one, decided)),
    edits: {
      uniform: set(ids.map(() => 1)), other: set(given && given.slice(0, ids.length)),
      layer: now && writeEdits(withWeightsInLayer(interventions, row, now, config.heads)),
      free: now && writeEdits(withoutWeights(interventions, row)),
    },
    translations: [own, ...(changed ? [changed] : [])].map(({ translation }) => translation.text),
    boards: boardTiles(own.recording.arrays, config), off: offHeads(interventions, config),
  };
}

/** The keys that a query may look at, by their ids. */
function keysOf({ recording: { sourceIds, targetIds } }, { kind, query }) {
  return kind === "decoder" ? targetIds.slice(0, query + 1) : sourceIds;
}

/** The weights of the query's partner in the other sentence, by keys of this one; null without any. */
function rowOfOther(own, other, { kind, layer, head, query }) {
  const pairs = partners(own.recording.sourceIds, other.recording.sourceIds);
  const rows = own.recording.targetIds.map((_, at) => (at < other.recording.targetIds.length ? at : null));
  const partner = (kind === "encoder" ? pairs : rows)[query];
  if (partner === null) return null;
  const { shape: [, queries, keys], values } = other.recording.arrays.get(attentionSite(kind, layer, "weights"));
  const start = (head * queries + partner) * keys;
  const given = (kind === "decoder" ? rows : pairs).map((key) => (key === null ? 0 : values[start + key]));
  return given.some((weight) => weight > 0) ? given : given.map(() => 1);
}

function marks(token) {
  return token.replaceAll("\u2581", "·");
}
