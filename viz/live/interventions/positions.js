import { Random } from "../decoding/random.js";
import { sinusoidalPositions } from "../transformer/positional.js";
import { Intervention, change, checkStack } from "./base.js";
import { FACTOR, PLACE, SEED, SHIFT, STACK } from "./fields.js";
import { message } from "./message.js";

/** A change to the positions of a stack. */
class PositionIntervention extends Intervention {
  check({ config }) {
    checkStack(this.stack);
    if (config.positions === "rotary") {
      throw new Error("this model adds no positions: it turns queries and keys instead");
    }
  }

  edits() {
    const edit = change((positions, shape) => this.edit(positions, shape));
    return [[`${this.stack}.positions`, edit]];
  }
}

/** Give the pieces the positions of an order: piece i gets that of order[i]. */
function reorder(positions, width, order) {
  const before = positions.slice();
  order.forEach((from, to) => {
    positions.set(before.subarray(from * width, (from + 1) * width), to * width);
  });
}

/** Multiply the encoding of every position; with 0 the model knows no order. */
export class ScalePositions extends PositionIntervention {
  static names = ["scale"];
  static values = { stack: STACK, factor: FACTOR };
  static stage = 2;

  get words() {
    if (this.factor === 0) return message("{stack} positions zeroed", { stack: this.stack });
    return message("{stack} positions times {factor:g}", { stack: this.stack, factor: this.factor });
  }

  edit(positions) {
    positions.forEach((value, at) => (positions[at] = value * this.factor));
  }
}

/** Give the pieces the positions in another order, which `seed` draws. */
export class ShufflePositions extends PositionIntervention {
  static names = ["shuffle"];
  static values = { stack: STACK, seed: SEED };

  get words() {
    return message("{stack} positions shuffled", { stack: this.stack });
  }

  edit(positions, [n, width]) {
    reorder(positions, width, new Random(this.seed).order(n));
  }

  get looksAhead() {
    return this.stack === "decoder";
  }
}

/** Give position p the encoding of p + by. */
export class ShiftPositions extends PositionIntervention {
  static names = ["shift"];
  static values = { stack: STACK, by: SHIFT };
  static stage = 0;

  get words() {
    return message("{stack} positions shifted by {by:+d}", { stack: this.stack, by: this.by });
  }

  check(sizes) {
    super.check(sizes);
    const { positions, max_length: most } = sizes.config;
    if (positions !== "sinusoid") {
      throw new Error("only added sinusoids can be shifted");
    }
    if (Math.abs(this.by) > most) throw new Error(`by must be from ${-most} to ${most}, not ${this.by}`);
  }

  edits({ config: { variant: { layout } } }) {
    const edit = change((positions, [n, width]) => {
      positions.set(sinusoidalPositions(n, width, this.by, layout).values);
    });
    return [[`${this.stack}.positions`, edit]];
  }
}

/** Repeat a position at the next piece; the others keep theirs. */
export class RepeatPosition extends PositionIntervention {
  static names = ["repeat"];
  static values = { stack: STACK, position: PLACE };
  static stage = 2;

  get words() {
    const position = this.position + 1;
    return message("{stack} position {position} given twice", { stack: this.stack, position });
  }

  check(sizes) {
    super.check(sizes);
    const last = sizes.config.max_length - 1;
    if (this.position > last) throw new Error(`position must be 0 to ${last}, not ${this.position}`);
  }

  edit(positions, [n, width]) {
    const order = Array.from({ length: n }, (_, at) => (at === this.position + 1 ? at - 1 : at));
    reorder(positions, width, order);
  }
}

/** Give every piece the first position. */
export class HoldPosition extends PositionIntervention {
  static names = ["hold"];
  static values = { stack: STACK };
  static stage = 2;

  get words() {
    return message("{stack} position 1 given to all", { stack: this.stack });
  }

  edit(positions, [n, width]) {
    reorder(positions, width, Array.from({ length: n }, () => 0));
  }
}
