const AHEAD = 5; // pieces guessed at once after the prefix has left the draft

/**
 * Guess the ids after a prefix out of a draft, so that several pieces are scored in one run. A wrong
 * guess changes no result.
 * @param {number[]} prefix The ids so far.
 * @param {number[]} draft An expected result, begin id first.
 * @param {number} longest The most ids that prefix and guess together may have.
 * @returns {number[]} The guess: while the draft begins with the prefix, its rest; later what
 *   follows the place that matches the end of the prefix in most pieces. Last pieces that are not
 *   in the draft are taken to stand in place of as many of its own.
 */
export function guess(prefix, draft, longest) {
  const room = Math.max(0, longest - prefix.length);
  if (prefix.every((id, at) => id === draft[at])) return draft.slice(prefix.length).slice(0, room);
  const known = prefix.slice(0, prefix.findLastIndex((id) => draft.includes(id)) + 1);
  let [most, place] = [0, draft.length];
  for (let end = 1; end <= draft.length; end++) {
    const shared = sharedEnd(known, draft, end);
    if (shared > most) [most, place] = [shared, end];
  }
  const end = place + prefix.length - known.length;
  return draft.slice(end).slice(0, Math.min(AHEAD, room));
}

function sharedEnd(prefix, draft, end) {
  let count = 0;
  while (count < Math.min(prefix.length, end) && prefix.at(-1 - count) === draft[end - 1 - count]) count++;
  return count;
}
