import { attentionInputs, attentionSite, maskSite } from "../sites/sites.js";
import { dot, softmaxRow, weighted } from "../tensor.js";
import { scoreFactors } from "../measures/score_factors.js";
import { findWord, isMute, wordsOf } from "../words.js";

/**
 * A head and one of its queries, from 0; a variant of the formula, null for the model's own; and the
 * two words that decide in the story, if the model has one.
 * @typedef {{ kind: string, layer: number, head: number, query: number }} Place
 * @typedef {{ divide: boolean, temperature: number }} Teaching
 * @typedef {{ divisor: number, scores: Float32Array, allowed: boolean[], weights: Float32Array,
 *   z: Float32Array, concat: Float32Array, out: Float32Array }} Chain
 * @typedef {import("../tensor.js").Tensor} Tensor
 */

/**
 * Make the message of a head's chain from x to W_O: what depends on the sentence. The page adds its
 * words and colours. The same as viz/pages/head makes: the model's own numbers are recorded, and only
 * what `teaching` changes is computed again.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../translator.js").Run} run A run.
 * @param {Place} place The head and the query.
 * @param {Partial<Teaching>} teaching What to change in the formula.
 * @param {string[]} story The two words.
 * @returns {{ header: object, arrays: Record<string, Tensor>, said: { divides: boolean, entropy:
 *   [number, number], special: boolean[], isOther: boolean, isSilent: boolean } }} The message; and
 *   whether the model divides the dots, the entropy of its weights and of those shown, the queries
 *   without a text, whether the formula is another one, and whether the head's z is 0 in all rows.
 */
export function chainMessage(translator, run, place, teaching, story) {
  const { model } = translator;
  const { arrays } = run.recording;
  const { kind, layer, head, query } = place;
  const names = translator.pieces(run.recording);
  const keys = kind === "decoder" ? names.target : names.source;
  const site = (part) => arrays.get(attentionSite(kind, layer, part));
  const own = (part) => sliceAt(site(part), head);
  const [k, v, q] = [own("k"), own("v"), rowAt(own("q"), query)];
  const dots = Float32Array.from(keys, (_, key) => dot(q.values, 0, k.values, key * q.shape[0], q.shape[0]));
  const edits = translator.editsOf(run);
  const divisor = divisorOf(arrays, edits, place, q.shape[0]);
  const divides = isDividing(divisor);
  const wanted = { divide: divides, temperature: 1, ...teaching };
  const asModel = recordedChain(arrays, place, { divisor, dots });
  const isChanged = wanted.divide !== divides || wanted.temperature !== 1;
  const chain = isChanged ? recomputedChain(translator, { arrays, edits }, place, asModel, wanted) : asModel;
  const [reads, from] = attentionInputs(kind, layer).map((name) => arrays.get(name));
  const weights = weightsOf(model.parameters, place, model.config.heads);
  const vector = (values) => ({ shape: [values.length], values });
  const header = {
    queries: (kind === "encoder" ? names.source : names.target).map(marked), keys: keys.map(marked),
    query, head, heads: model.config.heads,
    queryStack: kind === "encoder" ? "encoder" : "decoder", keyStack: kind === "decoder" ? "decoder" : "encoder",
    allowed: chain.allowed, divisor: chain.divisor, temperature: wanted.temperature,
    changed: chain.allowed.some((is, key) => is && !isClose(dots[key] / chain.divisor, chain.scores[key])),
    nouns: nounsOf(keys, story),
  };
  const numbers = {
    x: rowAt(reads, query), source: from, q, k, v, dots: vector(dots), scores: vector(chain.scores),
    weights: vector(chain.weights), z: vector(chain.z), concat: vector(chain.concat), out: vector(chain.out),
  };
  const queries = kind === "encoder" ? names.source : names.target;
  const said = {
    divides, isOther: isChanged, special: queries.map(isMute), isSilent: own("z").values.every((value) => value === 0),
    entropy: [asModel, chain].map((one) => entropyOf(one.weights)),
  };
  return { header, arrays: { ...numbers, ...weights }, said };
}

/** The model's own chain, as it was recorded; z is that of the head before it may be switched off. */
function recordedChain(arrays, { kind, layer, head, query }, { divisor, dots }) {
  const site = (part) => arrays.get(attentionSite(kind, layer, part));
  const row = (part) => rowAt(sliceAt(site(part), head), query).values;
  const root = Math.sqrt(site("q").shape[2]);
  const mask = rowAt(arrays.get(maskSite(kind)), query).values;
  const edited = row("scores");
  const weights = sliceAt(site("weights"), head);
  return {
    divisor, dots,
    scores: edited.map((score, key) => (Number.isFinite(score) ? score : dots[key] / root)),
    allowed: Array.from(edited, (score, key) => Boolean(mask[key]) && Number.isFinite(score)),
    weights: rowAt(weights, query).values, z: rowAt(mixedValues(weights, sliceAt(site("v"), head)), query).values,
    concat: concatOf(site("z"), query), out: rowAt(site("out"), query).values,
  };
}

/** The chain with another divisor or temperature, and with all changes of the model after it. */
function recomputedChain({ model }, { arrays, edits }, place, chain, { divide, temperature }) {
  const { kind, layer, head, query } = place;
  const site = (part) => arrays.get(attentionSite(kind, layer, part));
  const [q, k, v] = ["q", "k", "v"].map((part) => sliceAt(site(part), head));
  const [n, width] = q.shape;
  const keys = k.shape[0];
  const isOther = divide !== isDividing(chain.divisor);
  const divisor = isOther ? (divide ? Math.sqrt(width) : 1) : chain.divisor;
  const edited = sliceAt(site("scores"), head).values;
  const mask = arrays.get(maskSite(kind)).values;
  const raw = edited.map((score, at) => {
    if (!mask[at] || !Number.isFinite(score)) return -Infinity;
    const row = Math.floor(at / keys);
    return (isOther ? dot(q.values, row * width, k.values, (at % keys) * width, width) / divisor : score) / temperature;
  });
  for (let row = 0; row < n; row++) softmaxRow(raw.subarray(row * keys, (row + 1) * keys));
  const put = (part, values, at) => {
    const whole = { shape: site(part).shape, values: site(part).values.slice() };
    whole.values.set(values, at);
    return edits.get(attentionSite(kind, layer, part))?.apply(whole) ?? whole;
  };
  const weights = sliceAt(put("weights", raw, head * raw.length), head);
  const z = mixedValues(weights, v);
  const concat = concatOf(put("z", z.values, head * z.values.length), query);
  const { values } = model.parameters.linear(`${sublayerOf(place)}.out`, { shape: [1, concat.length], values: concat });
  return {
    divisor, allowed: chain.allowed, concat,
    scores: isOther ? chain.dots.map((score) => score / divisor) : chain.scores,
    weights: rowAt(weights, query).values, z: rowAt(z, query).values,
    out: rowAt(put("out", values, query * concat.length), query).values,
  };
}

/** The values of a head by its weights, (T, Dk). */
function mixedValues({ shape: [n, keys], values: weights }, v) {
  return sliceAt(weighted({ shape: [1, n, keys], values: weights }, { shape: [1, ...v.shape], values: v.values }), 0);
}

/** The divisor of the dots of a query: sqrt(d_k), unless the model is changed; see numbers.py. */
function divisorOf(arrays, edits, { kind, layer, head, query }, width) {
  const root = Math.sqrt(width);
  const factors = rowAt(sliceAt(scoreFactors(arrays, edits, kind, layer), head), query).values;
  const mask = rowAt(arrays.get(maskSite(kind)), query).values;
  const [first, ...others] = factors.filter((_, key) => mask[key]);
  const alike = first > 0 && others.every((factor) => isClose(factor, first, 1e-8));
  return alike ? root / first : root;
}

/** The weights of one head, each with its inputs as rows, and W_O of all heads. */
function weightsOf(parameters, place, heads) {
  const matrix = (part) => parameters.tensor(`${sublayerOf(place)}.${part}.weight`);
  const turned = ({ shape: [, inputs], values }, from, to) => {
    const own = new Float32Array((to - from) * inputs);
    for (let row = 0; row < inputs; row++) {
      for (let column = from; column < to; column++) own[row * (to - from) + column - from] = values[column * inputs + row];
    }
    return { shape: [inputs, to - from], values: own };
  };
  const out = matrix("out");
  const [outputs] = out.shape;
  const width = outputs / heads;
  const own = (part) => turned(matrix(part), place.head * width, (place.head + 1) * width);
  return { w_q: own("q"), w_k: own("k"), w_v: own("v"), w_o: turned(out, 0, outputs) };
}

function sublayerOf({ kind, layer }) {
  const [stack, , name] = attentionSite(kind, layer, "q").split(".");
  return `${stack}.layers.${layer}.${name}`;
}

/** The places of the two words among the keys; none unless both are there. */
function nounsOf(keys, story) {
  const words = wordsOf(keys);
  const found = story.map((text) => words[findWord(words, text)]?.first);
  return found.includes(undefined) ? [] : found;
}

/** The entropy of a distribution in nats. */
function entropyOf(weights) {
  return Math.abs(weights.reduce((sum, weight) => (weight > 0 ? sum + weight * Math.log(weight) : sum), 0));
}

/** Of a tensor (H, n, width), the part (n, width) of one head. */
function sliceAt({ shape: [, n, width], values }, head) {
  return { shape: [n, width], values: values.subarray(head * n * width, (head + 1) * n * width) };
}

/** Of a matrix, one row. */
function rowAt({ shape: [, width], values }, row) {
  return { shape: [width], values: values.subarray(row * width, (row + 1) * width) };
}

/** The outputs of all heads (H, T, Dk) for one query, side by side. */
function concatOf({ shape: [heads, queries, width], values }, query) {
  const joined = new Float32Array(heads * width);
  for (let head = 0; head < heads; head++) {
    const at = (head * queries + query) * width;
    joined.set(values.subarray(at, at + width), head * width);
  }
  return joined;
}

function isDividing(divisor) {
  return !isClose(divisor, 1);
}

function isClose(one, other, least = 1e-6) {
  return Math.abs(one - other) <= least + 1e-5 * Math.abs(other);
}

function marked(token) {
  return token.replaceAll("\u2581", "·");
}
