import { effectOf } from "../measures/effect.js";
import { LEAST_SEEN } from "../measures/moved.js";
import { differenceOf } from "./difference.js";
import { boardTiles, offHeads } from "./head_boards.js";
import { linksOf, maskControls, maskExperiments } from "./mask_links.js";
import { outcomeOf } from "./outcome.js";

/**
 * The message of a page that changes the model: the outcome, and the boards of all heads with their
 * miniatures, as viz/site/effects.py makes it. A `foreseen` change is not made: it has the outcome.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {{ usual: import("../translator.js").Run, changed: import("../translator.js").Run,
 *   foreseen: import("../translator.js").Run | null }} runs The runs.
 * @param {{ interventions: import("../interventions/base.js").Intervention[],
 *   foreseen: import("../interventions/base.js").Intervention[],
 *   rivals: Record<number, number>, step: number | null,
 *   view?: import("../interventions/mask_acts.js").View,
 *   shown?: import("../interventions/mask_acts.js").View | null }} asked The changes, and what is
 *   asked: of masks the links of a `view`, and the head whose attention is `shown`.
 * @returns {{ header: object, arrays: Record<string, import("../tensor.js").Tensor> }} The message.
 */
export function effectMessage(translator, runs, asked) {
  const { targetTokenizer: tokenizer, model: { config } } = translator;
  const { usual, changed, foreseen } = runs;
  const effect = effectOf(translator, usual, changed, asked.interventions);
  const shown = foreseen ? effectOf(translator, usual, foreseen, asked.foreseen) : effect;
  const off = offHeads(asked.interventions, config);
  const masked = asked.view && {
    links: linksOf(translator, changed, asked.view),
    controls: maskControls(translator, usual.source, asked.interventions),
    edits: maskExperiments(translator, usual.source),
  };
  const header = {
    ...masked,
    sentence: usual.source.text,
    source: usual.source.tokens,
    outcome: { ...outcomeOf(tokenizer, shown, asked.rivals, asked.step), foreseen: foreseen !== null },
    likely: likelyOf(tokenizer, effect),
    difference: differenceOf(translator, effect, asked.interventions, asked.shown),
    boards: Object.entries(off).map(([kind, signs]) => ({ kind, off: signs })),
  };
  return { header, arrays: boardTiles(effect.forced.arrays, config) };
}

/** The probability of each piece of the translation before, in both models; null if none moves. */
function likelyOf(tokenizer, { ids, before, after, isChanged, isAhead }) {
  if (!isChanged || Math.max(...after.map((share, at) => Math.abs(share - before[at]))) < LEAST_SEEN) return null;
  const pieces = tokenizer.tokens(ids).map((token) => token.replaceAll("\u2581", "·"));
  return { pieces, before, after, ahead: isAhead };
}
