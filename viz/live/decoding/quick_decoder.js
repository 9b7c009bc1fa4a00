import { dot, layerNorm, softmaxRow, zeros } from "../tensor.js";
import { activated } from "../transformer/layers.js";
import { rotated } from "../transformer/positional.js";

const ROOM = 32; // positions at first; doubled whenever they are full

/**
 * The decoder when nothing is recorded: it scores what follows N prefixes over one memory, and keeps
 * their keys and values, so that a step computes one piece.
 */
export class QuickDecoder {
  /**
   * @param {import("../transformer/transformer.js").Transformer} model The model.
   * @param {{ memory: import("../tensor.js").Tensor, seen: import("../tensor.js").Tensor }} source
   *   What its encoder returned.
   */
  constructor(model, { memory, seen }) {
    this.model = model;
    this.seen = seen.values;
    this.length = 0;
    this.room = 0;
    const layers = Array.from({ length: model.config.decoder_layers }, (_, layer) => layer);
    this.memories = layers.map((layer) =>
      ["k", "v"].map((part) =>
        model.parameters.linear(`decoder.layers.${layer}.cross_attn.${part}`, memory).values,
      ),
    );
    this.kept = layers.map(() => []); // of each prefix its keys and values, (room, D) each
  }

  /**
   * Score what follows each new piece; the pieces before are those of earlier calls.
   * @param {number[][]} prefixes The ids of N prefixes of one length.
   * @returns {Float32Array[][]} For each prefix the logits (V) after each of its new pieces.
   */
  score(prefixes) {
    const { model, length: start } = this;
    const end = prefixes[0].length;
    this.makeRoom(prefixes.length, end);
    const positions = model.positionsOf(start, end).values;
    const news = prefixes.flatMap((prefix) => prefix.slice(start));
    let x = model.embedding(news, model.matrices.target); // N*T D
    for (let at = 0; at < x.values.length; at++) x.values[at] += positions[at % positions.length];
    const { activation } = model.config.variant;
    this.length = end;
    for (let layer = 0; layer < this.kept.length; layer++) {
      const place = `decoder.layers.${layer}`;
      x = this.end(place, 1, x, this.ownAttention(layer, x, start));
      x = this.end(place, 2, x, this.crossAttention(layer, x));
      const hidden = activated(model.parameters.linear(`${place}.ffn.hidden`, x), activation); // N*T F
      x = this.end(place, 3, x, model.parameters.linear(`${place}.ffn.out`, hidden));
    }
    const { shape: [, pieces], values } = model.output(x); // N*T V
    const row = (number) => values.subarray(number * pieces, (number + 1) * pieces);
    const rows = Array.from({ length: end - start }, (_, at) => at);
    return prefixes.map((_, prefix) => rows.map((at) => row(prefix * rows.length + at)));
  }

  end(place, number, x, added) {
    for (let at = 0; at < x.values.length; at++) added.values[at] += x.values[at];
    return layerNorm(added, ...this.model.parameters.norm(`${place}.norm${number}`));
  }

  /** Let new pieces look at all pieces up to themselves; keep their keys and values. */
  ownAttention(layer, x, start) {
    const { parameters } = this.model;
    const name = `decoder.layers.${layer}.self_attn`;
    const width = x.shape[1];
    const count = this.length - start;
    const [q, k, v] = ["q", "k", "v"].map((part) => parameters.linear(`${name}.${part}`, x));
    const z = zeros(x.shape);
    this.kept[layer].forEach(([keys, values], prefix) => {
      const [from, to] = [prefix * count * width, (prefix + 1) * count * width];
      const own = [q, k].map((part) => this.placed(part.values.subarray(from, to), start));
      keys.set(own[1], start * width);
      values.set(v.values.subarray(from, to), start * width);
      for (let row = 0; row < count; row++) {
        const asks = own[0].subarray(row * width, (row + 1) * width);
        const given = z.values.subarray(from + row * width, from + (row + 1) * width);
        this.look(asks, keys, values, start + row + 1, null, given);
      }
    });
    return parameters.linear(`${name}.out`, z);
  }

  /** Rotate queries or keys (n, D) where the model does so. */
  placed(values, start) {
    if (!this.model.turns) return values;
    const { d_model: width, heads } = this.model.config;
    const turned = new Float32Array(values.length);
    const own = width / heads;
    for (let at = 0; at < values.length; at += own) {
      const slice = { shape: [1, 1, own], values: values.subarray(at, at + own) };
      turned.set(rotated(slice, start + Math.floor(at / width)).values, at);
    }
    return turned;
  }

  /** Let pieces look at the memory, which all prefixes share. */
  crossAttention(layer, x) {
    const { parameters } = this.model;
    const name = `decoder.layers.${layer}.cross_attn`;
    const [rows, width] = x.shape;
    const q = parameters.linear(`${name}.q`, x);
    const [keys, values] = this.memories[layer];
    const z = zeros(x.shape);
    for (let row = 0; row < rows; row++) {
      const asks = q.values.subarray(row * width, (row + 1) * width);
      const given = z.values.subarray(row * width, (row + 1) * width);
      this.look(asks, keys, values, this.seen.length, this.seen, given);
    }
    return parameters.linear(`${name}.out`, z);
  }

  /** Let one query look in every head at the first `count` keys, those that are `seen`. */
  look(asks, keys, values, count, seen, given) {
    const { d_model: width, heads } = this.model.config;
    const own = width / heads;
    const root = Math.sqrt(own);
    const weights = new Float32Array(count);
    for (let head = 0; head < width; head += own) {
      for (let key = 0; key < count; key++) {
        const hidden = seen !== null && !seen[key];
        weights[key] = hidden ? -Infinity : dot(asks, head, keys, key * width + head, own) / root;
      }
      softmaxRow(weights);
      for (let key = 0; key < count; key++) {
        const weight = weights[key];
        const at = key * width;
        for (let dim = head; dim < head + own; dim++) given[dim] += weight * values[at + dim];
      }
    }
  }

  makeRoom(count, end) {
    const { d_model: width } = this.model.config;
    const grows = end > this.room;
    if (grows) this.room = Math.max(ROOM, 2 ** Math.ceil(Math.log2(end)));
    const wider = (values) => {
      const roomy = new Float32Array(this.room * width);
      roomy.set(values.subarray(0, this.length * width));
      return roomy;
    };
    const empty = () => [new Float32Array(this.room * width), new Float32Array(this.room * width)];
    this.kept = this.kept.map((prefixes) => {
      const there = grows ? prefixes.map((parts) => parts.map(wider)) : prefixes;
      return Array.from({ length: count }, (_, prefix) => there[prefix] ?? empty());
    });
  }

  /**
   * Keep only these prefixes, in this order, or none.
   * @param {number[] | null} rows Their numbers.
   * @returns {void}
   */
  select(rows) {
    if (!rows) this.length = 0;
    else {
      this.kept = this.kept.map((prefixes) =>
        rows.map((row, at) => {
          const first = rows.indexOf(row) === at; // the others continue a copy
          return first ? prefixes[row] : prefixes[row].map((values) => values.slice());
        }),
      );
    }
  }

  /**
   * Keep only the first positions.
   * @param {number} length How many.
   * @returns {void}
   */
  cut(length) {
    this.length = Math.min(this.length, length);
  }
}
