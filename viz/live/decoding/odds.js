const EXACT = 64; // the most probable pieces, which are kept one by one
const GROWTH = 1.1; // of each band of ranks over the one before, about

/**
 * Log-probabilities of a step in few numbers: the most probable ones exactly, the rest in bands of
 * neighbouring ranks, each by the logarithm of its mean probability.
 * @typedef {{ exact: Float64Array, bands: number[] }} Odds
 */

/**
 * Compress log-probabilities of a step.
 * @param {Float64Array} logProbs The log-probabilities (V).
 * @returns {Odds} Them in few numbers, for bands of the sizes of `bandSizes`.
 */
export function oddsOf(logProbs) {
  const ranked = logProbs.toSorted().toReversed();
  let start = Math.min(EXACT, ranked.length);
  const bands = bandSizes(ranked.length).map((size) => {
    const band = ranked.subarray(start, start + size);
    start += size;
    const sum = band.reduce((total, logProb) => total + Math.exp(logProb - band[0]), 0);
    return band[0] === -Infinity ? -Infinity : band[0] + Math.log(sum / size);
  });
  return { exact: ranked.subarray(0, EXACT), bands };
}

/**
 * Return the pieces of each band.
 * @param {number} vocabulary The size of the vocabulary.
 * @returns {number[]} Their numbers.
 */
export function bandSizes(vocabulary) {
  const sizes = [];
  for (let end = EXACT; end < vocabulary; end += sizes.at(-1)) {
    sizes.push(Math.min(vocabulary - end, Math.max(1, Math.round(end * (GROWTH - 1)))));
  }
  return sizes;
}
