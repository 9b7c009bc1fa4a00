import { isPunctuation, isSpecial } from "../words.js";

const BAND = 0.15; // of the keys: the largest distance from the diagonal that counts
const MOST = 0.9; // of a row, which its strongest keys must make up

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
 * @returns {Record<string, number[][]>} Each statistic (L, H), to three decimals.
 */
export function headStatistics({ shape: [layers, heads], values }, kind, queries, keys) {
  const marks = marksOf(queries, keys);
  const size = queries.length * keys.length;
  const measure = (name, head) => {
    const rows = queries.map((_, row) => {
      const start = head * size + row * keys.length;
      return values.subarray(start, start + keys.length);
    });
    if (name === "entropy") return entropy(rows, keys.length);
    return name === "sparsity" ? sparsity(rows, keys.length) : share(rows, marks[name]);
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

function entropy(rows, keys) {
  const most = Math.log(Math.max(keys, 2));
  const of = (row) => total([...row].map((weight) => (weight > 0 ? -weight * Math.log(weight) : 0)));
  return total(rows.map(of)) / rows.length / most;
}

/** Return the mean share of keys that a row does not need to make up most of it. */
function sparsity(rows, keys) {
  const unneeded = rows.map((row) => {
    const whole = total([...row]);
    let before = 0;
    let needed = 0;
    for (const weight of row.toSorted((one, other) => other - one)) {
      if (before >= MOST * whole) break;
      needed++;
      before += weight;
    }
    return 1 - needed / keys;
  });
  return total(unneeded) / rows.length;
}

function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}
