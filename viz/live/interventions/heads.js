import { KINDS, attentionSite } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";
import { Intervention, change, checkHead } from "./base.js";
import { KIND, numbersIn, ranges, splitValues } from "./fields.js";
import { message, several } from "./message.js";

/** What the ways to switch a head off are called. */
const MODE_WORDS = {
  zero: message("zero output"),
  mean: message("mean output"),
  uniform: message("uniform attention"),
};
const MODES = Object.keys(MODE_WORDS);

/** Switch one head off: its output becomes zero, its mean, or that of equal weights. */
export class AblateHead extends Intervention {
  static names = MODES;
  static joins = true;

  constructor(kind, layer, head, mode = "zero") {
    super();
    Object.assign(this, { kind, layer, head, mode });
  }

  get words() {
    return this.saying(message("{head}", { head: [this.kind, this.layer, this.head] }));
  }

  saying(place) {
    return message("{place}: off ({mode})", { place, mode: MODE_WORDS[this.mode] });
  }

  /** Name layers and heads, without numbers where all are meant. */
  static wordsOf(group, config, _source) {
    const [first] = group;
    if (group.length === 1) return first.words;
    const [layers, heads] = ["layer", "head"].map((name) =>
      [...new Set(group.map((one) => one[name]))].sort((one, other) => one - other),
    );
    const values = {
      kind: first.kind,
      layers: several(message("layer {numbers}"), message("layers {numbers}"), layers),
      heads: several(message("head {numbers}"), message("heads {numbers}"), heads),
    };
    const allLayers = layers.length === layersOf(config, first.kind);
    if (heads.length === config.heads) {
      const all = allLayers ? "all {kind} heads" : "all heads of {kind} {layers}";
      return first.saying(message(all, values));
    }
    return first.saying(message(allLayers ? "{kind} {heads}" : "{kind} {layers} {heads}", values));
  }

  static read(name, text) {
    const [kind, layers, heads] = splitValues(text, 3);
    const of = KIND.read(kind);
    const wanted = numbersIn(heads);
    return numbersIn(layers).flatMap((layer) => wanted.map((head) => new AblateHead(of, layer, head, name)));
  }

  static write(group) {
    const [{ mode, kind }] = group;
    const part = (name) => ranges(group.map((one) => one[name]));
    return `${mode}.${KIND.write(kind)}.${part("layer")}.${part("head")}`;
  }

  /** Join the layers of one kind and mode in which the same heads are off. */
  static join(some) {
    return MODES.flatMap((mode) =>
      KINDS.flatMap((kind) => {
        const own = some.filter((one) => one.mode === mode && one.kind === kind);
        const layers = [...new Set(own.map(({ layer }) => layer))].sort((one, other) => one - other);
        const byHeads = new Map();
        for (const layer of layers) {
          const off = ranges(own.filter((one) => one.layer === layer).map(({ head }) => head));
          byHeads.set(off, [...(byHeads.get(off) ?? []), layer]);
        }
        return [...byHeads].map(([off, same]) =>
          same.flatMap((layer) => numbersIn(off).map((head) => new AblateHead(kind, layer, head, mode))),
        );
      }),
    );
  }

  check({ config }) {
    checkHead(this, config);
  }

  edits({ lengths }) {
    const { kind, layer, head, mode } = this;
    const site = attentionSite(kind, layer, mode === "uniform" ? "scores" : "z");
    const averages = kind === "encoder" ? average(lengths.source) : averageSoFar;
    const edit = { zero: (slice) => slice.fill(0), mean: averages, uniform: level }[mode];
    return [[site, change((values, shape) => edit(sliceOf(values, shape, head), shape))]];
  }
}

/**
 * Return the part of a tensor (H, n, width) that belongs to one head.
 * @param {Float32Array} values The numbers.
 * @param {number[]} shape Their shape.
 * @param {number} head The head.
 * @returns {Float32Array} A view of its numbers.
 */
export function sliceOf(values, [, n, width], head) {
  return values.subarray(head * n * width, (head + 1) * n * width);
}

function level(scores) {
  scores.forEach((score, at) => {
    if (Number.isFinite(score)) scores[at] = 0;
  });
}

function average(pieces) {
  return (z, [, n, width]) => {
    for (let dim = 0; dim < width; dim++) {
      let sum = 0;
      for (let row = 0; row < pieces; row++) sum += z[row * width + dim];
      for (let row = 0; row < n; row++) z[row * width + dim] = sum / pieces;
    }
  };
}

function averageSoFar(z, [, n, width]) {
  for (let dim = 0; dim < width; dim++) {
    let sum = 0;
    for (let row = 0; row < n; row++) {
      sum += z[row * width + dim];
      z[row * width + dim] = sum / (row + 1);
    }
  }
}
