export const WORD_START = "\u2581";

/** White space as Python counts it: with four control characters. */
// oxlint-disable-next-line no-control-regex
const SPACE = /[\p{White_Space}\x1c-\x1f]+/u;
/** White space at the ends of a text, as Python strips it. */
// oxlint-disable-next-line no-control-regex
export const SPACE_AROUND = /^[\p{White_Space}\x1c-\x1f]+|[\p{White_Space}\x1c-\x1f]+$/gu;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/gu;

/**
 * Drop control, format and surrogate characters and fold white space.
 * @param {string} text Any text.
 * @returns {string} The cleaned text.
 */
export function clean(text) {
  const parts = text.split(SPACE).map((part) => part.replace(INVISIBLE, ""));
  return parts.filter(Boolean).join(" ");
}

const SPECIAL_TOKENS = ["<pad>", "<s>", "</s>", "<unk>"];
const BYTE = /^<0x([0-9A-F]{2})>$/;
const UNSPACED =
  /[\u2e80-\u2fdf\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u;
const ENGLISH_ENDINGS = ["t", "s", "d", "m", "ll", "re", "ve"];

/**
 * Tell whether a token has no text: padding, begin, end, unknown or a language.
 * @param {string} token The token.
 * @returns {boolean} Whether it is special.
 */
export function isSpecial(token) {
  return SPECIAL_TOKENS.includes(token) || (token.startsWith(">>") && token.endsWith("<<"));
}

/**
 * Tell whether a token has no text of its own: a special token or a byte.
 * @param {string} token The token.
 * @returns {boolean} Whether it is mute.
 */
export function isMute(token) {
  return isSpecial(token) || BYTE.test(token);
}

/**
 * Tell whether a piece is one byte of a character that has no piece.
 * @param {string} token The token.
 * @returns {boolean} Whether it is a byte.
 */
export function isByte(token) {
  return BYTE.test(token);
}

/**
 * Tell whether a text has characters of a script without spaces.
 * @param {string} text The text.
 * @returns {boolean} Whether it has one.
 */
export function isUnspaced(text) {
  return UNSPACED.test(text);
}

/**
 * Tell whether a text has a letter or a digit.
 * @param {string} text The text.
 * @returns {boolean} Whether it has one.
 */
export function hasLetters(text) {
  return /[\p{L}\p{N}]/u.test(text);
}

/**
 * Tell whether a piece has text but no letter or digit.
 * @param {string} token The piece.
 * @returns {boolean} Whether it is a mark.
 */
export function isPunctuation(token) {
  const text = token.startsWith(WORD_START) ? token.slice(WORD_START.length) : token;
  return text !== "" && !hasLetters(text);
}

/**
 * Number the words of pieces: 0, 0, 1, ... Words end at spaces and punctuation; see model/words.py.
 * @param {string[]} tokens The pieces.
 * @returns {number[]} The number of the word of each.
 */
export function wordNumbers(tokens) {
  let [previous, number] = ["", -1];
  return withCharacters(tokens).map((token, place) => {
    if (place === 0 || (token && startsWord(previous, token))) number++;
    if (token) previous = token;
    return number;
  });
}

/** Replace the first byte of a character by the character, and the others by nothing. */
function withCharacters(tokens) {
  const said = [...tokens];
  for (let place = 0; place < said.length; ) {
    const lead = parseInt(BYTE.exec(said[place])?.[1] ?? "0", 16);
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    const found = said.slice(place, place + length).map((token) => BYTE.exec(token)?.[1]);
    if (found.length === length && found.every(Boolean)) {
      const character = characterOf(found.map((byte) => parseInt(byte, 16)));
      if (character) said.splice(place, length, character, ...Array(length - 1).fill(""));
    }
    place += length;
  }
  return said;
}

function characterOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

function startsWord(previous, token) {
  if (token.startsWith(WORD_START) || isSpecial(token) || isSpecial(previous)) return true;
  if (previous === WORD_START || token === "'" || token === "-") return false;
  const unspaced = UNSPACED.test(token) || UNSPACED.test(previous);
  if (unspaced && !isPunctuation(token)) return true;
  if (previous.endsWith("'")) return !ENGLISH_ENDINGS.includes(token);
  const separated = isPunctuation(token) || isPunctuation(previous);
  return separated && previous !== "'" && previous !== "-";
}

/**
 * A word as people write it, its first and last piece, and whether a space comes before it.
 * @typedef {{ text: string, first: number, last: number, spaced: boolean }} Word
 */

/**
 * Group pieces into words.
 * @param {string[]} tokens The pieces.
 * @returns {Word[]} The words.
 */
export function wordsOf(tokens) {
  const said = withCharacters(tokens);
  const words = [];
  wordNumbers(tokens).forEach((number, place) => {
    words[number] ??= { text: "", first: place, spaced: tokens[place].startsWith(WORD_START) };
    words[number].text += said[place];
    words[number].last = place;
  });
  return words.map((word) => ({ ...word, text: word.text.replaceAll(WORD_START, " ").trim() }));
}

/**
 * Find the last word with a text, ignoring case.
 * @param {Word[]} words The words.
 * @param {string} text The text.
 * @returns {number} Its number; -1 without any.
 */
export function findWord(words, text) {
  return words.findLastIndex((word) => word.text.toLowerCase() === text.toLowerCase());
}

/**
 * Write words as a text.
 * @param {Word[]} words The words.
 * @returns {string} The text.
 */
export function textOf(words) {
  return words.map(({ spaced, text }) => (spaced ? " " : "") + text).join("").trim();
}
