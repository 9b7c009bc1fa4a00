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
  const marks = marksOf(queries, keys);
  const size = queries.length * keys.length;
  const measure = (name, head) => {
    const rows = queries.map((_, row) => {
      const start = head * size + row * keys.length;
      return values.subarray(start, start + keys.length);
    });
    if (name === "entropy") return meanOfRows(rows, visible, entropy);
    return name === "sparsity" ? meanOfRows(rows, visible, sparsity) : share(rows, marks[name]);
  };
  const rounded = (name, head) => Math.round(1000 * measure(name, head)) / 1000;
  const byHead = (name, layer) =>
    Array.from({ length: heads }, (_, head) => rounded(name, layer * heads + head));
  return Object.fromEntries(
    STATISTICS[kind].map((name) => [name, Array.from({ length: layers }, (_, layer) => byHead(name, layer))]),
  );
}

/** Return for each share which cells (query, key) count. */
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

/** Return the mean weight on marked keys, over the queries that have any. */
function share(rows, mark) {
  const sums = rows.flatMap((row, query) => {
    const marked = [...row].filter((_, key) => mark(query, key));
    return marked.length ? [total(marked)] : [];
  });
  return sums.length ? total(sums) / sums.length : 0;
}

/** Return the mean of a measure over the queries that see several keys, 0 without any. */
function meanOfRows(rows, visible, measure) {
  const choosing = visible.flatMap((count, row) => (count > 1 ? [measure(rows[row], count)] : []));
  return total(choosing) / Math.max(choosing.length, 1);
}

function entropy(row, visible) {
  return total(row.filter((weight) => weight > 0).map((weight) => -weight * Math.log(weight))) / Math.log(visible);
}

/** Return the share that a row does not need of the keys that an even one needs. */
function sparsity(row, visible) {
  const most = MOST * total(row) - ROUNDING;
  let before = 0;
  let needed = 0;
  for (const weight of row.toSorted((one, other) => other - one)) {
    if (before >= most) break;
    needed++;
    before += weight;
  }
  return 1 - Math.min(needed / Math.max(Math.ceil(MOST * visible - ROUNDING), 1), 1);
}

function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}
