import { decodedPass } from "../recording.js";
import { makeEditor } from "../sites/tap.js";
import { guess } from "./draft.js";

/**
 * Make a scorer for a model whose sites are edited, and a source that it has encoded. Each prefix runs
 * as a whole, as an edit may change any of its positions. The guesses of a draft are scored in the
 * same run; use one only where no edit lets a piece look ahead.
 * @param {import("../transformer/transformer.js").Transformer} model The model.
 * @param {import("../recording.js").Encoded} source The encoded source.
 * @param {Map<string, import("../sites/tap.js").Edit>} edits The edits by site.
 * @param {number[]} draft An expected result, begin id first; it may be empty.
 * @returns {import("./steps.js").Scorer & { written?: import("../recording.js").Pass }} The scorer,
 *   and its last pass that scored every piece. It throws an Error when the edits leave a query without
 *   any key.
 */
export function editedScorer(model, source, edits, draft) {
  const tap = makeEditor(edits);
  let seen = [];
  let scored = []; // logits after the last pieces of `seen`
  const logitsOf = (whole, first) => {
    if (first) return model.decode(whole, source, tap, first);
    scorer.written = decodedPass(model, whole, source, edits);
    return scorer.written.arrays.get("decoder.logits");
  };
  const along = (prefix, guessed) => {
    const whole = [...prefix, ...guessed];
    const { shape: [rows, pieces], values } = logitsOf(whole, prefix.length - 1);
    const logits = Array.from({ length: rows }, (_, row) => values.subarray(row * pieces, (row + 1) * pieces));
    return logits.some((row) => row.some(Number.isNaN)) ? null : { whole, logits };
  };
  const scorer = (prefixes) =>
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
  return scorer;
}
