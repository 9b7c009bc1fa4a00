import { added, joinHeads, layerNorm, scoresOf, softmax, splitHeads, weighted } from "../tensor.js";
import { ACTIVATIONS } from "./activations.js";
import { rotated } from "./positional.js";

/**
 * @typedef {import("../tensor.js").Tensor} Tensor
 * @typedef {import("../sites/tap.js").Tap} Tap
 * @typedef {import("../checkpoints/parameters.js").Parameters} Parameters
 */

/**
 * Let `query` (T, D) look at `source` (S, D) where `mask` (T, S) is true, in several heads.
 * @param {{ parameters: Parameters, name: string, heads: number, turns: boolean }} sublayer Its
 *   weights, and whether queries and keys are rotated by their positions.
 * @param {Tensor} query The vectors that look.
 * @param {Tensor} source The vectors that are looked at.
 * @param {Tensor} mask The allowed links.
 * @param {Tap} tap The tap of this sublayer.
 * @returns {Tensor} Vectors (T, D).
 */
export function attend({ parameters, name, heads, turns }, query, source, mask, tap) {
  const project = (part, x) => splitHeads(parameters.linear(`${name}.${part}`, x), heads);
  const placed = (x) => (turns ? rotated(x) : x);
  const asked = placed(project("q", query)); // H T Dk
  const q = tap("q", asked); // H T Dk
  const k = tap("k", placed(project("k", source)), asked); // H S Dk
  const v = tap("v", project("v", source), asked); // H S Dk
  const weights = tap("weights", softmax(tap("scores", scoresOf(q, k)), mask)); // H T S
  const z = tap("z", weighted(weights, v)); // H T Dk
  return tap("out", parameters.linear(`${name}.out`, joinHeads(z))); // T D
}

/**
 * Compute max(0, x W1 + b1) W2 + b2 at each position, or another activation in place of the maximum.
 * @param {{ parameters: Parameters, name: string, activation: string }} network Its weights.
 * @param {Tensor} x Vectors (n, D).
 * @param {Tap} tap The tap of this sublayer.
 * @returns {Tensor} Vectors (n, D).
 */
export function feedForward({ parameters, name, activation }, x, tap) {
  const before = tap("before_relu", parameters.linear(`${name}.hidden`, x)); // n F
  const hidden = tap("hidden", activated(before, activation), before); // n F
  return tap("out", parameters.linear(`${name}.out`, hidden)); // n D
}

/**
 * Apply an activation to every number.
 * @param {Tensor} x Any tensor.
 * @param {string} activation Its name.
 * @returns {Tensor} Another of its shape.
 */
export function activated({ shape, values }, activation) {
  const own = ACTIVATIONS[activation];
  const hidden = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) hidden[at] = own(values[at]);
  return { shape, values: hidden };
}

/**
 * Return LayerNorm(x + sublayer): the end of sublayer `number` of a layer, from 1.
 * @param {Parameters} parameters The weights.
 * @param {string} name The name of the layer.
 * @param {number} number The sublayer's place.
 * @param {[Tensor, Tensor]} parts The residual and the sublayer's output, (n, D) each.
 * @param {Tap} tap The tap of the layer.
 * @returns {Tensor} Vectors (n, D).
 */
export function addAndNorm(parameters, name, number, [x, given], tap) {
  const total = tap(`sum${number}`, added(x, given), x, given); // n D
  const [gain, bias] = parameters.norm(`${name}.norm${number}`);
  return tap(`norm${number}`, layerNorm(total, gain, bias), total); // n D
}
