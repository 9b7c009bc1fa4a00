import { ALTERNATIVES, best, candidate, normalised, rank } from "./steps.js";

const WIDEST = 50;

/**
 * A hypothesis: the path of pieces from the root to here. `fate` is "kept", "pruned" or "finished".
 * @typedef {{ parent: number, id: number, depth: number, logProb: number, score: number,
 *   fate: string, choice: import("./steps.js").Choice | null }} Node
 * @typedef {{ nodes: Node[], winner: number }} Tree
 */

/** Keep the `width` best hypotheses at every step; a finished one keeps its place in the beam. */
export class Beam {
  /**
   * @param {{ width?: number, lengthPenalty?: number }} settings As in Python. Throws an Error when
   *   one is out of bounds.
   */
  constructor({ width = 4, lengthPenalty = 0.6 } = {}) {
    if (!(width >= 1 && width <= WIDEST)) {
      throw new Error(`width must be at least 1 and at most ${WIDEST}, not ${width}`);
    }
    if (!(lengthPenalty >= 0 && lengthPenalty < Infinity)) {
      throw new Error(`length_penalty must be 0 or more, not ${lengthPenalty}`);
    }
    Object.assign(this, { width, lengthPenalty });
  }

  /**
   * Search first, then yield the steps of the winner.
   * @param {import("./steps.js").Scorer} scorer The scorer.
   * @param {import("./steps.js").Limits} limits The limits.
   * @param {number[]} forced The ids of the first pieces.
   * @yields {import("./steps.js").Choice} A step of the winner.
   */
  *steps(scorer, limits, forced = []) {
    const search = this.search(scorer, limits, forced);
    let grown = search.next();
    while (!grown.done) grown = search.next();
    yield* stepsOf(grown.value);
  }

  /**
   * Search until `width` hypotheses are finished or no unfinished one can still win.
   * @param {import("./steps.js").Scorer} scorer The scorer.
   * @param {import("./steps.js").Limits} limits The limits.
   * @param {number[]} forced The ids of the first pieces.
   * @yields {number} The depth after each step.
   * @returns {Tree} All hypotheses.
   */
  *search(scorer, limits, forced = []) {
    const root = { parent: 0, id: limits.beginId, depth: 0, logProb: 0, score: 0, fate: "kept", choice: null };
    const search = { beam: this, limits, nodes: [root], living: [0] };
    while (goesOn(search)) {
      const logits = scorer(search.living.map((index) => prefixOf(search.nodes, index)));
      const { depth } = search.nodes[search.living[0]];
      grow(search, logits.map((row) => normalised(row, limits.banned)), forced[depth]);
      yield depth + 1;
    }
    return { nodes: search.nodes, winner: winnerOf(search) };
  }

  /**
   * Divide a log-probability by the length penalty.
   * @param {number} logProb The log-probability.
   * @param {number} length The number of pieces, end token included.
   * @returns {number} The score.
   */
  score(logProb, length) {
    return logProb / ((5 + length) / 6) ** this.lengthPenalty;
  }
}

/**
 * List the steps of a tree's winner.
 * @param {Tree} tree The tree.
 * @returns {import("./steps.js").Choice[]} The steps.
 */
export function stepsOf({ nodes, winner }) {
  return pathOf(nodes, winner).map((index) => nodes[index].choice).filter(Boolean);
}

function pathOf(nodes, index) {
  const path = [index];
  while (path[0]) path.unshift(nodes[path[0]].parent);
  return path;
}

function prefixOf(nodes, index) {
  return pathOf(nodes, index).map((step) => nodes[step].id);
}

function finishedOf({ nodes }) {
  return [...nodes.keys()].filter((index) => nodes[index].fate === "finished");
}

/** Tell whether an unfinished hypothesis could still win; its log-probability can only fall. */
function goesOn(search) {
  const { nodes, living, limits, beam } = search;
  if (!living.length || nodes[living[0]].depth + 1 >= limits.maxLength) return false;
  const hope = Math.max(...living.map((at) => beam.score(nodes[at].logProb, limits.maxLength - 1)));
  return hope > Math.max(-Infinity, ...finishedOf(search).map((at) => nodes[at].score));
}

/** Continue every unfinished hypothesis by one piece, and prune. */
function grow(search, rows, forced) {
  const { beam, limits, nodes } = search;
  const children = search.living.flatMap((index, row) => childrenOf(search, index, rows[row], forced));
  children.sort((one, other) => other.score - one.score);
  const places = beam.width - finishedOf(search).length;
  search.living = [];
  children.forEach((child, place) => {
    const fate = child.id === limits.endId ? "finished" : "kept";
    if (fate === "kept" && place < places) search.living.push(nodes.length);
    nodes.push(place < places ? { ...child, fate } : child);
  });
}

function childrenOf({ beam, nodes }, index, logProbs, forced) {
  const prefix = prefixOf(nodes, index);
  const wanted = best(logProbs, Math.max(ALTERNATIVES, beam.width + 1));
  const alternatives = wanted.slice(0, ALTERNATIVES);
  const child = (chosen, place, isForced) => {
    const depth = nodes[index].depth + 1;
    const logProb = nodes[index].logProb + chosen.logProb;
    const choice = { prefix, chosen, alternatives, rank: place, forced: isForced, draw: null };
    const score = beam.score(logProb, depth);
    return { parent: index, id: chosen.id, depth, logProb, score, fate: "pruned", choice };
  };
  if (forced !== undefined) {
    const chosen = candidate(logProbs, forced);
    return [child(chosen, rank(logProbs, chosen.logProb), true)];
  }
  return wanted.slice(0, beam.width + 1).map((chosen, at) => child(chosen, at + 1, false));
}

function winnerOf(search) {
  const finished = finishedOf(search);
  const { nodes, living } = search;
  return (finished.length ? finished : living).reduce((top, index) =>
    nodes[index].score > nodes[top].score ? index : top,
  );
}
