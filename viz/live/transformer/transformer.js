import { NO_TAP } from "../sites/tap.js";
import { added, zeros } from "../tensor.js";
import { addAndNorm, attend, feedForward } from "./layers.js";
import { matricesOf } from "./config.js";
import { causalMask, paddingMask } from "./masks.js";
import { sinusoidalPositions } from "./positional.js";

/**
 * @typedef {import("../tensor.js").Tensor} Tensor
 * @typedef {import("../sites/tap.js").Tap} Tap
 */

/**
 * The encoder-decoder Transformer of "Attention Is All You Need", one sentence at a time. In models made
 * elsewhere the decoder or the output has a matrix of its own, or the output a bias: `config.variant`.
 */
export class Transformer {
  /**
   * @param {import("./config.js").Config} config The sizes.
   * @param {import("../checkpoints/parameters.js").Parameters} parameters The weights.
   */
  constructor(config, parameters) {
    this.config = config;
    this.parameters = parameters;
    this.turns = config.positions === "rotary";
    const { scaled, layout, biased } = config.variant;
    this.scale = scaled ? Math.sqrt(config.d_model) : 1;
    this.matrices = matricesOf(config);
    this.outputBias = biased ? "output_bias" : null;
    const size = [config.max_length, config.d_model];
    this.positions = sinusoidalPositions(...size, 0, layout);
    if (config.positions === "learned") this.positions = parameters.tensor("positions");
    if (this.turns) this.positions = zeros(size);
  }

  /**
   * Turn ids into embeddings times sqrt(d_model), if the model scales them.
   * @param {number[]} ids The ids (n).
   * @param {string} matrix The name of the matrix of their vectors.
   * @returns {Tensor} Vectors (n, D). Throws an Error when no piece has one of the ids.
   */
  embedding(ids, matrix) {
    const width = this.config.d_model;
    const pieces = this.parameters.rows(matrix);
    const wrong = ids.find((id) => !(id < pieces));
    if (wrong !== undefined) throw new Error(`no piece has the id ${wrong}; there are ${pieces}`);
    const found = zeros([ids.length, width]);
    ids.forEach((id, row) => {
      const own = this.parameters.row(matrix, id);
      found.values.set(own.map((value) => value * this.scale), row * width);
    });
    return found;
  }

  /**
   * Return the encodings of some positions.
   * @param {number} start The first position.
   * @param {number} end The one after the last.
   * @returns {Tensor} Vectors (n, D). Throws an Error beyond the longest sentence.
   */
  positionsOf(start, end) {
    const { d_model: width, max_length: longest } = this.config;
    if (end > longest) throw new Error(`${end} tokens given, at most ${longest} fit`);
    const values = this.positions.values.subarray(start * width, end * width);
    return { shape: [end - start, width], values };
  }

  enter(ids, matrix, tap) {
    const embedding = tap("embedding", this.embedding(ids, matrix)); // n D
    const positions = tap("positions", this.positionsOf(0, ids.length)); // n D
    return tap("input", added(embedding, positions)); // n D
  }

  attention(place, name, ...run) {
    const { parameters, turns, config } = this;
    const turning = turns && name === "self_attn";
    const sublayer = { parameters, name: `${place}.${name}`, heads: config.heads, turns: turning };
    return attend(sublayer, ...run);
  }

  feedForward(place, ...run) {
    const { parameters, config } = this;
    const { activation } = config.variant;
    return feedForward({ parameters, name: `${place}.ffn`, activation }, ...run);
  }

  /**
   * Encode source ids.
   * @param {number[]} ids The ids (S), with padding if there is any.
   * @param {Tap} root The tap of the model.
   * @returns {{ memory: Tensor, seen: Tensor }} The memory (S, D), and which of its rows are not
   *   padding (1, S).
   */
  encode(ids, root = NO_TAP) {
    const tap = root.at("encoder");
    const pad = this.config.pad_id;
    const mask = tap("mask", paddingMask(ids.length, ids, pad)); // S S
    let x = this.enter(ids, "embedding.weight", tap); // S D
    for (let layer = 0; layer < this.config.encoder_layers; layer++) {
      x = this.encoderLayer(layer, x, mask, tap.at(layer)); // S D
    }
    return { memory: tap("memory", x), seen: paddingMask(1, ids, pad) };
  }

  /**
   * Run one layer of the encoder.
   * @param {number} layer The layer, from 0.
   * @param {Tensor} x Vectors (S, D).
   * @param {Tensor} mask The allowed links (S, S).
   * @param {Tap} tap The tap of the layer.
   * @returns {Tensor} Vectors (S, D).
   */
  encoderLayer(layer, x, mask, tap) {
    const place = `encoder.layers.${layer}`;
    const attended = this.attention(place, "self_attn", x, x, mask, tap.at("self_attn")); // S D
    const middle = addAndNorm(this.parameters, place, 1, [x, attended], tap); // S D
    const fed = this.feedForward(place, middle, tap.at("ffn")); // S D
    return addAndNorm(this.parameters, place, 2, [middle, fed], tap); // S D
  }

  /**
   * Score the piece after each target id.
   * @param {number[]} ids The ids (T), begin token first.
   * @param {{ memory: Tensor, seen: Tensor }} source What `encode` returned.
   * @param {Tap} root The tap of the model.
   * @param {number} first The first row that is scored.
   * @returns {Tensor} Logits (T - first, V).
   */
  decode(ids, { memory, seen }, root = NO_TAP, first = 0) {
    const tap = root.at("decoder");
    const keys = seen.shape[1];
    const allowed = new Uint8Array(ids.length * keys).map((_, at) => seen.values[at % keys]);
    const mask = tap("mask", causalMask(ids.length)); // T T
    const crossMask = tap("cross_mask", { shape: [ids.length, keys], values: allowed }); // T S
    let x = this.enter(ids, this.matrices.target, tap); // T D
    for (let layer = 0; layer < this.config.decoder_layers; layer++) {
      x = this.decoderLayer(layer, x, { mask, memory, crossMask }, tap.at(layer)); // T D
    }
    const values = x.values.subarray(first * this.config.d_model);
    return tap("logits", this.output({ shape: [ids.length - first, this.config.d_model], values }));
  }

  /**
   * Run one layer of the decoder.
   * @param {number} layer The layer, from 0.
   * @param {Tensor} x Vectors (T, D).
   * @param {{ mask: Tensor, memory: Tensor, crossMask: Tensor }} given The allowed links (T, T), the
   *   memory (S, D), and the allowed links to it (T, S).
   * @param {Tap} tap The tap of the layer.
   * @returns {Tensor} Vectors (T, D).
   */
  decoderLayer(layer, x, { mask, memory, crossMask }, tap) {
    const place = `decoder.layers.${layer}`;
    const attended = this.attention(place, "self_attn", x, x, mask, tap.at("self_attn")); // T D
    const middle = addAndNorm(this.parameters, place, 1, [x, attended], tap); // T D
    const crossing = this.attention(place, "cross_attn", middle, memory, crossMask, tap.at("cross_attn")); // T D
    const crossed = addAndNorm(this.parameters, place, 2, [middle, crossing], tap); // T D
    const fed = this.feedForward(place, crossed, tap.at("ffn")); // T D
    return addAndNorm(this.parameters, place, 3, [crossed, fed], tap); // T D
  }

  /**
   * Score every piece against vectors, usually with the embedding.
   * @param {Tensor} x Vectors (n, D).
   * @returns {Tensor} Logits (n, V).
   */
  output(x) {
    return this.parameters.product(this.matrices.output, x, this.outputBias);
  }
}
