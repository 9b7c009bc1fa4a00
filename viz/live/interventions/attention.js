import { attentionSite } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";
import { Intervention, change, checkHead } from "./base.js";
import { FACTORS, HEADS, KIND, PIECES, PLACE } from "./fields.js";
import { inLayer, listed, message, pieceNamed, queryNamed, several } from "./message.js";

const TOLERANCE = 1e-3;

/** Give one query of one head these weights over its keys, in place of the softmax. */
export class SetAttention extends Intervention {
  static names = ["look"];
  static values = { kind: KIND, layer: PLACE, head: PLACE, query: PLACE, weights: FACTORS };
  static stage = 2;

  /** Name the query, and the key that it now looks at most, by their numbers. */
  get words() {
    return this.saying([]);
  }

  /** Name both by their pieces where these are of the source. */
  static wordsOf([row], _config, source) {
    return row.saying(source);
  }

  saying(source) {
    const { kind, layer, weights } = this;
    const query = queryNamed(kind, this.query, source);
    const head = [kind, layer, this.head];
    const [least, most] = [Math.min(...weights), Math.max(...weights)];
    // Weights of four decimals are made to sum to 1: one of them takes the rounding errors.
    if (most - least <= 1e-4 * weights.length) {
      return message("{head}: {query} looks at all keys alike", { head, query });
    }
    const key = pieceNamed(weights.indexOf(most), kind === "decoder" ? [] : source);
    return message("{head}: {query} looks as set, most at {key}", { head, query, key });
  }

  check(sizes) {
    checkHead(this, sizes.config);
    const [queries] = sizes.grid(this.kind);
    if (this.query >= queries) throw new Error(`no query ${this.query}: there are ${queries}`);
    if (this.weights.some((weight) => weight < 0) || Math.abs(this.sum - 1) > TOLERANCE) {
      throw new Error("weights must be 0 or more, and 1 together");
    }
    const keys = this.kind === "decoder" ? this.query + 1 : sizes.lengths.source;
    if (this.weights.length !== keys) {
      throw new Error(`${keys} weights expected, one a key, got ${this.weights.length}`);
    }
  }

  get sum() {
    return this.weights.reduce((sum, weight) => sum + weight, 0);
  }

  edits() {
    const set = (weights, [, queries, keys]) => {
      if (this.query >= queries) return;
      const start = (this.head * queries + this.query) * keys;
      weights.fill(0, start, start + keys);
      weights.set(this.weights.map((weight) => weight / this.sum), start);
    };
    return [[attentionSite(this.kind, this.layer, "weights"), change(set)]];
  }

  get targetPieces() {
    return this.kind === "encoder" ? 1 : this.query + 1;
  }
}

/**
 * Make one query look at these keys alone, evenly, in some heads of its kind. A head is a layer and
 * a head, with null for all heads of the layer; none at all means every head of the kind.
 */
export class TurnAttention extends Intervention {
  static names = ["turn"];
  static values = { kind: KIND, query: PLACE, keys: PIECES, heads: HEADS };
  static stage = 2;

  /** Name the query and the keys by their numbers. */
  get words() {
    return this.saying([], null);
  }

  /** Name both by their pieces where these are of the source. */
  static wordsOf([turned], config, source) {
    return turned.saying(source, config);
  }

  saying(source, config) {
    const query = queryNamed(this.kind, this.query, source);
    const keys = this.lookedAt(this.kind === "decoder" ? [] : source);
    return message("{place}: {query} looks at {keys}", { place: this.placeNamed(config), query, keys });
  }

  placeNamed(config) {
    const { kind, heads } = this;
    const layers = [...new Set(heads.map(([layer]) => layer))].sort((one, other) => one - other);
    const areWhole = heads.every(([, head]) => head === null);
    const areAll = !layers.length || (config && layers.length === layersOf(config, kind));
    if (areWhole && areAll) return message("{kind}, all heads", { kind });
    if (!areWhole && heads.length > 1) return message("{kind}, some heads", { kind });
    const [[layer, head]] = heads;
    if (head !== null) return message("{head}", { head: [kind, layer, head] });
    if (heads.length === 1) return inLayer(kind, layer);
    const named = several(message("layer {numbers}"), message("layers {numbers}"), layers);
    return message("{kind} {layers}", { kind, layers: named });
  }

  /** Name the keys: neighbouring keys as one word, other keys by their numbers. */
  lookedAt(tokens) {
    const { keys } = this;
    const [first, last] = [keys[0], keys.at(-1)];
    if (keys.length === 1) return pieceNamed(first, tokens);
    if (last - first === keys.length - 1 && last < tokens.length) {
      return message("“{word}”", { word: tokens.slice(first, last + 1) });
    }
    return message("{numbers}", { numbers: listed(keys) });
  }

  check(sizes) {
    checkHead({ kind: this.kind }, sizes.config);
    for (const [layer, head] of this.heads) checkHead({ kind: this.kind, layer, head }, sizes.config);
    const [queries] = sizes.grid(this.kind);
    if (this.query >= queries) throw new Error(`no query ${this.query}: there are ${queries}`);
    if (this.keys.some((key, at) => at && key <= this.keys[at - 1])) {
      throw new Error(`at least one key expected, rising and each once, not ${this.keys}`);
    }
    const seen = this.kind === "decoder" ? this.query + 1 : sizes.lengths.source; // padding is hidden
    if (this.keys.at(-1) >= seen) {
      throw new Error(`no keys ${this.keys}: query ${this.query} sees ${seen} of them`);
    }
  }

  edits(sizes) {
    const known = new Map();
    const edits = [];
    for (const layer of sizes.layers(this.kind)) {
      const own = this.heads.filter(([at]) => at === layer).map(([, head]) => head);
      if (this.heads.length && !own.length) continue;
      const chosen = own.includes(null) || !own.length ? null : own;
      const key = String(chosen);
      if (!known.has(key)) known.set(key, this.turned(chosen));
      edits.push([attentionSite(this.kind, layer, "scores"), known.get(key)]);
    }
    return edits;
  }

  /** Return the edit of scores for these heads of a layer; null means all. */
  turned(chosen) {
    return change((scores, [heads, queries, keys]) => {
      if (this.query >= queries) return;
      for (let head = 0; head < heads; head++) {
        if (chosen && !chosen.includes(head)) continue;
        const start = (head * queries + this.query) * keys;
        const row = scores.subarray(start, start + keys);
        row.forEach((score, key) => {
          row[key] = this.keys.includes(key) && Number.isFinite(score) ? 0 : -Infinity;
        });
      }
    });
  }

  get targetPieces() {
    return this.kind === "encoder" ? 1 : this.query + 1;
  }

  forbids({ kind, layer, head, query }) {
    const here = ([at, own]) => at === layer && [null, head].includes(own);
    return this.kind === kind && this.query === query && (!this.heads.length || this.heads.some(here));
  }
}
