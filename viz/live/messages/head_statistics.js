import { isPunctuation, isSpecial } from "../words.js";

const BAND = 0.15; // of the keys: the largest distance from the diagonal that counts
const MOST = 0.9; // of a row, which its strongest keys must make up
const ROUNDING = 1e-5; // the most that single precision adds to or takes from a sum of weights

const OWN = ["previous", "next", "itself", "first", "last", "punctuation", "entropy", "sparsity"];
const STATISTICS = {
  encoder: OWN,
  decoder: OWN.filter((name) => name !== "next"),
  cross: ["diagonal", "first", "last", "punctuation", "entropy", "sparsity"],
};

/**
 * Describe each head of a kind on a sentence by numbers between 0 and 1: see head_statistics.py.
 * @param {import("../measures/sharpest.js").Weights} weights The weights (L, H, query, key).
 * @param {string} kind The kind of attention.
 * @param {string[]} queries The tokens of the queries.
 * @param {string[]} keys The tokens of the keys.
 * @param {number[]} visible How many keys each query can see.
 * @returns {Record<string, number[][]>} Each statistic (L, H), to three decimals.
 */
export function headStatistics({ shape: [layers, heads], values }, kind, queries, keys, visible) {
  const size = queries.length * keys.length;
  const marks = marksOf(queries, keys);
  const shares = STATISTICS[kind].flatMap((name) => (name in marks ? [[name, markedRows(marks[name], queries, keys)]] : []));
  const marked = Object.fromEntries(shares);
  const measure = (name, head) => {
    const own = values.subarray(head * size, (head + 1) * size);
    if (name === "entropy") return meanOfRows(own, visible, keys.length, entropy);
    return name === "sparsity" ? meanOfRows(own, visible, keys.length, sparsity) : share(own, marked[name]);
  };
  const rounded = (name, head) => Math.round(1000 * measure(name, head)) / 1000;
  const byHead = (name, layer) =>
    Array.from({ length: heads }, (_, head) => rounded(name, layer * heads + head));
  return Object.fromEntries(
    STATISTICS[kind].map((name) => [name, Array.from({ length: layers }, (_, layer) => byHead(name, layer))]),
  );
}

/** Return the cells (query, key) that count for each share. */
function marksOf(queries, keys) {
  const marked = keys.map((key) => isPunctuation(key) && !isSpecial(key));
  const slope = Math.max(keys.length - 1, 1) / Math.max(queries.length - 1, 1);
  return {
    previous: (row, column) => column === row - 1,
    next: (row, column) => column === row + 1,
    itself: (row, column) => column === row,
    first: (_row, column) => column === 0,
    last: (_row, column) => column === keys.length - 1,
    punctuation: (_row, column) => marked[column],
    diagonal: (row, column) => Math.abs(column - row * slope) <= Math.max(1, BAND * keys.length),
  };
}

/** Return the places of the marked cells of each query that has any, among the weights of a head. */
function markedRows(mark, queries, keys) {
  const rows = queries.map((_, row) => keys.flatMap((_key, column) => (mark(row, column) ? [row * keys.length + column] : [])));
  return rows.filter((cells) => cells.length);
}

/** Return the mean weight on marked keys, over the queries that have any. */
function share(weights, rows) {
  let sum = 0;
  for (const cells of rows) for (const cell of cells) sum += weights[cell];
  return rows.length ? sum / rows.length : 0;
}

/** Return the mean of a measure over the queries that see several keys, 0 without any. */
function meanOfRows(weights, visible, keys, measure) {
  let [sum, rows] = [0, 0];
  visible.forEach((count, row) => {
    if (count <= 1) return;
    sum += measure(weights.subarray(row * keys, (row + 1) * keys), count);
    rows++;
  });
  return sum / Math.max(rows, 1);
}

function entropy(row, visible) {
  let sum = 0;
  for (const weight of row) if (weight > 0) sum -= weight * Math.log(weight);
  return sum / Math.log(visible);
}

/** Return the share that a row does not need of the keys that an even one needs. */
function sparsity(row, visible) {
  const rising = row.toSorted();
  const most = MOST * rising.reduce((sum, weight) => sum + weight, 0) - ROUNDING;
  let [before, needed] = [0, 0];
  while (needed < rising.length && before < most) before += rising[rising.length - ++needed];
  return 1 - Math.min(needed / Math.max(Math.ceil(MOST * visible - ROUNDING), 1), 1);
}
