import { fillIn, make } from "../../../../components/javascript/dom.js";
import { number } from "../../../../components/javascript/numbers.js";

const FOLDED = 5; // keys that are shown where there are more
const SPARED = 2; // more than that many others are folded into one row

/**
 * Choose the keys that have a row of their own: `shown`, in the sentence's order, and the `rest`.
 * These are the heaviest ones, the first that a mask forbids, and `pinned`.
 */
export function chooseRows(s, { open, pinned }) {
  const all = s.keys.map((_, at) => at);
  const foldable = all.length > FOLDED + SPARED;
  if (!foldable || open) return { foldable, shown: all, rest: [] };
  const { values } = s.arrays.weights;
  const heaviest = all.toSorted((a, b) => values[b] - values[a]);
  const first = [pinned, s.allowed.indexOf(false)].filter((at) => at !== null && at >= 0);
  const chosen = new Set([...new Set([heaviest[0], ...first, ...heaviest])].slice(0, FOLDED));
  return { foldable, shown: all.filter((at) => chosen.has(at)), rest: all.filter((at) => !chosen.has(at)) };
}

/** The rows of a matrix that has one for each key, in the order of `shown`. */
export function rowsOf(array, shown) {
  const width = array.values.length / array.shape[0];
  const values = new Float32Array(shown.length * width);
  shown.forEach((at, row) => values.set(array.values.subarray(at * width, (at + 1) * width), row * width));
  return { ...array, values, shape: [shown.length, width] };
}

/** What the weights of some keys add up to. */
export function weightOf(s, keys) {
  return keys.reduce((sum, at) => sum + s.arrays.weights.values[at], 0);
}

/** The button that folds the light keys into one row, or gives each its own; nothing where none is folded. */
export function folding(s, fold) {
  if (!s.foldable) return null;
  const text = s.rest.length ? fillIn(s.words.others, { count: s.rest.length }) : s.words.fewer;
  return make("button", { type: "button", class: "fold", "aria-expanded": String(!s.rest.length), title: s.words.folding, click: fold }, text);
}

/** What the weights of the folded keys add up to, as a bar; with the numbers shown its own makes the whole. */
export function restWeight(s) {
  if (!s.rest.length) return null;
  const weight = weightOf(s, s.rest);
  const written = s.shown.reduce((sum, at) => sum + Number(number(s.arrays.weights.values[at])), 0);
  const left = Math.max(0, weightOf(s, s.keys.map((_, at) => at)) - written);
  return make("span", { class: "weight rest" }, make("i", { style: `width: ${weight * 100}%` }), make("b", {}, number(left)));
}
