import { BlockAttention } from "../interventions/masks.js";
import { prepare } from "../interventions/prepare.js";
import { encodedPass } from "../recording.js";
import { makeRecorder } from "../sites/tap.js";

/**
 * Links from some pieces to others, in one kind of attention; a decoder query is a row. `head` is the
 * layer and the number of one head; without it, the links are those of all heads.
 * @typedef {[number, number]} Pieces
 * @typedef {{ kind: string, queries: Pieces, keys: Pieces[], head?: [number, number] }} Link
 * @typedef {{ sourceIds: number[], targetIds: number[], links: Link[], carried: Pieces | null }
 *   } CutSentence A sentence, its links that can be cut, and the pieces whose memory can be carried.
 * @typedef {{ cut: number[], carried: boolean }} Change The numbers of the links, and whether memory
 *   comes from the other sentence.
 * @typedef {{ logits: import("../tensor.js").Tensor, edits: Edits,
 *   arrays: Map<string, import("../tensor.js").Tensor>, source: Encoded }} Outcome The sites of a run.
 * @typedef {import("../recording.js").Encoded} Encoded
 * @typedef {import("../transformer/transformer.js").Transformer} Transformer
 * @typedef {Map<string, import("../sites/tap.js").Edit>} Edits
 */

/**
 * List all changes to links that are there twice: each in one head, then each in all heads. Bit n of
 * the place in the list cuts link n, and the next bit carries memory over. With the last bit, link
 * n + `links` is cut in the place of link n.
 * @param {number} links The number of links, each counted once.
 * @param {boolean} carries Whether memory can be carried over.
 * @returns {Change[]} The changes.
 */
export function changesOf(links, carries) {
  const within = (beyond) =>
    Array.from({ length: 2 ** (links + Number(carries)) }, (_, number) => ({
      cut: Array.from({ length: links }, (__, n) => n).filter((n) => (number >> n) & 1).map((n) => n + beyond),
      carried: Boolean(number >> links),
    }));
  return [...within(0), ...within(links)];
}

/**
 * Forbid links, each in its head or in all heads of its kind.
 * @param {Transformer} model The model.
 * @param {CutSentence} side The sentence.
 * @param {number[]} cut The numbers of its links.
 * @returns {Edits} The edits. Throws an Error when they leave a query without any key.
 */
function editsOfCut(model, { sourceIds, targetIds, links }, cut) {
  const from = ([first, last]) => Array.from({ length: last + 1 - first }, (_, n) => first + n);
  const forbidden = cut.flatMap((number) => {
    const { kind, queries, keys, head = [null, null] } = links[number];
    const pieces = keys.flatMap(from);
    return from(queries).flatMap((query) => pieces.map((key) => new BlockAttention(kind, query, key, ...head)));
  });
  const lengths = { source: sourceIds.length, target: targetIds.length };
  return prepare(forbidden, model.config, lengths).edits;
}

/** The runs of one sentence under changes; its encoder runs once for each set of cut links. */
export class Runs {
  /**
   * @param {Transformer} model The model.
   * @param {CutSentence} side The sentence.
   */
  constructor(model, side) {
    Object.assign(this, { model, side, known: new Map() });
  }

  /**
   * Run it under edits.
   * @param {Edits} edits The edits.
   * @returns {Outcome} The outcome.
   */
  edited(edits) {
    const encoder = [...edits.keys()].some((site) => site.startsWith("encoder."));
    return this.decoded(edits, encoder ? encodedPass(this.model, this.side.sourceIds, edits) : this.encoded([]));
  }

  /**
   * Run it under a change.
   * @param {Change} change The change.
   * @param {Runs} other The runs of the other sentence, whose memory is carried over; it is cut alike.
   * @returns {Outcome} The outcome.
   */
  changed({ cut, carried }, other) {
    const own = this.encoded(cut);
    const source = carried ? this.withMemory(own, other.encoded(cut), other.side.carried) : own;
    return this.decoded(editsOfCut(this.model, this.side, cut), source);
  }

  encoded(cut) {
    const within = cut.filter((number) => this.side.links[number].kind === "encoder");
    const name = String(within);
    if (!this.known.has(name)) {
      const edits = editsOfCut(this.model, this.side, within);
      this.known.set(name, encodedPass(this.model, this.side.sourceIds, edits));
    }
    return this.known.get(name);
  }

  /** The encoded sentence with the memory of some pieces of the other one in the place of its own. */
  withMemory(own, other, [first, last]) {
    const { shape, values } = own.memory;
    const memory = { shape, values: values.slice() };
    const vectors = other.memory.values.subarray(first * shape[1], (last + 1) * shape[1]);
    memory.values.set(vectors, this.side.carried[0] * shape[1]);
    return { ...own, memory };
  }

  decoded(edits, source) {
    const arrays = new Map(source.arrays);
    const logits = this.model.decode(this.side.targetIds, source, makeRecorder(edits, arrays));
    return { logits, arrays, source, edits };
  }
}
