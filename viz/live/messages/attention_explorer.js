import { sharpest, sharpestKind, stacked } from "../measures/sharpest.js";
import { KINDS } from "../sites/sites.js";
import { isSpecial, wordNumbers } from "../words.js";
import { headStatistics } from "./head_statistics.js";
import { LEVELS, rint } from "./levels.js";

/**
 * Make the message of the attention explorer from a run: what depends on the sentence. The page adds
 * its words and colours. The same as payload.py makes.
 * @param {{ sentence: string, translation: string, sourceTokens: string[], targetTokens: string[],
 *   predictedTokens: string[], masked: number[], layers: (kind: string) => number,
 *   arrays: Map<string, import("../tensor.js").Tensor> }} run A recording and its tokens.
 * @returns {{ header: object, arrays: Record<string, import("../tensor.js").Tensor> }} The header,
 *   and the weights of each kind and the lengths of its values in bytes.
 */
export function explorerMessage(run) {
  const { sentence, translation, sourceTokens: source, targetTokens: target, masked } = run;
  const kinds = {};
  const arrays = {};
  const lengths = {};
  const sharp = {};
  for (const kind of KINDS) {
    const weights = stacked(run.arrays, kind, run.layers(kind));
    const [layers, heads, queries, keys] = weights.shape;
    const sides = [kind === "encoder" ? source : target, kind === "decoder" ? target : source];
    const causal = isCausal(kind, weights);
    const visible = sides[0].map((_, query) => visibleTo(query, { causal, keys, kind, masked }));
    const statistics = headStatistics(weights, kind, ...sides, visible);
    kinds[kind] = { causal, layers, heads, queries, keys, statistics };
    arrays[kind] = { shape: weights.shape, values: quantisedRows(weights) };
    lengths[`lengths ${kind}`] = relativeLengths(stacked(run.arrays, kind, run.layers(kind), "v"));
    sharp[kind] = sharpest(weights, ...sides, kind !== "cross");
  }
  const heads = Object.fromEntries(KINDS.map((kind) => [kind, [sharp[kind].layer, sharp[kind].head]]));
  const header = {
    sentence, translation, kinds,
    source: sideOf(source, masked),
    target: { ...sideOf(target), ...predictions(run.predictedTokens) },
    start: { kind: sharpestKind(sharp), heads, query: null, words: false },
  };
  return { header, arrays: { ...arrays, ...lengths } };
}

/** The lengths of the values (L, H, key) in bytes: 255 is the longest one of its head. */
function relativeLengths({ shape, values }) {
  const [keys, width] = shape.slice(-2);
  const lengths = new Float64Array(values.length / width);
  for (let at = 0; at < values.length; at++) lengths[Math.floor(at / width)] += values[at] ** 2;
  const bytes = new Uint8Array(lengths.length);
  for (let start = 0; start < lengths.length; start += keys) {
    const own = lengths.subarray(start, start + keys).map(Math.sqrt);
    const most = own.reduce((longest, length) => Math.max(longest, length), 1e-9);
    own.forEach((length, key) => (bytes[start + key] = rint((length / most) * LEVELS)));
  }
  return { shape: shape.slice(0, -1), values: bytes };
}

function isCausal(kind, { shape, values }) {
  const [queries, keys] = shape.slice(-2);
  const ahead = (_weight, at) => at % keys > Math.floor(at / keys) % queries;
  return kind === "decoder" && !values.some((weight, at) => weight !== 0 && ahead(weight, at));
}

/** Count the keys that a query can see, without later and masked keys. */
function visibleTo(query, { causal, keys, kind, masked }) {
  if (causal) return query + 1;
  return kind === "decoder" ? keys : keys - masked.length;
}

function sideOf(tokens, masked = []) {
  return {
    tokens,
    words: wordNumbers(tokens),
    special: tokens.map(isSpecial),
    masked: tokens.map((_, place) => masked.includes(place)),
  };
}

function predictions(tokens) {
  return {
    predicted: tokens,
    predictedWords: wordNumbers(tokens),
    predictedSpecial: tokens.map(isSpecial),
  };
}

/**
 * Round weights to multiples of 1/255 so that every row keeps its sum: each goes down or up, and
 * those with the largest remainders go up.
 * @param {import("../measures/sharpest.js").Weights} weights The weights.
 * @returns {Uint8Array} One byte for each.
 */
export function quantisedRows({ shape, values }) {
  const keys = shape.at(-1);
  const bytes = new Uint8Array(values.length);
  const over = new Float64Array(keys); // how far each weight of a row is above a whole number
  for (let start = 0; start < values.length; start += keys) {
    let [sum, low] = [0, 0];
    for (let key = 0; key < keys; key++) {
      const scaled = Math.min(Math.max(values[start + key], 0), 1) * LEVELS;
      const whole = Math.floor(scaled);
      bytes[start + key] = whole;
      over[key] = scaled - whole;
      sum += scaled;
      low += whole;
    }
    raise(bytes.subarray(start, start + keys), over, rint(sum) - low);
  }
  return bytes;
}

/** Raise so many levels by one, those with the largest remainders, the first of equal ones. */
function raise(levels, over, count) {
  if (!count) return;
  const least = over.toSorted()[over.length - count];
  let equal = count;
  for (const rest of over) if (rest > least) equal--;
  for (let key = 0; key < over.length; key++) {
    if (over[key] > least || (over[key] === least && equal-- > 0)) levels[key] = Math.min(LEVELS, levels[key] + 1);
  }
}
