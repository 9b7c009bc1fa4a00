import { makeTap } from "../sites/tap.js";

const KNOWN_AT_ONCE = 6; // what is known of the last two donors: pieces, translation and vectors
const NO_VECTORS = /\.(scores|weights|hidden|logits)$|mask$/; // large, and nothing to take from there

/**
 * Pair the pieces of two sentences by their common beginning and end. The pieces between are paired
 * one by one where both middles are equally long; otherwise they have no partner.
 * @param {number[]} own The ids of the one.
 * @param {number[]} other The ids of the other.
 * @returns {(number | null)[]} The place of the partner of each piece of the one.
 */
export function partners(own, other) {
  const shorter = Math.min(own.length, other.length);
  let start = 0;
  while (start < shorter && own[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && own.at(-1 - end) === other.at(-1 - end)) end++;
  const shift = other.length - own.length;
  return own.map((_, place) => {
    if (place < start || !shift) return place;
    return place >= own.length - end ? place + shift : null;
  });
}

/**
 * The donors of one sentence. Each is run once in the unchanged model; the last few runs are kept.
 */
export class Donors {
  /**
   * @param {import("../transformer/transformer.js").Transformer} model The model.
   * @param {number[]} ids The ids of the receiving sentence.
   * @param {(text: string) => number[]} cut Turns a donor's text into ids; it throws an Error when
   *   none are left.
   * @param {(text: string) => number[]} write Returns the ids of its translation, begin token first.
   * @param {Map<string, any>} known What is known of donors, for all sentences of the model.
   */
  constructor(model, ids, cut, write, known = new Map()) {
    Object.assign(this, { model, ids, cut, write, known });
  }

  once(what, donor, make) {
    const key = `${what} ${donor}`;
    const value = this.known.has(key) ? this.known.get(key) : make();
    this.known.delete(key);
    this.known.set(key, value);
    while (this.known.size > KNOWN_AT_ONCE) this.known.delete(this.known.keys().next().value);
    return value;
  }

  source(donor) {
    return this.once("source", donor, () => this.cut(donor));
  }

  target(donor) {
    return this.once("target", donor, () => this.write(donor));
  }

  /**
   * Return the donor's piece that corresponds to a piece of the sentence.
   * @param {string} donor The donor's text.
   * @param {number} piece The piece of the sentence.
   * @returns {number | null} Its place, null without any.
   */
  partner(donor, piece) {
    return partners(this.ids, this.source(donor))[piece] ?? null;
  }

  /**
   * Return a site's tensor of the donor's run.
   * @param {string} donor The donor's text.
   * @param {string} site The site.
   * @returns {import("../tensor.js").Tensor} The tensor.
   */
  activation(donor, site) {
    const run = this.once("encoded", donor, () => {
      const recorded = new Map();
      return { recorded, source: this.model.encode(this.source(donor), keeper(recorded)) };
    });
    if (!run.recorded.has(site)) {
      this.model.decode(this.target(donor), run.source, keeper(run.recorded));
    }
    return run.recorded.get(site);
  }
}

/** A tap that keeps the tensors with a vector for each piece. */
function keeper(recorded) {
  return makeTap((site, tensor) => {
    if (!NO_VECTORS.test(site)) recorded.set(site, tensor);
    return tensor;
  });
}
