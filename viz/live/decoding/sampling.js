import { Random } from "./random.js";
import { walk } from "./steps.js";

/** Draw every piece at random, after temperature, top-k and top-p have reshaped the odds. */
export class Sampling {
  /**
   * @param {{ temperature?: number, topK?: number, topP?: number, seed?: number }} settings As in
   *   Python; topK 0 and topP 1 keep every piece. Throws an Error when one is out of bounds.
   */
  constructor({ temperature = 1, topK = 0, topP = 1, seed = 0 } = {}) {
    if (!(temperature > 0 && temperature < Infinity)) {
      throw new Error(`temperature must be above 0, not ${temperature}`);
    }
    if (!(topK >= 0)) throw new Error(`top_k must be 0 (every piece) or more, not ${topK}`);
    if (!(topP > 0 && topP <= 1)) throw new Error(`top_p must be above 0 and at most 1, not ${topP}`);
    if (!(seed >= 0)) throw new Error(`seed must be 0 or more, not ${seed}`);
    Object.assign(this, { temperature, topK, topP, seed });
  }

  /**
   * @param {import("./steps.js").Scorer} scorer The scorer.
   * @param {import("./steps.js").Limits} limits The limits.
   * @param {number[]} forced The ids of the first pieces.
   * @returns {Generator<import("./steps.js").Choice>} The steps.
   */
  steps(scorer, limits, forced = []) {
    const random = new Random(this.seed);
    return walk(scorer, limits, forced, (logProbs) => {
      const draw = random.uniform();
      const { probabilities, ids } = this.reshape(logProbs);
      let end = 0;
      const place = probabilities.findIndex((probability) => (end += probability) > draw);
      return { id: ids[place < 0 ? probabilities.length - 1 : place], draw };
    });
  }

  /**
   * Return the probabilities to draw with and their ids, most probable first.
   * @param {Float64Array} logProbs Log-probabilities (V).
   * @returns {{ probabilities: number[], ids: number[] }} Those that are left.
   */
  reshape(logProbs) {
    const order = Array.from(logProbs, (_, id) => id).sort((a, b) => logProbs[b] - logProbs[a]);
    const ids = order.slice(0, this.topK || order.length);
    const top = logProbs[ids[0]] / this.temperature;
    const powers = ids.map((id) => Math.exp(logProbs[id] / this.temperature - top));
    const whole = sumOf(powers);
    const nucleus = [];
    let before = 0;
    for (const power of powers) {
      if (nucleus.length && before >= this.topP) break;
      nucleus.push(power / whole);
      before += power / whole;
    }
    const kept = sumOf(nucleus);
    return { probabilities: nucleus.map((share) => share / kept), ids: ids.slice(0, nucleus.length) };
  }
}

function sumOf(values) {
  return values.reduce((sum, value) => sum + value, 0);
}
