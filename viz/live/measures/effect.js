import { best, normalised } from "../decoding/steps.js";

/**
 * A sentence in the model as it was trained, and after all changes, as in viz/compute/effects.py.
 * `forced` is the changed model on the translation before; `ids` are the pieces of that translation,
 * end token last, and `before` and `after` their probabilities.
 * @typedef {import("../translator.js").Run} Run
 * @typedef {{ usual: Run, changed: Run, forced: import("../recording.js").Recording, ids: number[],
 *   before: number[], after: number[], isChanged: boolean, isAhead: boolean }} Effect
 */

/**
 * Compare the changed model with the model as it was trained.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {Run} usual The run of the model as it was trained.
 * @param {Run} changed That of the changed model; the same where nothing is changed.
 * @param {import("../interventions/base.js").Intervention[]} interventions The changes.
 * @returns {Effect} The effect.
 */
export function effectOf(translator, usual, changed, interventions) {
  const { source, translation } = usual;
  const { fit } = translator.fitting(source, interventions, translation.ids);
  const forced = fit.length ? translator.record(source, translation.ids, fit) : usual.recording;
  const ids = [...usual.recording.targetIds.slice(1), translator.tokenizer.endId];
  const likely = (recording) => ids.map((id, place) => likelyAt(recording, place)[id]);
  return {
    usual, changed, forced, ids, before: likely(usual.recording), after: likely(forced),
    isChanged: forced !== usual.recording, isAhead: fit.some(({ looksAhead }) => looksAhead),
  };
}

/** The probabilities of all pieces at a place. */
export function likelyAt({ arrays }, place) {
  const { shape: [, pieces], values } = arrays.get("decoder.logits");
  return normalised(values.subarray(place * pieces, (place + 1) * pieces), []).map(Math.exp);
}

/** The changed model's likeliest piece at a place, apart from that of the old translation. */
export function strongestOther({ forced, ids }, place) {
  return best(likelyAt(forced, place), 2).map(({ id }) => id).find((id) => id !== ids[place]);
}
