import { Greedy } from "../decoding/greedy.js";
import { bandSizes, oddsOf } from "../decoding/odds.js";
import { candidate, normalised } from "../decoding/steps.js";
import { attentionSite } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";
import { LEVELS, rint } from "./levels.js";

const MOST_KEPT = 60; // decodes of the last sentence, so that a new branch costs no more than itself

/**
 * The choices on the decoder's page: a strategy, what-if branches in ids, a translation to be judged,
 * the branch on screen, and a node of the beam tree; `rivals` are pieces that are shown together.
 * @typedef {{ strategy: import("../translator.js").Strategy, branches: { prefix: number[],
 *   forced: number[] }[], given: string, branch: number, node: number | null,
 *   rivals: Record<number, number> }} View
 * @typedef {{ choices: import("../decoding/steps.js").Choice[], text: string, sourceTokens: string[],
 *   arrays: Record<string, import("../tensor.js").Tensor>, tree: import("../decoding/beam.js").Tree |
 *   null }} Decoding A decode, and the arrays of its message.
 */

/** The decodes of a translator, the last ones of which are kept. */
export class Decodes {
  /** @param {import("../translator.js").Translator} translator The translator. */
  constructor(translator) {
    this.translator = translator;
    this.kept = new Map();
  }

  /**
   * Make the message of the step decoder: what depends on the sentence and the choices. The page adds
   * its words and colours. The same as payload.py makes.
   * @param {import("../translator.js").Source} source The source.
   * @param {import("../interventions/base.js").Intervention[]} interventions The changes.
   * @param {View} view The choices.
   * @yields {number} The pieces so far.
   * @returns {{ header: object, arrays: [string, import("../tensor.js").Tensor][] }} The message.
   */
  *message(source, interventions, view) {
    const { targetTokenizer: tokenizer, model } = this.translator;
    const run = { source, interventions, rivals: view.rivals, strategy: view.strategy };
    const given = view.given ? [...tokenizer.encode(view.given), tokenizer.endId] : null;
    const forcings = [{ kind: "free", prefix: [], forced: [] }, ...view.branches.map(asForced)];
    if (given) forcings.push({ kind: "given", prefix: [], forced: given });
    const branches = [];
    for (const { kind, prefix, forced } of forcings) {
      const decoding = yield* this.decode({ ...run, forced: [...prefix, ...forced] });
      branches.push({ kind, kept: prefix.length, forced: forced.length, decoding, open: false });
    }
    const { tree } = (branches[view.branch] ?? branches[0]).decoding;
    if (tree && view.node > 0 && view.node < tree.nodes.length) branches.push(yield* this.node(run, tree, view.node));
    const [{ decoding: free }] = branches;
    const header = {
      source: free.sourceTokens, begin: tokenizer.names[tokenizer.beginId], endId: tokenizer.endId,
      sizes: { self: free.arrays.self.shape.slice(0, 2), cross: free.arrays.cross.shape.slice(0, 2) },
      width: model.config.d_model, vocabulary: tokenizer.length, bandSizes: bandSizes(tokenizer.length),
      branches: branches.map((branch) => branchOf(branch, tokenizer)),
      tree: tree && treeOf(tree, tokenizer),
      problem: "",
    };
    const arrays = branches.flatMap(({ decoding }, at) =>
      Object.entries(decoding.arrays).map(([name, array]) => [`${at} ${name}`, array]),
    );
    return { header, arrays };
  }

  /**
   * Decode to a node of a tree, and one step further where it is unfinished.
   * @yields {number} The pieces so far.
   */
  *node(run, tree, node) {
    const ids = [];
    for (let at = node; at; at = tree.nodes[at].parent) ids.unshift(tree.nodes[at].id);
    const steps = ids.length + 1;
    const decoding = yield* this.decode({ ...run, strategy: new Greedy(), forced: ids, steps });
    return { kind: "node", kept: ids.length, forced: 0, decoding, open: decoding.choices.length > ids.length };
  }

  /**
   * Decode once, or find it among those that are kept.
   * @yields {number} The pieces so far.
   */
  *decode({ source, interventions, strategy, forced, rivals, steps = Infinity }) {
    const changes = interventions.map(({ text }) => text);
    const key = JSON.stringify([source.text, changes, strategy.constructor.name, strategy, forced, steps]);
    if (!this.kept.has(key)) {
      const wanted = { strategy, forced, interventions, steps };
      const run = yield* this.translator.running(source, wanted);
      if (this.kept.size === MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
      this.kept.set(key, this.decoding(run, rivals));
    }
    return this.kept.get(key);
  }

  /** @returns {Decoding} A run as the message shows it. */
  decoding({ choices, translation, recording, tree }, rivals) {
    const { arrays } = recording;
    const count = choices.length;
    const { shape: [, pieces], values: logits } = arrays.get("decoder.logits");
    const rows = choices.map((_, row) => normalised(logits.subarray(row * pieces, (row + 1) * pieces), []));
    const odds = rows.map(oddsOf);
    const table = (name) => {
      const own = odds.map((one) => one[name]);
      return { shape: [count, own[0].length], values: Float32Array.from(own.flatMap((row) => [...row])) };
    };
    return {
      choices: choices.map((choice, row) => withRival(choice, rows[row], rivals)),
      text: translation.text,
      sourceTokens: this.translator.pieces(recording).source,
      tree,
      arrays: {
        self: this.weights(arrays, "decoder", count),
        cross: this.weights(arrays, "cross", count),
        mask: corner(arrays.get("decoder.mask"), count, count),
        exactLogs: table("exact"),
        bandLogs: table("bands"),
      },
    };
  }

  /** The weights of all layers of a kind in bytes, for the first queries: (L, H, T, key). */
  weights(arrays, kind, count) {
    const layers = layersOf(this.translator.model.config, kind);
    const parts = Array.from({ length: layers }, (_, layer) => {
      const { shape: [heads, queries, keys], values } = arrays.get(attentionSite(kind, layer, "weights"));
      const kept = kind === "decoder" ? count : keys;
      return Array.from({ length: heads }, (_head, head) => {
        const own = values.subarray(head * queries * keys, (head + 1) * queries * keys);
        return corner({ shape: [queries, keys], values: own }, count, kept, LEVELS);
      });
    });
    const shape = [layers, parts[0].length, ...parts[0][0].shape];
    const values = new Uint8Array(shape.reduce((size, side) => size * side, 1));
    parts.flat().forEach((part, at) => values.set(part.values, at * part.values.length));
    return { shape, values };
  }
}

function asForced(branch) {
  return { kind: "forced", ...branch };
}

/** The first rows and columns of a matrix in bytes, times a factor. */
function corner({ shape: [, columns], values }, rows, kept, factor = 1) {
  const bytes = new Uint8Array(rows * kept);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < kept; column++) {
      bytes[row * kept + column] = rint(Math.fround(values[row * columns + column] * factor));
    }
  }
  return { shape: [rows, kept], values: bytes };
}

/** Add the rival of the chosen piece, such as elle for il, however unlikely it is. */
function withRival(choice, logProbs, rivals) {
  const rival = rivals[choice.chosen.id];
  if (rival === undefined || choice.alternatives.some(({ id }) => id === rival)) return choice;
  return { ...choice, alternatives: [...choice.alternatives, candidate(logProbs, rival)] };
}

function branchOf({ kind, kept, forced, decoding, open }, { names }) {
  const piece = ({ id, logProb }) => [id, names[id], toPlaces(logProb, 5)];
  const steps = decoding.choices.map(({ chosen, rank, forced: held, draw, alternatives }) => {
    return { chosen: piece(chosen), rank, held, draw, top: alternatives.map(piece) };
  });
  if (open) steps.at(-1).chosen = null;
  const exact = decoding.arrays.exactLogs.shape[1];
  return { kind, kept, forced, text: decoding.text, exact, steps };
}

function treeOf({ nodes, winner }, { names }) {
  const node = ({ parent, id, depth, logProb, score, fate }) =>
    [parent, id, names[id], depth, toPlaces(logProb, 4), toPlaces(score, 4), fate];
  return { nodes: nodes.map(node), winner };
}

function toPlaces(value, decimals) {
  return Number(value.toFixed(decimals));
}
