import { sizeOf } from "../tensor.js";
import { MarianTokenizer } from "../marian_tokenizer.js";
import { Tokenizer } from "../tokenizer.js";
import { readConfig, weightShapes } from "../transformer/config.js";
import { Transformer } from "../transformer/transformer.js";
import { Parameters } from "./parameters.js";

/**
 * The files of a checkpoint, as they are. Those of a Marian model are what Python has read: two
 * SentencePiece models and, as JSON, the names of all pieces (viz/site/engine.py).
 * @typedef {{ config: string, weights: import("./file.js").OpenFile, tokenizer: ArrayBuffer,
 *   target?: ArrayBuffer, vocabulary?: string }} Files
 */

/**
 * Load a checkpoint.
 * @param {Files} files Their content.
 * @param {boolean} simd Whether to use WebAssembly where there is any.
 * @returns {{ model: Transformer, tokenizer: Tokenizer, targetTokenizer: Tokenizer }} The model, which
 *   computes in single precision, and what cuts source and target. Throws an Error that names the file, and the tensor where there is one, when a part is damaged or the
 *   parts do not fit together.
 */
export function loadCheckpoint(files, simd = true) {
  const config = readConfig(files.config);
  const tokenizers = files.vocabulary ? marianTokenizers(files, config) : ownTokenizers(files, config);
  const model = new Transformer(config, readWeights(files.weights, weightShapes(config), simd));
  return { model, ...tokenizers };
}

function marianTokenizers({ tokenizer, target, vocabulary }, config) {
  const { source, target: other, added } = JSON.parse(vocabulary);
  const names = other ?? source;
  return {
    tokenizer: new MarianTokenizer(tokenizer, "source.spm", { names: source, added }, config),
    targetTokenizer: new MarianTokenizer(target, "target.spm", { names, added }, config),
  };
}

function ownTokenizers(files, config) {
  const tokenizer = new Tokenizer(files.tokenizer);
  const own = [tokenizer.length, tokenizer.padId, tokenizer.beginId, tokenizer.endId];
  const said = [config.vocab_size, config.pad_id, config.begin_id, config.end_id];
  if (own.some((value, at) => value !== said[at])) {
    throw new Error("tokenizer.model: its pieces are not those of config.json");
  }
  return { tokenizer, targetTokenizer: tokenizer };
}

/**
 * Read model.safetensors: a header of JSON, then the numbers of all tensors.
 * @param {import("./file.js").OpenFile} file The file.
 * @param {Map<string, number[]>} shapes The expected shapes by name.
 * @param {boolean} simd Whether to use WebAssembly where there is any.
 * @returns {Parameters} The weights.
 */
export function readWeights(file, shapes, simd = true) {
  const { header, start } = headerOf(file);
  const extra = Object.keys(header).find((name) => name !== "__metadata__" && !shapes.has(name));
  if (extra) wrongWeights(`the tensor ${extra} does not belong to this model`);
  for (const [name, shape] of shapes) checkTensor(name, shape, header[name]);
  const parameters = new Parameters(shapes, (name) => header[name].dtype === "F16", simd);
  for (const name of shapes.keys()) {
    const { dtype, data_offsets: [first, end] } = header[name];
    if (start + end > file.size) wrongWeights("the file is cut short");
    const fill = ({ buffer, byteOffset, byteLength }) => {
      file.read(new Uint8Array(buffer, byteOffset, byteLength), start + first);
    };
    const isFinite = READERS[dtype](fill, parameters, name);
    if (!isFinite) wrongWeights(`the tensor ${name} has values that are not finite`);
  }
  return parameters;
}

function headerOf(file) {
  const bytes = (at, count) => {
    if (at + count > file.size) wrongWeights("the file is damaged");
    const read = new Uint8Array(count);
    file.read(read, at);
    return read;
  };
  const length = new DataView(bytes(0, 8).buffer).getUint32(0, true);
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes(8, length)));
    return { header, start: 8 + length };
  } catch {
    return wrongWeights("the file is damaged");
  }
}

function checkTensor(name, shape, entry) {
  if (!entry) wrongWeights(`the tensor ${name} is missing`);
  if (String(entry.shape) !== String(shape)) {
    wrongWeights(`the tensor ${name} has the shape (${entry.shape}), not (${shape})`);
  }
  const bytes = sizeOf(shape) * (entry.dtype === "F32" ? 4 : 2);
  if (!(entry.dtype in READERS)) {
    wrongWeights(`the tensor ${name} has the dtype ${entry.dtype}, not one of F16, BF16, F32`);
  }
  if (entry.data_offsets[1] - entry.data_offsets[0] !== bytes) wrongWeights("the file is damaged");
}

function wrongWeights(fault) {
  throw new Error(`model.safetensors: ${fault}`);
}

/** Each fills the place of a tensor, and returns whether all numbers are finite. */
const READERS = {
  F32: (fill, parameters, name) => {
    const { values } = parameters.tensor(name);
    fill(values);
    return areFinite(values);
  },
  BF16: (fill, parameters, name) => {
    const { values } = parameters.tensor(name);
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    const halves = new Uint16Array(values.length);
    fill(halves);
    for (let at = 0; at < bits.length; at++) bits[at] = halves[at] << 16;
    return areFinite(values);
  },
  F16: (fill, parameters, name) => {
    const halves = parameters.halves(name);
    if (halves) {
      fill(halves);
      return parameters.isFinite(name);
    }
    const narrow = parameters.narrow(name);
    fill(narrow);
    const isFinite = areFiniteHalves(narrow);
    parameters.widen(name);
    return isFinite;
  },
};

/** In a loop: a call for each of millions of numbers would take as long as reading them does. */
function areFiniteHalves(halves) {
  for (let at = 0; at < halves.length; at++) if ((halves[at] & 0x7c00) === 0x7c00) return false;
  return true;
}

function areFinite(values) {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += Math.abs(values[at]);
  return Number.isFinite(sum);
}
