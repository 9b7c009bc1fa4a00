import { attentionSite } from "../sites/sites.js";
import { Intervention, change, checkHead, checkStack } from "./base.js";
import { KIND, LENGTH, MATRICES, STACK } from "./fields.js";
import { message } from "./message.js";

/** Give each group of `size` neighbouring heads one key and one value: the mean of theirs. */
export class ShareKeysValues extends Intervention {
  static names = ["share"];
  static values = { kind: KIND, size: LENGTH };

  get words() {
    return message("{kind}: one key and value for {size} heads", { kind: this.kind, size: this.size });
  }

  check({ config }) {
    checkHead({ kind: this.kind }, config);
    if (config.heads % this.size) {
      throw new Error(`size must divide the ${config.heads} heads, not ${this.size}`);
    }
  }

  edits(sizes) {
    const edit = meanOfGroups(this.size);
    return sizes.layers(this.kind).flatMap((layer) =>
      ["k", "v"].map((part) => [attentionSite(this.kind, layer, part), edit]),
    );
  }
}

/** Give every head the mean of its group; of several sizes, the largest applies. */
function meanOfGroups(size) {
  const average = (values, [heads, n, width]) => {
    const whole = n * width;
    for (let first = 0; first < heads; first += size) {
      for (let at = 0; at < whole; at++) {
        let sum = 0;
        for (let head = first; head < first + size; head++) sum += values[head * whole + at];
        for (let head = first; head < first + size; head++) values[head * whole + at] = sum / size;
      }
    }
  };
  const merged = (others) => meanOfGroups(Math.max(size, ...others.map((other) => other.size)));
  return { ...change(average), family: "groups", size, merged };
}

/** Make the keys, and with `values` the values, of a stack with the queries' matrix. */
export class TieQueries extends Intervention {
  static names = ["tie"];
  static values = { stack: STACK, values: MATRICES };
  static stage = 0;

  get words() {
    if (this.values) return message("{stack} self-attention: W_Q = W_K = W_V", { stack: this.stack });
    return message("{stack} self-attention: W_Q = W_K", { stack: this.stack });
  }

  check({ config }) {
    checkStack(this.stack);
    if (this.values && config.positions === "rotary") {
      throw new Error("this model turns its queries by their positions, and no values");
    }
  }

  edits(sizes) {
    const asQueries = { apply: (_tensor, queries) => queries };
    return sizes.layers(this.stack).flatMap((layer) =>
      (this.values ? ["k", "v"] : ["k"]).map((part) => [attentionSite(this.stack, layer, part), asQueries]),
    );
  }
}
