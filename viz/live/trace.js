import { partners } from "./interventions/donors.js";
import { PatchActivation } from "./interventions/patches.js";
import { STACKS, SUBLAYERS, stackOutput } from "./sites/sites.js";
import { makeEditor, makeRecorder } from "./sites/tap.js";
import { dot } from "./tensor.js";

const MEMORY = "encoder.memory";

/**
 * The movement of the answer towards that of another sentence, the donor, vector by vector: see
 * model/recording/trace.py. `prefix` are the pieces before the step that decides, and `pieces` the two
 * that could follow. Each map has a row for each token and a column for each of its `sites`; NaN where
 * the token has no partner.
 * @typedef {{ prefix: number[], pieces: [number, number] }} Decided
 * @typedef {{ part: string, donor: string, decided: Decided, sites: Record<string, string[]>,
 *   maps: Record<string, number[][]> }} Trace
 * @typedef {import("./transformer/transformer.js").Transformer} Transformer
 */

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
 * @param {string} part "residual" or "sublayer": what is carried over.
 * @param {string} donor The text of the donor.
 * @yields {[number, number]} The runs so far, and all of them.
 * @returns {Trace} The maps.
 */
export function* traced(model, ids, decided, part, donor) {
  const [run, other] = ids.map((one) => new Pass(model, one, decided));
  const pairs = { encoder: partners(...ids), decoder: decided.prefix.map((_, row) => row) };
  const sites = sitesOf(part, model.config);
  const maps = {};
  const runs = [];
  for (const stack of STACKS) {
    maps[stack] = pairs[stack].map(() => sites[stack].map(() => NaN));
    sites[stack].forEach((site, column) => {
      pairs[stack].forEach((partner, row) => {
        if (partner === null) return;
        const [own, given] = [run.vector(site, row), other.vector(site, partner)];
        maps[stack][row][column] = run.lead;
        if (own.some((value, dim) => value !== given[dim])) runs.push({ stack, row, column, site, given });
      });
    });
  }
  for (const [number, { stack, row, column, site, given }] of runs.entries()) {
    maps[stack][row][column] = run.leadAfter(stack, site, row, given);
    yield [number + 1, runs.length];
  }
  const scaled = (lead) => (lead - run.lead) / (other.lead - run.lead);
  for (const stack of STACKS) maps[stack] = maps[stack].map((row) => row.map(scaled));
  return { part, donor, decided, sites, maps };
}

/**
 * Return a trace whose values are known.
 * @param {Transformer} model The model.
 * @param {Decided} decided The step.
 * @param {string} part What is carried over.
 * @param {string} donor The text of the donor.
 * @param {(number | null)[][][]} values The values of both maps, null without a partner.
 * @returns {Trace} The trace.
 */
export function knownTrace(model, decided, part, donor, values) {
  const maps = Object.fromEntries(
    STACKS.map((stack, at) => [stack, values[at].map((row) => row.map((value) => value ?? NaN))]),
  );
  return { part, donor, decided, sites: sitesOf(part, model.config), maps };
}

/**
 * Return the intervention of a cell.
 * @param {Trace} trace The trace.
 * @param {string} stack Its map.
 * @param {number} row The token.
 * @param {number} column The site.
 * @returns {PatchActivation} The patch.
 */
export function patchOf({ sites, donor }, stack, row, column) {
  return new PatchActivation(sites[stack][column], row, donor);
}

/** The sites of the columns of each stack. */
function sitesOf(part, config) {
  const found = {};
  for (const stack of STACKS) {
    const layers = Array.from({ length: config[`${stack}_layers`] }, (_, layer) => layer);
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

  vector(site, row) {
    const { shape: [, width], values } = this.arrays.get(site);
    return values.subarray(row * width, (row + 1) * width);
  }

  /** The log-odds of the first deciding piece over the second, after the last vector of the decoder. */
  leadOf({ shape: [rows, width], values }) {
    const embedding = this.model.parameters.tensor("embedding.weight").values;
    const [first, second] = this.pieces.map((id) => dot(values, (rows - 1) * width, embedding, id * width, width));
    return first - second;
  }

  /** The log-odds when one vector of a site is another one. */
  leadAfter(stack, site, row, given) {
    const memory = stack === "encoder" ? this.through("encoder", site, row, given) : this.arrays.get(MEMORY);
    if (stack === "decoder") return this.leadOf(this.through("decoder", site, row, given, memory));
    return this.leadOf(this.through("decoder", null, row, given, memory));
  }

  /** The output of a stack, from the layer on that reads or makes the vector; see `_Variant.layer`. */
  through(stack, site, row, given, memory = null) {
    const { model, arrays } = this;
    const layers = model.config[`${stack}_layers`];
    const [, number, part = ""] = (site === MEMORY ? stackOutput("encoder", layers - 1) : (site ?? "")).split(".");
    const first = /^\d+$/.test(number) ? Number(number) + Number(part.startsWith("norm")) : 0;
    const put = ({ shape, values }) => {
      const own = values.slice();
      own.set(given, row * shape[1]);
      return { shape, values: own };
    };
    const isEntering = site !== null && !site.endsWith(".out");
    const before = arrays.get(stackOutput(stack, first - 1));
    let x = isEntering ? put(before) : before;
    const tap = makeEditor(isEntering || site === null ? new Map() : new Map([[site, { apply: put }]])).at(stack);
    const mask = arrays.get(`${stack}.mask`);
    for (let layer = first; layer < layers; layer++) {
      x = stack === "encoder"
        ? model.encoderLayer(layer, x, mask, tap.at(layer))
        : model.decoderLayer(layer, x, { mask, memory, crossMask: arrays.get("decoder.cross_mask") }, tap.at(layer));
    }
    return x;
  }
}
