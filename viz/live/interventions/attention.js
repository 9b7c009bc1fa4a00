import { attentionSite } from "../sites/sites.js";
import { Intervention, change, checkHead } from "./base.js";
import { FACTORS, KIND, PLACE } from "./fields.js";

const TOLERANCE = 1e-3;

/** Give one query of one head these weights over its keys, in place of the softmax. */
export class SetAttention extends Intervention {
  static names = ["look"];
  static values = { kind: KIND, layer: PLACE, head: PLACE, query: PLACE, weights: FACTORS };
  static stage = 2;

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
