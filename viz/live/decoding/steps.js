export const ALTERNATIVES = 10;

/**
 * Decoding asks a scorer, which maps prefixes of ids, all of one length, to logits (V) each.
 * @typedef {(prefixes: number[][]) => Float32Array[]} Scorer
 * @typedef {{ beginId: number, endId: number, maxLength: number, banned: number[] }} Limits
 * @typedef {{ id: number, logProb: number }} Candidate
 * @typedef {{ prefix: number[], chosen: Candidate, alternatives: Candidate[], rank: number,
 *   forced: boolean, draw: number | null }} Choice
 */

/**
 * Turn logits into log-probabilities, in double precision.
 * @param {Float32Array} logits The logits (V).
 * @param {number[]} banned Ids that are not chosen.
 * @returns {Float64Array} The log-probabilities (V).
 */
export function normalised(logits, banned) {
  let top = -Infinity;
  for (let id = 0; id < logits.length; id++) if (logits[id] > top) top = logits[id];
  let sum = 0;
  for (let id = 0; id < logits.length; id++) sum += Math.exp(logits[id] - top);
  const log = Math.log(sum);
  const logProbs = new Float64Array(logits);
  for (let id = 0; id < logProbs.length; id++) logProbs[id] = logProbs[id] - top - log;
  for (const id of banned) logProbs[id] = -Infinity;
  return logProbs;
}

/**
 * List the most probable ids, best first.
 * @param {Float64Array} logProbs Log-probabilities (V).
 * @param {number} count How many.
 * @returns {Candidate[]} The ids.
 */
export function best(logProbs, count = ALTERNATIVES) {
  const found = [];
  for (let id = 0; id < logProbs.length; id++) {
    const logProb = logProbs[id];
    if (found.length === count && logProb <= found[count - 1].logProb) continue;
    let place = found.length;
    while (place && found[place - 1].logProb < logProb) place--;
    found.splice(place, 0, { id, logProb });
    if (found.length > count) found.pop();
  }
  return found;
}

/**
 * Return the candidate of one id.
 * @param {Float64Array} logProbs Log-probabilities (V).
 * @param {number} id The id.
 * @returns {Candidate} The candidate. Throws an Error when there is no such id.
 */
export function candidate(logProbs, id) {
  if (!(id in logProbs)) throw new Error(`no piece has the id ${id}; there are ${logProbs.length}`);
  return { id, logProb: logProbs[id] };
}

/**
 * Return the rank of a log-probability, 1 for the highest.
 * @param {Float64Array} logProbs Log-probabilities (V).
 * @param {number} logProb One of them.
 * @returns {number} The rank.
 */
export function rank(logProbs, logProb) {
  let higher = 0;
  for (let id = 0; id < logProbs.length; id++) if (logProbs[id] > logProb) higher++;
  return 1 + higher;
}

/**
 * Follow a single hypothesis until the end id or the longest prefix.
 * @param {Scorer} scorer The scorer.
 * @param {Limits} limits The limits.
 * @param {number[]} forced The ids of the first pieces.
 * @param {(logProbs: Float64Array) => { id: number, draw?: number }} pick Chooses; it is called at
 *   forced steps, too, so that its draws stay in step.
 * @yields {Choice} A step.
 */
export function* walk(scorer, limits, forced, pick) {
  let prefix = [limits.beginId];
  while (prefix.length < limits.maxLength && prefix.at(-1) !== limits.endId) {
    const step = prefix.length - 1;
    const logProbs = normalised(scorer([prefix])[0], limits.banned);
    const picked = pick(logProbs);
    const isForced = step < forced.length;
    const chosen = candidate(logProbs, isForced ? forced[step] : picked.id);
    yield {
      prefix, chosen, alternatives: best(logProbs), rank: rank(logProbs, chosen.logProb),
      forced: isForced, draw: picked.draw ?? null,
    };
    prefix = [...prefix, chosen.id];
  }
}
