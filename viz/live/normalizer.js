import { PIECE_TYPES } from "./sentencepiece.js";

const SPACE_BYTE = 0x20;
const ESCAPED = [0xe2, 0x96, 0x81]; // U+2581

/** The normalisation of a SentencePiece model, by the table in its file. */
export class Normalizer {
  /** @param {import("./sentencepiece.js").SentencePieceModel} model The model. */
  constructor(model) {
    this.model = model;
    const { charsMap } = model;
    const size = charsMap.length ? new DataView(charsMap.buffer, charsMap.byteOffset).getUint32(0, true) : 0;
    this.units = new Uint32Array(charsMap.slice(4, 4 + size).buffer);
    this.replacements = charsMap.subarray(4 + size);
    this.symbols = model.pieces // those of the user, the longest first
      .filter(({ type }) => type === PIECE_TYPES.userDefined)
      .map(({ piece }) => piece)
      .sort((one, other) => other.length - one.length);
    this.kept = this.symbols.map((piece) => new TextEncoder().encode(piece));
  }

  /**
   * Normalise a text.
   * @param {string} text Any text.
   * @returns {string} The text that is cut into pieces, spaces escaped.
   */
  normalized(text) {
    const { dummyPrefix, removesSpaces, escapesSpaces } = this.model;
    const space = escapesSpaces ? ESCAPED : [SPACE_BYTE];
    const bytes = new TextEncoder().encode(text);
    const written = dummyPrefix && bytes.length ? [...space] : [];
    let afterSpace = removesSpaces;
    for (let at = 0; at < bytes.length; ) {
      const [read, length] = this.replaced(bytes, at);
      at += length;
      const from = afterSpace ? read.findIndex((byte) => byte !== SPACE_BYTE) : 0;
      if (from < 0 || !read.length) continue;
      for (const byte of read.subarray(from)) {
        if (byte === SPACE_BYTE) written.push(...space);
        else written.push(byte);
      }
      afterSpace = removesSpaces && read.at(-1) === SPACE_BYTE;
    }
    if (removesSpaces) while (endsWith(written, space)) written.length -= space.length;
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(written));
  }

  /** Return the bytes for the beginning of a text, and how many bytes of the text they replace. */
  replaced(bytes, at) {
    const symbol = this.kept.find((own) => own.every((byte, place) => bytes[at + place] === byte));
    if (symbol) return [symbol, symbol.length];
    const [start, length] = this.longestRule(bytes, at);
    if (length) {
      const end = this.replacements.indexOf(0, start);
      return [this.replacements.subarray(start, end), length];
    }
    const lead = bytes[at];
    const whole = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    return [bytes.subarray(at, at + whole), whole];
  }

  /** Search the trie, a double array as of Darts, for the longest beginning that has a rule. */
  longestRule(bytes, start) {
    const { units } = this;
    let [node, found, length] = [0, 0, 0];
    if (!units.length) return [0, 0];
    node ^= offsetOf(units[0]);
    for (let at = start; at < bytes.length; at++) {
      node ^= bytes[at];
      const unit = units[node];
      if ((unit & 0x800000ff) !== bytes[at]) break;
      node ^= offsetOf(unit);
      if ((unit >>> 8) & 1) [found, length] = [units[node] & 0x7fffffff, at + 1 - start];
    }
    return [found, length];
  }
}

function endsWith(bytes, end) {
  return bytes.length >= end.length && end.every((byte, at) => bytes.at(at - end.length) === byte);
}

function offsetOf(unit) {
  return (unit >>> 10) << ((unit & 512) >>> 6);
}
