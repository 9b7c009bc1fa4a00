import { PIECE_TYPES } from "./sentencepiece.js";
import { splitLanguage } from "./target_language.js";
import { Tokenizer } from "./tokenizer.js";
import { SPACE_AROUND, WORD_START } from "./words.js";

const UNKNOWN = "<unk>";

/**
 * One side of a Marian model: SentencePiece cuts the text, a vocabulary has the id of each piece.
 * Pieces outside the vocabulary are "<unk>". A target language at the start of a text, such as
 * ">>fra<<", is one token, and so is each of `added` anywhere in a text.
 */
export class MarianTokenizer extends Tokenizer {
  /**
   * @param {ArrayBuffer} serialized The content of source.spm or target.spm.
   * @param {string} file Its name.
   * @param {{ names: string[], added: string[] }} vocabulary The pieces by their ids, and the tokens
   *   that somebody has added.
   * @param {import("./transformer/config.js").Config} config The special ids.
   */
  constructor(serialized, file, { names, added }, config) {
    super(serialized, file);
    this.names = names;
    this.ids = new Map(names.map((name, id) => [name, id]));
    Object.assign(this, { padId: config.pad_id, beginId: config.begin_id, endId: config.end_id });
    const longestFirst = added.filter(Boolean).sort((one, other) => other.length - one.length);
    const literal = longestFirst.map((token) => token.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&"));
    this.added = new RegExp(`(${literal.join("|") || "(?!)"})`, "u");
  }

  /** Cut a text into ids, without begin or end token. */
  encode(text) {
    const [language, rest] = splitLanguage(text);
    const parts = rest.split(this.added); // every second one is an added token
    const cut = parts.flatMap((part, at) => (at % 2 ? [part] : this.spelt(part).map(([, name]) => name)));
    return [...(language ? [language] : []), ...cut].map((name) => this.ids.get(name) ?? this.ids.get(UNKNOWN));
  }

  /** Join ids into text; special tokens vanish. */
  decode(ids) {
    const special = [this.padId, this.beginId, this.endId];
    const names = this.tokens(ids.filter((id) => !special.includes(id)));
    const pieceOf = (name) => this.model.pieces[this.own.get(name)] ?? { piece: name, score: 0, type: PIECE_TYPES.unknown };
    return this.joined(names.map(pieceOf)).replaceAll(WORD_START, " ").replace(SPACE_AROUND, "");
  }
}
