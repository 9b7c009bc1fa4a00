/**
 * Corresponding parts of two sequences: the first and last place in each, null where one lacks it.
 * @typedef {[number, number] | null} Span
 * @typedef {{ first: Span, second: Span, same: boolean }} Slot
 */

/**
 * Align two sequences one by one. Where a difference is longer in one of them, its end is aligned as a
 * whole. It takes the longest equal part, then does the same on both sides of it, as Python's difflib.
 * @param {string[]} one The first sequence.
 * @param {string[]} other The second sequence.
 * @returns {Slot[]} The slots, in order.
 */
export function aligned(one, other) {
  const slots = [];
  let [at, to] = [0, 0];
  const span = (start, end) => (start < end ? [start, end - 1] : null);
  const oneByOne = (start, second, size, same) => {
    for (let n = 0; n < size; n++) {
      slots.push({ first: [start + n, start + n], second: [second + n, second + n], same });
    }
  };
  for (const [start, second, size] of [...matches(one, other), [one.length, other.length, 0]]) {
    const alone = Math.max(0, Math.min(start - at, second - to) - 1);
    oneByOne(at, to, alone, false);
    const rest = { first: span(at + alone, start), second: span(to + alone, second), same: false };
    if (rest.first || rest.second) slots.push(rest);
    oneByOne(start, second, size, true);
    [at, to] = [start + size, second + size];
  }
  return slots;
}

/** List the equal parts as [place in the one, place in the other, length], in order. */
function matches(one, other) {
  const between = (from, to, second, end) => {
    const [start, place, size] = longestMatch(one.slice(from, to), other.slice(second, end));
    if (!size) return [];
    const [at, its] = [from + start, second + place];
    return [
      ...between(from, at, second, its),
      [at, its, size],
      ...between(at + size, to, its + size, end),
    ];
  };
  return between(0, one.length, 0, other.length);
}

/**
 * The longest equal part; among equally long ones, the one that begins first in the first
 * sequence, then in the second.
 */
function longestMatch(one, other) {
  let found = [0, 0, 0];
  let lengths = [];
  one.forEach((item, at) => {
    const next = [];
    other.forEach((its, place) => {
      if (item !== its) return;
      const size = (next[place] = (lengths[place - 1] ?? 0) + 1);
      if (size > found[2]) found = [at - size + 1, place - size + 1, size];
    });
    lengths = next;
  });
  return found;
}
