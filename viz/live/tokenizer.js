import { Normalizer } from "./normalizer.js";
import { PIECE_TYPES, readSentencePiece } from "./sentencepiece.js";
import { WORD_START } from "./words.js";

const UNKNOWN_PENALTY = 10; // SentencePiece's own
const CUTS = { 1: "mostProbable", 2: "merged" }; // by SentencePiece's numbers of its types
const APOSTROPHES = /[\u2018\u2019\u02bc]/g;

/** A SentencePiece model, unigram or of merged pairs (BPE): text to ids and back. */
export class Tokenizer {
  /**
   * @param {ArrayBuffer} serialized The content of tokenizer.model.
   * @param {string} file The name of the file.
   */
  constructor(serialized, file = "tokenizer.model") {
    this.model = readSentencePiece(serialized, file);
    if (!(this.model.type in CUTS)) throw new Error(`${file}: only unigram models and merged pairs are read`);
    this.normalizer = new Normalizer(this.model);
    this.names = this.model.pieces.map(({ piece }) => piece);
    this.own = new Map(); // the ids of this file's pieces
    this.parts = new Map(); // and of those that a text is cut into
    Object.assign(this, { longest: 0, least: Infinity, most: -Infinity });
    for (let id = 0; id < this.names.length; id++) this.learn(id, this.model.pieces[id]);
    this.ids = this.own;
    const { pad, begin, end } = this.model.names;
    this.padId = this.ids.get(pad) ?? -1;
    this.beginId = this.ids.get(begin) ?? -1;
    this.endId = this.ids.get(end) ?? -1;
    this.unknownId = this.model.pieces.findIndex(({ type }) => type === PIECE_TYPES.unknown);
    this.unknown = this.names[this.unknownId];
  }

  learn(id, { piece, score, type }) {
    this.own.set(piece, id);
    if (type === PIECE_TYPES.normal) {
      this.least = Math.min(this.least, score);
      this.most = Math.max(this.most, score);
    } else if (type !== PIECE_TYPES.userDefined) return;
    this.parts.set(piece, id);
    this.longest = Math.max(this.longest, piece.length);
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
    return this.spelt(text.replace(APOSTROPHES, "'")).map(([id]) => id);
  }

  /**
   * Cut a text as SentencePiece does.
   * @param {string} text Any text.
   * @returns {[number, string][]} The ids of the pieces in its file, and their names; neighbouring
   *   characters without a piece are one unknown piece, whose name is their text.
   */
  spelt(text) {
    const pieces = [];
    for (const [id, surface] of this[CUTS[this.model.type]]([...this.normalizer.normalized(text)])) {
      if (id !== this.unknownId) pieces.push([id, surface]);
      else if (this.model.byteFallback) pieces.push(...this.bytesOf(surface));
      else if (pieces.at(-1)?.[0] === id) pieces.at(-1)[1] += surface;
      else pieces.push([id, surface]);
    }
    return pieces;
  }

  /**
   * Find the most probable way to cut a text (Viterbi), with sums in single precision as in
   * SentencePiece, so that ties fall alike.
   * @param {string[]} characters The characters of the normalised text.
   * @returns {[number, string][]} The ids and texts of the pieces.
   */
  mostProbable(characters) {
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

  /**
   * Merge neighbouring pieces, the pair with the best score first, until no pair is a piece (BPE).
   * @param {string[]} characters The characters of the normalised text.
   * @returns {[number, string][]} The ids and texts of the pieces.
   */
  merged(characters) {
    const parts = this.apart(characters);
    for (;;) {
      let [best, place] = [-Infinity, -1];
      for (let at = 0; at + 1 < parts.length; at++) {
        const id = parts[at].whole || parts[at + 1].whole ? undefined : this.parts.get(parts[at].text + parts[at + 1].text);
        if (id !== undefined && this.model.pieces[id].score > best) [best, place] = [this.model.pieces[id].score, at];
      }
      if (place < 0) return parts.map(({ text }) => [this.parts.get(text) ?? this.unknownId, text]);
      parts.splice(place, 2, { text: parts[place].text + parts[place + 1].text, whole: false });
    }
  }

  /** Cut a text into characters, and pieces that the user defined, which are not merged further. */
  apart(characters) {
    const parts = [];
    for (let at = 0; at < characters.length; ) {
      const rest = characters.slice(at, at + this.longest).join("");
      const defined = this.normalizer.symbols.find((symbol) => rest.startsWith(symbol));
      const text = defined ?? characters[at];
      parts.push({ text, whole: defined !== undefined });
      at += [...text].length;
    }
    return parts;
  }

  bytesOf(surface) {
    const names = [...new TextEncoder().encode(surface)].map(byteName);
    return names.map((name) => [this.own.get(name), name]);
  }

  /**
   * Join ids into text; special tokens vanish, broken byte sequences become U+FFFD.
   * @param {number[]} ids Any ids.
   * @returns {string} The text.
   */
  decode(ids) {
    const special = [this.padId, this.beginId, this.endId];
    return this.joined(ids.filter((id) => !special.includes(id)).map((id) => this.model.pieces[id]));
  }

  /**
   * Join pieces into text, as SentencePiece does.
   * @param {import("./sentencepiece.js").ModelPiece[]} pieces The pieces.
   * @returns {string} The text.
   */
  joined(pieces) {
    const { dummyPrefix, removesSpaces, unknown } = this.model;
    let text = "";
    let bytes = [];
    let atStart = true;
    const flush = () => {
      text += readBytes(bytes);
      bytes = [];
    };
    for (const { piece, type } of pieces) {
      if (type === PIECE_TYPES.byte) {
        bytes.push(Number(piece.slice(1, -1)));
        continue;
      }
      flush();
      if (text) atStart = false;
      if (type === PIECE_TYPES.control) continue;
      if (type === PIECE_TYPES.unknown) {
        text += piece === this.unknown ? unknown : piece;
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
