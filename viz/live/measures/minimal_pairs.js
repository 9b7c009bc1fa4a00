/**
 * The ids before a step, begin id first, and the two pieces that could follow.
 * @typedef {{ prefix: number[], ids: [number, number] }} Decision
 */

/**
 * Find where two targets, begin and end id included, differ first.
 * @param {number[]} first The first.
 * @param {number[]} second The second.
 * @returns {Decision | null} The place; null if there is none.
 */
export function parting(first, second) {
  const step = first.findIndex((id, at) => at < second.length && id !== second[at]);
  return step < 0 ? null : { prefix: first.slice(0, step), ids: [first[step], second[step]] };
}

/**
 * Swap the last word of a pair, such as il and elle, in a text for the other one.
 * @param {string} text The text.
 * @param {[string, string][]} rivals The pairs.
 * @returns {string | null} The text with the other word; null without such a word. A capital letter
 *   stays one.
 */
export function swappedRival(text, rivals) {
  const capital = (word) => word[0].toUpperCase() + word.slice(1).toLowerCase();
  const pairs = rivals.flatMap(([one, other]) => [[one, other], [other, one]]);
  const others = new Map([...pairs, ...pairs.map((pair) => pair.map(capital))]);
  const found = [...text.matchAll(/(?<!\p{L})\p{L}+(?!\p{L})/gu)].findLast(([word]) => others.has(word));
  if (!found) return null;
  const [word] = found;
  return text.slice(0, found.index) + others.get(word) + text.slice(found.index + word.length);
}
