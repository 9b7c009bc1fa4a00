import { SUBLAYERS } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";
import { Intervention, change, checkBelow, checkStack } from "./base.js";
import { PLACE, STACK, SUBLAYER, UNIT } from "./fields.js";
import { inLayer, message } from "./message.js";

/** A change to a layer of a stack. */
class BlockIntervention extends Intervention {
  check({ config }) {
    checkStack(this.stack);
    checkBelow("layer", this.layer, layersOf(config, this.stack));
  }

  get layerNamed() {
    return inLayer(this.stack, this.layer);
  }

  get layerSite() {
    return `${this.stack}.${this.layer}`;
  }
}

/** A change to a sublayer, or to its residual or norm. */
class SublayerIntervention extends BlockIntervention {
  static values = { stack: STACK, layer: PLACE, sublayer: SUBLAYER };

  /** @param {...any} given The values; an Error when the stack has no such sublayer. */
  constructor(...given) {
    super(...given);
    const names = SUBLAYERS[this.stack];
    if (!names.includes(this.sublayer)) {
      throw new Error(`sublayer of the ${this.stack} must be ${names.join(", ")}, not ${this.sublayer}`);
    }
  }

  /** The layer and the sublayer for a message. */
  get place() {
    return { layer: this.layerNamed, sublayer: this.sublayer };
  }

  /** The sublayer's place in its layer, from 1, as in the names of sums and norms. */
  get number() {
    return SUBLAYERS[this.stack].indexOf(this.sublayer) + 1;
  }
}

/** Replace a tensor by one of the parts it was made of. */
function takePart(place) {
  return { apply: (_tensor, ...madeOf) => madeOf[place] };
}

/** Leave out a sublayer; LayerNorm(x) remains. */
export class LeaveOutSublayer extends SublayerIntervention {
  static names = ["sub"];

  get words() {
    return message("{layer}: {sublayer} left out", this.place);
  }

  edits() {
    return [[`${this.layerSite}.${this.sublayer}.out`, change((values) => values.fill(0))]];
  }
}

/** Leave out the residual around a sublayer; LayerNorm(Sublayer(x)) remains. */
export class LeaveOutResidual extends SublayerIntervention {
  static names = ["res"];

  get words() {
    return message("{layer}: no residual around {sublayer}", this.place);
  }

  edits() {
    return [[`${this.layerSite}.sum${this.number}`, takePart(1)]];
  }
}

/** Leave out the norm after a sublayer; x + Sublayer(x) remains. */
export class LeaveOutNorm extends SublayerIntervention {
  static names = ["norm"];

  get words() {
    return message("{layer}: no norm after {sublayer}", this.place);
  }

  edits() {
    return [[`${this.layerSite}.norm${this.number}`, takePart(0)]];
  }
}

/** Skip a whole layer: its output is its input. */
export class SkipLayer extends BlockIntervention {
  static names = ["skip"];
  static values = { stack: STACK, layer: PLACE };

  get words() {
    return message("{layer} skipped", { layer: this.layerNamed });
  }

  edits(sizes) {
    return SUBLAYERS[this.stack].flatMap((sublayer) =>
      [LeaveOutSublayer, LeaveOutNorm].flatMap((LeaveOut) =>
        new LeaveOut(this.stack, this.layer, sublayer).edits(sizes),
      ),
    );
  }
}

/** Leave out ReLU between the two layers of a feed-forward network: one linear map remains. */
export class LeaveOutReLU extends BlockIntervention {
  static names = ["relu"];
  static values = { stack: STACK, layer: PLACE };
  static stage = 0; // it would undo units set to zero

  get words() {
    return message("{layer}: no ReLU", { layer: this.layerNamed });
  }

  check(sizes) {
    super.check(sizes);
    const { activation } = sizes.config.variant;
    if (activation === "none") throw new Error("this model learned without ReLU");
    if (activation !== "relu") throw new Error(`this model has ${activation} in place of ReLU`);
  }

  edits() {
    return [[`${this.layerSite}.ffn.hidden`, takePart(0)]];
  }
}

/** Set one unit of a feed-forward network to zero, at every position. */
export class ZeroUnit extends BlockIntervention {
  static names = ["unit"];
  static values = { stack: STACK, layer: PLACE, unit: UNIT };

  get words() {
    return message("{layer}: unit {unit} set to 0", { layer: this.layerNamed, unit: this.unit + 1 });
  }

  check(sizes) {
    super.check(sizes);
    checkBelow("unit", this.unit, sizes.config.d_ff);
  }

  edits() {
    return [[`${this.layerSite}.ffn.hidden`, zeroUnits([this.unit])]];
  }
}

function zeroUnits(units) {
  const zero = (hidden, [n, width]) => {
    for (let row = 0; row < n; row++) for (const unit of units) hidden[row * width + unit] = 0;
  };
  const merged = (others) => zeroUnits([...units, ...others.flatMap((other) => other.units)]);
  return { ...change(zero), family: "units", units, merged };
}
