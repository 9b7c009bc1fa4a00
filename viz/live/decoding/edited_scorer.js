import { makeEditor } from "../sites/tap.js";
import { guess } from "./draft.js";

/**
 * Make a scorer for a model whose sites are edited. The source is encoded once. Each prefix runs as
 * a whole, as an edit may change any of its positions. The guesses of a draft are scored in the same
 * run; use one only where no edit lets a piece look ahead.
 * @param {import("../transformer/transformer.js").Transformer} model The model.
 * @param {number[]} ids The ids of the source.
 * @param {Map<string, import("../sites/tap.js").Edit>} edits The edits by site.
 * @param {number[]} draft An expected result, begin id first; it may be empty.
 * @returns {import("./steps.js").Scorer} The scorer. It throws an Error when the edits leave a query
 *   without any key.
 */
export function editedScorer(model, ids, edits, draft = []) {
  return encodedScorer(model, model.encode(ids, makeEditor(edits)), edits, draft);
}

/**
 * Make such a scorer for a source that is encoded already.
 * @param {import("../transformer/transformer.js").Transformer} model The model.
 * @param {import("../measures/cuts.js").Encoded} source The source.
 * @param {Map<string, import("../sites/tap.js").Edit>} edits The edits by site.
 * @param {number[]} draft An expected result, begin id first; it may be empty.
 * @returns {import("./steps.js").Scorer} The scorer, as above.
 */
export function encodedScorer(model, source, edits, draft) {
  const tap = makeEditor(edits);
  let seen = [];
  let scored = []; // logits after the last pieces of `seen`
  const along = (prefix, guessed) => {
    const whole = [...prefix, ...guessed];
    const { shape: [rows, pieces], values } = model.decode(whole, source, tap, prefix.length - 1);
    const logits = Array.from({ length: rows }, (_, row) => values.subarray(row * pieces, (row + 1) * pieces));
    return logits.some((row) => row.some(Number.isNaN)) ? null : { whole, logits };
  };
  return (prefixes) =>
    prefixes.map((prefix) => {
      const known = seen.length >= prefix.length && prefix.every((id, at) => id === seen[at]);
      const first = seen.length - scored.length + 1; // the shortest prefix that is scored
      if (known && prefix.length >= first) return scored[prefix.length - first];
      const guessed = draft.length && prefixes.length === 1 ? guess(prefix, draft, model.config.max_length) : [];
      const run = along(prefix, guessed) ?? (guessed.length ? along(prefix, []) : null);
      if (!run) throw new Error("the interventions leave a query without any key to look at");
      if (prefixes.length === 1) [seen, scored] = [run.whole, run.logits];
      return run.logits[0];
    });
}
