import { best } from "../decoding/steps.js";
import { WORD_START } from "../words.js";
import { effectOf, likelyAt } from "./effect.js";

/**
 * Read a step of the trained model's translation under changes, as viz/compute/chances.py does.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../translator.js").Run} usual The run of the model as it was trained.
 * @param {import("../interventions/base.js").Intervention[]} interventions The changes.
 * @param {number | null} asked The step; null for the one whose own piece changes most.
 * @returns {{ step: number, pieces: string[], before: number[], after: number[], stays: boolean }}
 *   The two pieces that the step decides between.
 */
export function stepChances(translator, usual, interventions, asked = null) {
  const { forced, ids, before, after } = effectOf(translator, usual, usual, interventions);
  const moved = ids.map((_, place) => Math.abs(after[place] - before[place]));
  const step = asked !== null && asked < ids.length ? asked : moved.indexOf(Math.max(...moved));
  const likely = [usual.recording, forced].map((recording) => likelyAt(recording, step));
  const own = ids[step];
  const other = best(likely[1], 2).map(({ id }) => id).find((id) => id !== own);
  const named = (name) => name.replace(new RegExp(`^${WORD_START}+|${WORD_START}+$`, "g"), "") || "␣";
  return {
    step,
    pieces: translator.targetTokenizer.tokens([own, other]).map(named),
    before: [own, other].map((id) => likely[0][id]),
    after: [own, other].map((id) => likely[1][id]),
    stays: ids.every((id, place) => best(likelyAt(forced, place), 1)[0].id === id),
  };
}
