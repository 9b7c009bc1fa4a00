import { fillIn, make } from "../../../../components/javascript/dom.js";
import { number } from "../../../../components/javascript/numbers.js";

const FOLDED = 5; // keys that are shown if there are more
const SPARED = 2; // more other keys than this are folded into one row

/**
 * Choose the keys with their own row, `shown`, in the sentence's order; the others are the `rest`.
 * Shown are the heaviest keys, the first key that a mask forbids, the `nouns`, and `pinned`.
 */
export function chooseRows(s, { open, pinned }) {
  const all = s.keys.map((_, at) => at);
  const foldable = all.length > FOLDED + SPARED;
  if (!foldable || open) return { foldable, shown: all, rest: [] };
  const { values } = s.arrays.weights;
  const heaviest = all.toSorted((a, b) => values[b] - values[a]);
  const first = [pinned, s.allowed.indexOf(false), ...s.nouns].filter((at) => at !== null && at >= 0);
  const chosen = new Set([...new Set([heaviest[0], ...first, ...heaviest])].slice(0, FOLDED));
  return { foldable, shown: all.filter((at) => chosen.has(at)), rest: all.filter((at) => !chosen.has(at)) };
}

/** Of a matrix with a row for each key, the rows of the `shown` keys. */
export function rowsOf(array, shown) {
  const width = array.values.length / array.shape[0];
  const values = new Float32Array(shown.length * width);
  shown.forEach((at, row) => values.set(array.values.subarray(at * width, (at + 1) * width), row * width));
  return { ...array, values, shape: [shown.length, width] };
}

/** The sum of the weights of some keys. */
export function weightOf(s, keys) {
  return keys.reduce((sum, at) => sum + s.arrays.weights.values[at], 0);
}

/** The button that folds the light keys into one row, or unfolds them; nothing if no key can be folded. */
export function folding(s, fold) {
  if (!s.foldable) return null;
  const text = s.rest.length ? fillIn(s.words.others, { count: s.rest.length }) : s.words.fewer;
  return make("button", { type: "button", class: "fold", "aria-expanded": String(!s.rest.length), title: s.words.folding, click: fold }, text);
}

/** The sum of the folded keys' weights, as a bar; with the shown weights it adds up to the whole. */
export function restWeight(s) {
  if (!s.rest.length) return null;
  const weight = weightOf(s, s.rest);
  const written = s.shown.reduce((sum, at) => sum + Number(number(s.arrays.weights.values[at])), 0);
  const left = Math.max(0, weightOf(s, s.keys.map((_, at) => at)) - written);
  return make("span", { class: "weight rest" }, make("i", { style: `width: ${weight * 100}%` }), make("b", {}, number(left)));
}
