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
  const lengths = Float64Array.from({ length: values.length / width }, (_, at) =>
    Math.hypot(...values.subarray(at * width, (at + 1) * width)),
  );
  const bytes = lengths.map((length, at) => {
    const start = at - (at % keys);
    const most = Math.max(1e-9, ...lengths.subarray(start, start + keys));
    return rint((length / most) * LEVELS);
  });
  return { shape: shape.slice(0, -1), values: Uint8Array.from(bytes) };
}

function isCausal(kind, { shape, values }) {
  const [queries, keys] = shape.slice(-2);
  const ahead = (_weight, at) => at % keys > Math.floor(at / keys) % queries;
  return kind === "decoder" && !values.some((weight, at) => weight !== 0 && ahead(weight, at));
}

/** Count the keys that a query can see: not the later nor the masked ones. */
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
  for (let start = 0; start < values.length; start += keys) {
    const scaled = Array.from(values.subarray(start, start + keys), scaledWeight);
    const low = scaled.map(Math.floor);
    const missing = rint(sumOfRow(scaled)) - sumOfRow(low);
    const order = [...scaled.keys()].sort((a, b) => low[a] - scaled[a] - (low[b] - scaled[b]));
    order.forEach((key, rank) => (bytes[start + key] = Math.min(LEVELS, low[key] + Number(rank < missing))));
  }
  return bytes;
}

function scaledWeight(weight) {
  return Math.min(Math.max(weight, 0), 1) * LEVELS;
}

function sumOfRow(values) {
  return values.reduce((sum, value) => sum + value, 0);
}
