/**
 * Read the probabilities of the two pieces at the step that decides, as viz/compute/traces.py does.
 * @param {import("../recording.js").Recording} recording A recording whose target begins as the trace's.
 * @param {import("../trace.js").Decided} decided The step.
 * @returns {[number, number]} The probabilities.
 */
export function answerOf({ arrays }, { prefix, pieces }) {
  const { shape: [, count], values } = arrays.get("decoder.logits");
  const row = values.subarray((prefix.length - 1) * count, prefix.length * count);
  const top = row.reduce((most, logit) => Math.max(most, logit), -Infinity);
  const sum = row.reduce((all, logit) => all + Math.exp(logit - top), 0);
  const [first, second] = pieces.map((id) => Math.exp(row[id] - top) / sum);
  return [first, second];
}
