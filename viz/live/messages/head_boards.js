import { AblateHead } from "../interventions/heads.js";
import { LeaveOutSublayer, SkipLayer } from "../interventions/blocks.js";
import { KINDS, attentionSite } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";
import { LEVELS, rint } from "./levels.js";

const MOST_SHOWN = 32; // rows or columns of a miniature; see viz/components/miniatures.py
const SIGNS = { zero: "0", mean: "x̄", uniform: "=" };
const LEFT_OUT = "✕";

/**
 * Draw the weights of all heads of each kind as the pixels of one image: the heads of a layer side by
 * side, each layer below the one before. A level is the square root of a weight.
 * @param {Map<string, import("../tensor.js").Tensor>} arrays A recording.
 * @param {import("../transformer/config.js").Config} config The model.
 * @returns {Record<string, import("../tensor.js").Tensor>} The levels in bytes (height, width) by kind.
 */
export function boardTiles(arrays, config) {
  return Object.fromEntries(KINDS.map((kind) => {
    const layers = Array.from({ length: layersOf(config, kind) }, (_, layer) =>
      pooledHeads(arrays.get(attentionSite(kind, layer, "weights"))),
    );
    const { heads, rows, columns } = layers[0];
    const width = heads * columns;
    const pixels = new Uint8Array(layers.length * rows * width);
    layers.forEach(({ values }, layer) => {
      values.forEach((weight, at) => {
        const [head, row, column] = [Math.floor(at / (rows * columns)), Math.floor(at / columns) % rows, at % columns];
        const level = rint(Math.fround(Math.sqrt(weight)) * LEVELS);
        pixels[(layer * rows + row) * width + head * columns + column] = Math.min(LEVELS, Math.max(0, level));
      });
    });
    return [kind, { shape: [layers.length * rows, width], values: pixels }];
  }));
}

/** The weights of the heads of a layer, of at most `MOST_SHOWN` rows and columns: the largest of neighbours. */
function pooledHeads({ shape: [heads, queries, keys], values }) {
  const [down, across] = [startsOf(queries), startsOf(keys)];
  const [rows, columns] = [Math.min(queries, MOST_SHOWN), Math.min(keys, MOST_SHOWN)];
  const pooled = new Float32Array(heads * rows * columns);
  for (let head = 0; head < heads; head++) {
    for (let query = 0; query < queries; query++) {
      for (let key = 0; key < keys; key++) {
        const at = (head * rows + down[query]) * columns + across[key];
        pooled[at] = Math.max(pooled[at], values[(head * queries + query) * keys + key]);
      }
    }
  }
  return { heads, rows, columns, values: pooled };
}

/** The place of each of `length` rows among at most `MOST_SHOWN`. */
function startsOf(length) {
  if (length <= MOST_SHOWN) return Array.from({ length }, (_, at) => at);
  const starts = Array.from({ length: MOST_SHOWN }, (_, at) => Math.floor(at * (length / MOST_SHOWN)));
  return Array.from({ length }, (_, at) => starts.findLastIndex((start) => start <= at));
}

/**
 * List the heads that interventions switch off, with the sign of how: see viz/shell/off_heads.py.
 * @param {import("../interventions/base.js").Intervention[]} interventions The interventions.
 * @param {import("../transformer/config.js").Config} config The model.
 * @returns {Record<string, string[][]>} The sign of each head by kind (layer, head), "" if it is on.
 */
export function offHeads(interventions, config) {
  const heads = Array.from({ length: config.heads }, (_, head) => head);
  const signs = Object.fromEntries(
    KINDS.map((kind) => [kind, Array.from({ length: layersOf(config, kind) }, () => heads.map(() => ""))]),
  );
  for (const one of interventions) {
    if (one instanceof AblateHead) signs[one.kind][one.layer][one.head] = SIGNS[one.mode];
    for (const kind of kindsLeftOut(one)) signs[kind][one.layer].fill(LEFT_OUT);
  }
  return signs;
}

/**
 * List the kinds of attention that an intervention leaves out of its layer.
 * @param {import("../interventions/base.js").Intervention} one The intervention.
 * @returns {string[]} The kinds.
 */
export function kindsLeftOut(one) {
  if (one instanceof SkipLayer) return one.stack === "encoder" ? ["encoder"] : ["decoder", "cross"];
  if (!(one instanceof LeaveOutSublayer)) return [];
  return { self_attn: [one.stack], cross_attn: ["cross"] }[one.sublayer] ?? [];
}
