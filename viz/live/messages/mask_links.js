import { compiled, sizesFor } from "../interventions/compiled.js";
import { writeEdits } from "../interventions/link_text.js";
import { concerns, lookAheadOf } from "../interventions/mask_acts.js";
import { HideSource, LiftMask, PadSource } from "../interventions/masks.js";
import { unreachableQuery } from "../interventions/unreachable.js";
import { attentionSite, maskSite } from "../sites/sites.js";
import { isMute, wordsOf } from "../words.js";
import { LEVELS, rint } from "./levels.js";

const MOST_PADDING = 40; // the most pieces of padding that are offered

/**
 * The links of one head as the board of masks draws them: weights in bytes, and which links a mask
 * hides or the reader forbids.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../translator.js").Run} run The run of the changed model.
 * @param {import("../interventions/mask_acts.js").View} view The head.
 * @returns {object} The links.
 */
export function linksOf(translator, { recording, interventions }, view) {
  const { kind, layer, head } = view;
  const { source, target } = translator.pieces(recording);
  const { shape: [, queries, keys], values } = recording.arrays.get(attentionSite(kind, layer, "weights"));
  const seen = recording.arrays.get(maskSite(kind)).values;
  const blocked = new Set(interventions.filter((one) => concerns(one, view)).map((one) => `${one.query} ${one.key}`));
  const rows = (valueOf) =>
    Array.from({ length: queries }, (_, query) => Array.from({ length: keys }, (__, key) => valueOf(query, key)));
  return {
    view,
    queries: kind === "encoder" ? source : target,
    keys: kind === "decoder" ? target : source,
    weights: rows((query, key) => {
      const weight = values[(head * queries + query) * keys + key];
      return Math.min(LEVELS, Math.max(0, rint(Math.fround(weight * LEVELS))));
    }),
    masked: rows((query, key) => Number(!seen[query * keys + key])),
    forbidden: rows((query, key) => Number(blocked.has(`${query} ${key}`))),
  };
}

/**
 * What the controls of masks show.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../translator.js").Source} source The source.
 * @param {import("../interventions/base.js").Intervention[]} interventions The changes in force.
 * @returns {object} The words of the source, and the state of each control.
 */
export function maskControls({ maxTokens }, { ids, tokens }, interventions) {
  const pieces = ids.length;
  const longest = Math.min(pieces + MOST_PADDING, maxTokens);
  const padded = interventions.filter((one) => one instanceof PadSource).map(({ length }) => length);
  const words = wordsToHide(tokens);
  const hidden = new Set(interventions.filter((one) => one instanceof HideSource).map((one) => `${one.first} ${one.last}`));
  return {
    words: words.map((word) => ({ ...word, hidden: hidden.has(word.span.join(" ")) })),
    lookAhead: lookAheadOf(interventions),
    padding: !interventions.some((one) => one instanceof LiftMask && one.kind !== "decoder"),
    pieces, longest,
    length: Math.min(Math.max(0, ...padded, pieces), longest),
  };
}

/** List the words and punctuation marks of a source. */
function wordsToHide(tokens) {
  const words = wordsOf(tokens).filter(({ first }) => !isMute(tokens[first]));
  return words.map(({ text, first, last }) => ({ text, span: [first, last] }));
}

/** The changes that hide each word of a source alone. */
export function hiddenWords({ tokens }) {
  return wordsToHide(tokens).map(({ span }) => new HideSource(...span));
}

/**
 * The edits of the experiments that need no measuring; null where one is measured, or impossible.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../translator.js").Source} source The source.
 * @returns {(string | null)[]} In the order of viz/pages/lab_masks/experiments.py.
 */
export function maskExperiments({ maxTokens }, source) {
  const pieces = source.ids.length;
  const room = Math.min(pieces + MOST_PADDING, maxTokens) - pieces;
  const padded = [new PadSource(pieces + Math.min(room, pieces)), new LiftMask("encoder"), new LiftMask("cross")];
  const words = hiddenWords(source);
  return [
    writeEdits([new LiftMask("decoder")]), null, null,
    words.length ? writeEdits(words) : null, room ? writeEdits(padded) : null,
  ];
}

/** Find a query of a run that further changes would leave without any key: its head, and its piece. */
export function leftWithoutKeys(translator, { source, recording, leftOut }, wanted) {
  const gone = new Set(leftOut.map(({ text }) => text));
  const fit = wanted.filter(({ text }) => !gone.has(text));
  const lengths = translator.lengths(source, recording.targetIds.length);
  const query = unreachableQuery(compiled(fit, sizesFor(fit, translator.model.config, lengths)));
  if (!query) return null;
  const names = translator.pieces(recording);
  return { ...query, token: (query.kind === "encoder" ? names.source : names.target)[query.query] ?? "" };
}
