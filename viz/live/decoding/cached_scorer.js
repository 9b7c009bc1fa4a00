import { guess } from "./draft.js";
import { QuickDecoder } from "./quick_decoder.js";

/**
 * Make a scorer that computes only what is new. A prefix that extends one of the call before
 * computes its new pieces; so does a single prefix that differs from the single one before. The
 * guesses of a draft are scored in the same run. It serves one decoding run.
 * @param {import("../transformer/transformer.js").Transformer} model The model.
 * @param {{ memory: import("../tensor.js").Tensor, seen: import("../tensor.js").Tensor }} source
 *   What its encoder returned.
 * @param {number[]} draft An expected result, begin id first; it may be empty.
 * @returns {import("./steps.js").Scorer} The scorer.
 */
export function cachedScorer(model, source, draft = []) {
  const decoder = new QuickDecoder(model, source);
  let seen = [[]]; // the prefixes in the decoder
  let scored = [[]]; // of each, the logits after its last pieces
  return (prefixes) => {
    const { length } = prefixes[0];
    if (seen.length === 1) {
      const shared = sharedStart(seen[0], prefixes);
      const first = seen[0].length - scored[0].length;
      if (prefixes.length === 1 && shared === length && length > first) {
        return [scored[0][length - 1 - first]];
      }
      const kept = Math.min(shared, length - 1);
      decoder.cut(kept);
      seen = [seen[0].slice(0, kept)];
    }
    selectContinued(decoder, seen, prefixes);
    const known = decoder.length;
    seen = prefixes;
    if (draft.length && prefixes.length === 1) {
      seen = [[...prefixes[0], ...guess(prefixes[0], draft, model.config.max_length)]];
    }
    scored = decoder.score(seen);
    return scored.map((rows) => rows[length - 1 - known]);
  };
}

/** Keep the row that each prefix continues; keep nothing when a prefix continues no row. */
function selectContinued(decoder, seen, prefixes) {
  const known = seen[0].length;
  const places = new Map(seen.map((row, number) => [String(row), number]));
  const rows = prefixes.map((prefix) => places.get(String(prefix.slice(0, known))));
  const continued = known < prefixes[0].length && !rows.includes(undefined);
  if (!continued) decoder.select(null);
  else if (known) decoder.select(rows);
}

/** Count the ids that all prefixes and the one before begin with. */
function sharedStart(before, prefixes) {
  let at = 0;
  while (at < before.length && prefixes.every((prefix) => prefix[at] === before[at])) at++;
  return at;
}
