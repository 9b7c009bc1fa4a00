import { Normalizer } from "./normalizer.js";
import { PIECE_TYPES, readSentencePiece } from "./sentencepiece.js";
import { WORD_START } from "./words.js";

const UNKNOWN_PENALTY = 10; // SentencePiece's own
const APOSTROPHES = /[\u2018\u2019\u02bc]/g;

/** A unigram SentencePiece model: text to ids and back. */
export class Tokenizer {
  /** @param {ArrayBuffer} serialized The content of tokenizer.model. */
  constructor(serialized) {
    this.model = readSentencePiece(serialized);
    if (!this.model.unigram) throw new Error("tokenizer.model: only unigram models are read");
    this.normalizer = new Normalizer(this.model);
    this.names = this.model.pieces.map(({ piece }) => piece);
    this.ids = new Map(this.names.map((name, id) => [name, id]));
    const { pad, begin, end } = this.model.names;
    this.padId = this.ids.get(pad) ?? -1;
    this.beginId = this.ids.get(begin) ?? -1;
    this.endId = this.ids.get(end) ?? -1;
    this.unknownId = this.model.pieces.findIndex(({ type }) => type === PIECE_TYPES.unknown);
    const isCut = ({ type }) => type === PIECE_TYPES.normal || type === PIECE_TYPES.userDefined;
    const cut = this.model.pieces.flatMap((one, id) => (isCut(one) ? [[one.piece, id]] : []));
    this.parts = new Map(cut); // what a text is cut into
    this.longest = cut.reduce((longest, [piece]) => Math.max(longest, piece.length), 0);
    const scores = this.model.pieces.filter(({ type }) => type === PIECE_TYPES.normal);
    this.least = scores.reduce((least, { score }) => Math.min(least, score), Infinity);
    this.most = scores.reduce((most, { score }) => Math.max(most, score), -Infinity);
  }

  /** @returns {number} The number of pieces. */
  get length() {
    return this.names.length;
  }

  /**
   * Cut a text into ids.
   * @param {string} text Any text.
   * @returns {number[]} The ids, without begin or end token.
   */
  encode(text) {
    const normalized = this.normalizer.normalized(text.replace(APOSTROPHES, "'"));
    const ids = [];
    for (const [id, surface] of this.cut([...normalized])) {
      if (id !== this.unknownId) ids.push(id);
      else if (this.model.byteFallback) ids.push(...this.bytesOf(surface));
      else if (ids.at(-1) !== id) ids.push(id);
    }
    return ids;
  }

  /**
   * Find the most probable way to cut a text (Viterbi), with sums in single precision as in
   * SentencePiece, so that ties fall alike.
   * @param {string[]} characters The characters of the normalised text.
   * @returns {[number, string][]} The ids and texts of the pieces.
   */
  cut(characters) {
    const best = Array.from({ length: characters.length + 1 }, () => null);
    best[0] = { score: 0, start: 0, id: -1 };
    const unknown = Math.fround(this.least - UNKNOWN_PENALTY);
    const offer = (end, start, id, own) => {
      const score = Math.fround(own + best[start].score);
      if (best[end] === null || score > best[end].score) best[end] = { score, start, id };
    };
    for (let start = 0; start < characters.length; start++) {
      const single = this.parts.has(characters[start]);
      let text = "";
      for (let end = start; end < characters.length && text.length < this.longest; ) {
        text += characters[end++];
        const id = this.parts.get(text);
        if (id !== undefined) offer(end, start, id, this.scoreOf(id));
      }
      if (!single) offer(start + 1, start, this.unknownId, unknown);
    }
    const pieces = [];
    for (let end = characters.length; end > 0; end = best[end].start) {
      pieces.unshift([best[end].id, characters.slice(best[end].start, end).join("")]);
    }
    return pieces;
  }

  /** A piece that the user defined always wins: its score grows with its length in bytes. */
  scoreOf(id) {
    const { piece, score, type } = this.model.pieces[id];
    if (type !== PIECE_TYPES.userDefined) return score;
    const bytes = new TextEncoder().encode(piece).length;
    return Math.fround(Math.fround(bytes * this.most) - 0.1);
  }

  bytesOf(surface) {
    return [...new TextEncoder().encode(surface)].map((byte) => this.ids.get(byteName(byte)));
  }

  /**
   * Join ids into text; special tokens vanish, broken byte sequences become U+FFFD.
   * @param {number[]} ids Any ids.
   * @returns {string} The text.
   */
  decode(ids) {
    const { pieces, dummyPrefix, removesSpaces, unknown } = this.model;
    let text = "";
    let bytes = [];
    let atStart = true;
    const flush = () => {
      text += readBytes(bytes);
      bytes = [];
    };
    for (const id of ids) {
      const { piece, type } = pieces[id];
      if (type === PIECE_TYPES.byte) {
        bytes.push(Number(piece.slice(1, -1)));
        continue;
      }
      flush();
      if (text) atStart = false;
      if (type === PIECE_TYPES.control) continue;
      if (type === PIECE_TYPES.unknown) {
        text += unknown;
        continue;
      }
      const strips = atStart && (dummyPrefix || removesSpaces) && piece.startsWith(WORD_START);
      if (strips && !removesSpaces) atStart = false;
      text += piece.slice(strips ? WORD_START.length : 0).replaceAll(WORD_START, " ");
    }
    flush();
    return text;
  }

  /**
   * Name the pieces of some ids.
   * @param {number[]} ids The ids.
   * @returns {string[]} Their names. Throws an Error when one does not exist.
   */
  tokens(ids) {
    const wrong = ids.find((id) => !(id in this.names));
    if (wrong !== undefined) throw new Error(`no piece has the id ${wrong}; there are ${this.length}`);
    return ids.map((id) => this.names[id]);
  }

  /**
   * Look a piece up by its name.
   * @param {string} token Its name.
   * @returns {number} Its id. Throws an Error when there is no such piece.
   */
  id(token) {
    if (!this.ids.has(token)) throw new Error(`there is no piece “${token}”`);
    return this.ids.get(token);
  }
}

function byteName(byte) {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`;
}

/** Read bytes as text; each that belongs to no character becomes U+FFFD. */
function readBytes(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at];
    const whole = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = decodedBytes(bytes.slice(at, at + whole));
    text += character ?? "\ufffd";
    at += character === null ? 1 : whole;
  }
  return text;
}

function decodedBytes(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
    return text || null;
  } catch {
    return null;
  }
}
