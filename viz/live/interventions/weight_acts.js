import { rint } from "../messages/levels.js";
import { SetAttention, TurnAttention } from "./attention.js";

/**
 * What the controls of one query's weights do with the changes in force, as
 * viz/pages/trace/weights_panel.py says it.
 * @typedef {import("./base.js").Intervention} Intervention
 * @typedef {{ kind: string, layer: number, head: number, query: number }} Row A query of a head.
 */

/** Give a query its own weights back. */
export function withoutWeights(interventions, row) {
  return interventions.filter((one) => !isOf(one, row));
}

/** Set the weights of a query. */
export function withWeights(interventions, row, weights) {
  const { kind, layer, head, query } = row;
  return [...withoutWeights(interventions, row), new SetAttention(kind, layer, head, query, weights)];
}

/** Set the weights of a query in all heads of its layer. */
export function withWeightsInLayer(interventions, row, weights, heads) {
  return Array.from({ length: heads }, (_, head) => head)
    .reduce((made, head) => withWeights(made, { ...row, head }, weights), interventions);
}

/** Give all weight of a query to one key. */
export function turnedTo(interventions, row, key) {
  const { kind, layer, head, query } = row;
  return [...withoutWeights(interventions, row), new TurnAttention(kind, query, [key], [[layer, head]])];
}

/** The weights set for a query, one a key; null while the model decides. */
export function weightsInForce(interventions, row, count) {
  const own = interventions.filter((one) => isOf(one, row));
  const set = own.find((one) => one instanceof SetAttention && one.weights.length === count);
  if (set) return set.weights;
  const turn = own.find((one) => one instanceof TurnAttention);
  return turn ? Array.from({ length: count }, (_, key) => Number(turn.keys.includes(key)) / turn.keys.length) : null;
}

/** Weights with four decimals that add up to 1; the largest takes the rounding error. */
export function distribution(weights) {
  const round = (value) => rint(value * 1e4) / 1e4;
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const rounded = weights.map((weight) => round(weight / sum));
  const largest = rounded.indexOf(Math.max(...rounded));
  const whole = rounded.reduce((all, weight) => all + weight, 0);
  return rounded.map((weight, key) => (key === largest ? round(weight + 1 - whole) : weight));
}

/** Tell whether a change sets or turns this query in this head alone. */
function isOf(one, { kind, layer, head, query }) {
  if (one.kind !== kind || one.query !== query) return false;
  if (one instanceof SetAttention) return one.layer === layer && one.head === head;
  return one instanceof TurnAttention && one.heads.length === 1 && String(one.heads[0]) === String([layer, head]);
}
