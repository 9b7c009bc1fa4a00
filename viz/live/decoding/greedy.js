import { walk } from "./steps.js";

/** Take the most probable piece at every step. */
export class Greedy {
  /**
   * @param {import("./steps.js").Scorer} scorer The scorer.
   * @param {import("./steps.js").Limits} limits The limits.
   * @param {number[]} forced The ids of the first pieces.
   * @returns {Generator<import("./steps.js").Choice>} The steps.
   */
  steps(scorer, limits, forced = []) {
    return walk(scorer, limits, forced, mostProbable);
  }
}

function mostProbable(logProbs) {
  let id = 0;
  for (let other = 1; other < logProbs.length; other++) if (logProbs[other] > logProbs[id]) id = other;
  return { id };
}
