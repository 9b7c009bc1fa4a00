import { partners } from "./interventions/donors.js";
import { PatchActivation, ofSource } from "./interventions/patches.js";
import { KINDS, STACKS, SUBLAYERS, attentionSite, stackOutput } from "./sites/sites.js";
import { makeEditor, makeRecorder } from "./sites/tap.js";
import { dot } from "./tensor.js";
import { layersOf } from "./transformer/config.js";

const MEMORY = "encoder.memory";
const HEAD_PARTS = ["z", "q", "k", "v"];

/**
 * The movement of the answer towards that of another sentence, the donor, vector by vector: see
 * model/recording/trace.py. `prefix` are the pieces before the step that decides, and `pieces` the two
 * that could follow. A map has a row for each token and a column for each of its `sites`; of heads, a
 * row for each layer and a column for each head, at one token. It is NaN where a token has no partner.
 * @typedef {{ prefix: number[], pieces: [number, number] }} Decided
 * @typedef {{ part: string, restored: boolean, at: [number, number] | null, donor: string }} Carried
 *   "residual", "sublayer", or a part of each head; whether the other sentence runs, and takes vectors
 *   of this one; and of heads, the piece of the source and the row of the decoder.
 * @typedef {Carried & { decided: Decided, sites: Record<string, string[]>,
 *   maps: Record<string, number[][]> }} Trace
 * @typedef {{ site: string, head: number | null, token: number }} Cell
 * @typedef {import("./transformer/transformer.js").Transformer} Transformer
 */

/** Tell whether a part is one of each head. */
export function isOfHeads(part) {
  return HEAD_PARTS.includes(part);
}

/**
 * Find the first step at which two sentences continue differently after one translation.
 * @param {Transformer} model The model.
 * @param {[number[], number[]]} ids The ids of both.
 * @param {number[]} target The translation, begin id first.
 * @returns {Decided} The step. Throws an Error when they never do.
 */
export function decidedStep(model, ids, target) {
  const [first, second] = ids.map((one) => {
    const { shape: [, pieces], values } = model.decode(target, model.encode(one));
    return target.map((_, row) => largestOf(values.subarray(row * pieces, (row + 1) * pieces)));
  });
  const step = first.findIndex((piece, at) => piece !== second[at]);
  if (step < 0) throw new Error("both sentences are translated alike: there is no step that decides");
  return { prefix: target.slice(0, step + 1), pieces: [first[step], second[step]] };
}

function largestOf(logits) {
  return logits.indexOf(logits.reduce((top, logit) => Math.max(top, logit), -Infinity));
}

/**
 * Trace two sentences.
 * @param {Transformer} model The model.
 * @param {[number[], number[]]} ids The ids of this sentence and of the donor.
 * @param {Decided} decided The step.
 * @param {Carried} carried What is carried over.
 * @yields {[number, number]} The runs so far, and all of them.
 * @returns {Trace} The maps.
 */
export function* traced(model, ids, decided, carried) {
  const passes = ids.map((one) => new Pass(model, one, decided));
  const [run, other] = carried.restored ? passes.toReversed() : passes;
  const sides = { source: partners(...ids), target: decided.prefix.map((_, row) => row) };
  const sites = sitesOf(carried.part, model.config);
  const maps = {};
  const runs = [];
  for (const [kind, own] of Object.entries(sites)) {
    const partnersOf = sides[ofSource(own[0]) ? "source" : "target"];
    maps[kind] = cellsOf(own, partnersOf.length, model.config.heads, carried).map((cells, row) =>
      cells.map(({ site, head, token }, column) => {
        if (partnersOf[token] === null) return NaN;
        const [here, there] = carried.restored ? [partnersOf[token], token] : [token, partnersOf[token]];
        const given = other.vector(site, there, head);
        const kept = run.vector(site, here, head);
        if (kept.some((value, dim) => value !== given[dim])) runs.push({ kind, row, column, put: { site, head, token: here, given } });
        return run.lead;
      }),
    );
  }
  for (const [number, { kind, row, column, put }] of runs.entries()) {
    maps[kind][row][column] = run.leadAfter(put);
    yield [number + 1, runs.length];
  }
  const [first, second] = passes.map(({ lead }) => lead);
  const scaled = (lead) => (lead - first) / (second - first);
  for (const kind of Object.keys(maps)) maps[kind] = maps[kind].map((row) => row.map(scaled));
  return { ...carried, decided, sites, maps };
}

/** The cells of a map, row by row. */
function cellsOf(sites, tokens, heads, { part, at }) {
  const upTo = (count) => Array.from({ length: count }, (_, number) => number);
  if (!isOfHeads(part)) return upTo(tokens).map((token) => sites.map((site) => ({ site, head: null, token })));
  return sites.map((site) => upTo(heads).map((head) => ({ site, head, token: at[Number(!ofSource(site))] })));
}

/**
 * Return a trace whose values are known.
 * @param {Transformer} model The model.
 * @param {Decided} decided The step.
 * @param {Carried} carried What is carried over.
 * @param {(number | null)[][][]} values The values of all maps, null without a partner.
 * @returns {Trace} The trace.
 */
export function knownTrace(model, decided, carried, values) {
  const sites = sitesOf(carried.part, model.config);
  const maps = Object.fromEntries(
    Object.keys(sites).map((kind, at) => [kind, values[at].map((row) => row.map((value) => value ?? NaN))]),
  );
  return { ...carried, decided, sites, maps };
}

/**
 * Return the intervention of a cell.
 * @param {Trace} trace The trace.
 * @param {string} kind Its map.
 * @param {number} row The row.
 * @param {number} column The column.
 * @returns {PatchActivation} The patch.
 */
export function patchOf({ sites, donor, at, part }, kind, row, column) {
  if (!isOfHeads(part)) return new PatchActivation(sites[kind][column], row, donor);
  return new PatchActivation(sites[kind][row], at[sideOfSites(sites[kind])], donor, column);
}

/** Return 0 if the vectors at some sites belong to the source, 1 if to the decoder. */
export function sideOfSites([site]) {
  return Number(!ofSource(site));
}

/** The sites of each map: of its columns, or of heads those of its layers. */
function sitesOf(part, config) {
  const layersIn = (kind) => Array.from({ length: layersOf(config, kind) }, (_, layer) => layer);
  if (isOfHeads(part)) {
    return Object.fromEntries(KINDS.map((kind) => [kind, layersIn(kind).map((layer) => attentionSite(kind, layer, part))]));
  }
  const found = {};
  for (const stack of STACKS) {
    const layers = layersIn(stack);
    found[stack] = part === "sublayer"
      ? layers.flatMap((layer) => SUBLAYERS[stack].map((name) => `${stack}.${layer}.${name}.out`))
      : [-1, ...layers].map((layer) => stackOutput(stack, layer));
  }
  if (part === "residual") found.encoder[found.encoder.length - 1] = MEMORY;
  return found;
}

/** A sentence with the beginning of a translation: its activations, and runs with a change. */
class Pass {
  constructor(model, ids, { prefix, pieces }) {
    Object.assign(this, { model, prefix, pieces, arrays: new Map() });
    const tap = makeRecorder(new Map(), this.arrays);
    model.decode(prefix, model.encode(ids, tap), tap);
    this.lead = this.leadOf(this.arrays.get(stackOutput("decoder", model.config.decoder_layers - 1)));
  }

  vector(site, token, head) {
    const { shape, values } = this.arrays.get(site);
    const start = placeIn(shape, token, head);
    return values.subarray(start, start + shape.at(-1));
  }

  /** The log-odds of the first deciding piece over the second, after the last vector of the decoder. */
  leadOf({ shape: [rows, width], values }) {
    const { parameters, matrices, outputBias } = this.model;
    const after = (id) => dot(values, (rows - 1) * width, parameters.row(matrices.output, id), 0, width);
    const bias = outputBias && parameters.tensor(outputBias).values;
    const logit = (id) => after(id) + (bias?.[id] ?? 0);
    const [first, second] = this.pieces.map(logit);
    return first - second;
  }

  /** The log-odds when one vector of a site is another one. */
  leadAfter(put) {
    if (put.site.startsWith("decoder.")) return this.leadOf(this.through("decoder", put, this.arrays.get(MEMORY)));
    return this.leadOf(this.through("decoder", null, this.through("encoder", put)));
  }

  /** The output of a stack, from the layer on that reads or makes the vector; see `_Variant.layer`. */
  through(stack, put, memory = null) {
    const { model, arrays } = this;
    const layers = layersOf(model.config, stack);
    const site = put?.site === MEMORY ? stackOutput("encoder", layers - 1) : (put?.site ?? "");
    const [, number, part = ""] = site.split(".");
    const first = /^\d+$/.test(number) ? Number(number) + Number(part.startsWith("norm")) : 0;
    const edit = ({ shape, values }) => {
      const own = values.slice();
      own.set(put.given, placeIn(shape, put.token, put.head));
      return { shape, values: own };
    };
    const isWithin = /\.(self_attn|cross_attn|ffn)\./.test(site);
    const before = arrays.get(stackOutput(stack, first - 1));
    let x = put && !isWithin ? edit(before) : before;
    const tap = makeEditor(isWithin ? new Map([[site, { apply: edit }]]) : new Map()).at(stack);
    const mask = arrays.get(`${stack}.mask`);
    for (let layer = first; layer < layers; layer++) {
      x = stack === "encoder"
        ? model.encoderLayer(layer, x, mask, tap.at(layer))
        : model.decoderLayer(layer, x, { mask, memory, crossMask: arrays.get("decoder.cross_mask") }, tap.at(layer));
    }
    return x;
  }
}

/** Where the vector of a token begins, in (n, D), or of one of its heads, in (H, n, Dk). */
function placeIn(shape, token, head) {
  const [n, width] = shape.slice(-2);
  return ((head ?? 0) * n + token) * width;
}
