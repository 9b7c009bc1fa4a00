import { ACTIVATIONS } from "./activations.js";

/** The largest sizes; without limits a damaged config fills the memory. */
const LARGEST = {
  vocab_size: 1_000_000, d_model: 8192, heads: 256, d_ff: 65_536,
  encoder_layers: 128, decoder_layers: 128, max_length: 16_384,
};
const IDS = ["pad_id", "begin_id", "end_id"];
const POSITIONS = ["sinusoid", "learned", "rotary"];
const LAYOUTS = ["interleaved", "two halves"];

/** The paper's choices; see `Variant` in model/transformer/config.py. */
const PAPER = {
  activation: "relu", layout: "interleaved", scaled: true, target_pieces: null, tied: true, biased: false,
};

/**
 * The sizes of a Transformer, by the names in config.json.
 * @typedef {{ vocab_size: number, d_model: number, heads: number, d_ff: number,
 *   encoder_layers: number, decoder_layers: number, max_length: number, pad_id: number,
 *   begin_id: number, end_id: number, positions: string, variant: Variant }} Config
 * @typedef {{ activation: string, layout: string, scaled: boolean, target_pieces: number | null,
 *   tied: boolean, biased: boolean }} Variant The differences of a model made elsewhere: what stands in
 *   place of ReLU, the order of sines and cosines, whether embeddings are scaled, the pieces of a decoder
 *   with its own embedding, whether that also scores, and whether a bias is added to the scores.
 */

/**
 * Read config.json, whose `tokenizer` names the folder that the tokenizer comes from. A model made
 * elsewhere has a `variant`.
 * @param {string} text Its content.
 * @returns {Config} The sizes. Throws an Error when one is missing or wrong, or when the model is
 *   of another family.
 */
export function readConfig(text) {
  const {
    tokenizer: _borrowed, positions = "sinusoid", scores = "dot",
    activation = PAPER.activation, variant = { activation }, ...sizes
  } = parsed(text);
  if ("kind" in sizes || "model_type" in sizes) {
    throw new Error("config.json: only this project's Transformers run in the page");
  }
  if (scores !== "dot") throw new Error(`config.json: ${scores} scores do not run in the page`);
  if (positions === "joined") {
    throw new Error("config.json: joined positions do not run in the page");
  }
  for (const name of [...Object.keys(LARGEST), ...IDS]) {
    const least = IDS.includes(name) ? 0 : 1;
    if (!Number.isInteger(sizes[name]) || sizes[name] < least || sizes[name] > LARGEST[name]) {
      throw new Error(`config.json: ${name} is missing or wrong`);
    }
  }
  const rotates = positions === "rotary" && (sizes.d_model / sizes.heads) % 2;
  if (sizes.d_model % sizes.heads || sizes.d_model % 2 || rotates) {
    throw new Error("config.json: the heads do not divide d_model");
  }
  if (!POSITIONS.includes(positions)) throw new Error("config.json: positions are unknown");
  return { ...sizes, positions, variant: checkedVariant({ ...PAPER, ...variant }) };
}

function checkedVariant(variant) {
  const { activation, layout, target_pieces: pieces } = variant;
  if (!Object.hasOwn(ACTIVATIONS, activation)) throw new Error("config.json: the activation is unknown");
  const isCount = Number.isInteger(pieces) && pieces > 0 && pieces <= LARGEST.vocab_size;
  if (!LAYOUTS.includes(layout) || !(pieces === null || isCount)) throw new Error("config.json: the variant is unknown");
  return variant;
}

function parsed(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new Error("config.json: it is not JSON");
  }
}

/**
 * Count the layers that have a kind of attention; a stack is named like its own.
 * @param {Config} config The model.
 * @param {string} kind The kind.
 * @returns {number} The layers.
 */
export function layersOf(config, kind) {
  return kind === "encoder" ? config.encoder_layers : config.decoder_layers;
}

/**
 * Name the matrices that embed the pieces of the target, and that score them.
 * @param {Config} config The model.
 * @returns {{ target: string, output: string }} Their names.
 */
export function matricesOf({ variant: { target_pieces: pieces, tied } }) {
  const target = pieces === null ? "embedding.weight" : "decoder_embedding";
  return { target, output: tied ? target : "output_matrix" };
}

/**
 * List the shapes of all weights by name.
 * @param {Config} config The model.
 * @returns {Map<string, number[]>} The shapes.
 */
export function weightShapes(config) {
  const { vocab_size: pieces, d_model: width, d_ff: wide } = config;
  const shapes = new Map([["embedding.weight", [pieces, width]]]);
  const linear = (name, outputs, inputs) => {
    shapes.set(`${name}.weight`, [outputs, inputs]).set(`${name}.bias`, [outputs]);
  };
  const { target, output } = matricesOf(config);
  const targetPieces = config.variant.target_pieces ?? pieces;
  for (const name of [target, output]) shapes.set(name, [targetPieces, width]);
  if (config.variant.biased) shapes.set("output_bias", [targetPieces]);
  if (config.positions === "learned") shapes.set("positions", [config.max_length, width]);
  for (const stack of ["encoder", "decoder"]) {
    for (let layer = 0; layer < layersOf(config, stack); layer++) {
      const place = `${stack}.layers.${layer}`;
      const attentions = stack === "encoder" ? ["self_attn"] : ["self_attn", "cross_attn"];
      for (const name of attentions) {
        for (const part of ["q", "k", "v", "out"]) linear(`${place}.${name}.${part}`, width, width);
      }
      linear(`${place}.ffn.hidden`, wide, width);
      linear(`${place}.ffn.out`, width, wide);
      for (let number = 1; number <= attentions.length + 1; number++) {
        const norm = `${place}.norm${number}`;
        shapes.set(`${norm}.weight`, [width]).set(`${norm}.bias`, [width]);
      }
    }
  }
  return shapes;
}
