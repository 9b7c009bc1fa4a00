import { headsOf, onWord, rowOf } from "../measures/deciding.js";
import { signsOf, writtenWords } from "../measures/familiarity.js";
import { wrongNumber } from "../measures/copied_numbers.js";
import { WORD_START, isByte, isUnspaced, wordsOf } from "../words.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const BYTES = /(<0x[0-9A-F]{2}>)+/g;

/**
 * What viz/compute/doubts.py knows: the measured limits, 0 and null for none, and its lists of words.
 * @typedef {{ source: string, word: number, signs: Record<string, number> | null, foreign: string[],
 *   english: string[], endings: [string, string][], american: [string, string][], calendar: string[],
 *   longEnough: number, shortest: number, mostNamed: number, copied: number, loud: number,
 *   sure: number }} Known
 * @typedef {{ kind: string, of: string, better: string, pieces: [number, number],
 *   written: string }} Reason
 * @typedef {import("../translator.js").Run} Run
 * @typedef {import("../words.js").Word} Word
 */

/**
 * Make the message of what a translation is unsure of, and the plainest reason, as in Python.
 * @param {import("../translator.js").Translator} translator The translator.
 * @param {Run} run The run of the unchanged model.
 * @param {Known} known What Python knows.
 * @returns {{ unsure: string[], reason: Reason | null }} The unsure words, and the reason if the
 *   translation is doubtful.
 */
export function doubtsMessage(translator, run, known) {
  const { source: { text, tokens }, choices, translation } = run;
  const written = writtenWords(translation.tokens, choices.map(({ chosen }) => chosen.logProb));
  const unsure = unsureOf(written, known);
  const words = wordsOf(tokens);
  const cut = words.filter((word) => word.last > word.first && /^\p{L}+$/u.test(word.text));
  const name = rareName(words, cut, known);
  const isThere = name && translation.text.toLowerCase().includes(name.text.toLowerCase());
  const loses = name && !isThere && !isSureOf(translator, run, written, name, known.sure);
  const wrong = wrongNumber(text, translation.text);
  const signs = signsOf(tokens, translation.logProb, translation.tokens.length + 1);
  const far = known.signs && Object.entries(known.signs).some(([sign, limit]) => signs[sign] > limit);
  const foreign = language(text, translation.text, known);
  const halfLoud = isLoud(text, known) && lettersOf(translation.text).find(isHalfLoud);
  const manyPieces = piecesOfCapitals(translator, text, cut, known);
  if (!unsure.length && !tokens.some(isByte) && !far && !loses && !wrong && !foreign && !manyPieces && !halfLoud)
    return { unsure, reason: null };
  const count = (sentence) => (sentence === text ? unsure.length : unsureIn(translator, sentence, known).length);
  const reason =
    foreign ??
    characters(translator, text, tokens) ??
    (wrong && made("number", { of: wrong[0], written: wrong[1] })) ??
    capitals(translator, text, cut, known, count) ??
    (halfLoud ? made("small", { of: halfLoud, better: inSmallLetters(text) }) : null) ??
    typing(translator, text, cut, known, count) ??
    (loses || (name && unsure.includes(name.text)) ? made("name", { of: name.text }) : null) ??
    (unsure.length ? inPieces(cut, known, (word, least) => isSureOf(translator, run, written, word, least)) : null);
  return { unsure, reason };
}

function made(kind, more = {}) {
  return { kind, of: "", better: "", pieces: [0, 0], written: "", ...more };
}

function unsureOf(written, { word }) {
  const low = written.filter(({ likely }) => likely < word);
  return [...new Set(low.map(({ text }) => text.replace(BYTES, "\ufffd")))];
}

/** The unsure words of the translation of another sentence. */
function unsureIn(translator, text, known) {
  const choices = [...translator.choices(translator.source(text))];
  const { tokens } = translator.translation(choices);
  return unsureOf(writtenWords(tokens, choices.map(({ chosen }) => chosen.logProb)), known);
}

function lettersOf(text) {
  return text.match(/\p{L}+/gu) ?? [];
}

/** Tell whether a word is in small letters, as Python's `islower`. */
function isSmall(word) {
  return word === word.toLowerCase() && word !== word.toUpperCase();
}

function language(text, written, { source, foreign, english, copied }) {
  if (source === "zh" && !isUnspaced(text) && /\p{L}/u.test(text)) return made("language");
  if (source !== "en") return null;
  if (isUnspaced(text)) return made("language");
  const words = lettersOf(text.toLowerCase());
  const count = (list) => words.filter((word) => list.includes(word)).length;
  const many = count(foreign) >= 2 && count(foreign) > count(english);
  const named = !lettersOf(text).some((word) => word.length > 1 && isSmall(word));
  const same = words.join(" ") === lettersOf(written.toLowerCase()).join(" ");
  return many || (words.length >= copied && !named && same) ? made("language") : null;
}

function characters(translator, text, tokens) {
  if (!tokens.some(isByte)) return null;
  const letters = [...new Set(text)].filter((letter) => letter.trim());
  const strange = letters.filter((letter) => translator.source(letter).tokens.some(isByte));
  const known = [...text].map((letter) => (strange.includes(letter) ? " " : letter)).join("");
  const better = known.split(/\s+/).filter(Boolean).join(" ").replace(/\s+([.,!?])/g, "$1");
  return made("characters", { of: strange.join(" "), better: /\p{L}/u.test(better) ? better : "" });
}

function isLoud(text, { loud }) {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.length >= 4 && letters.filter((letter) => /\p{Lu}/u.test(letter)).length >= loud * letters.length;
}

/** Tell whether small letters are in a word otherwise than behind its first letter. */
function isHalfLoud(word) {
  const [small, loud] = [word.toLowerCase(), word.toUpperCase()];
  return word !== loud && word !== loud.slice(0, 1) + small.slice(1);
}

function capitals(translator, text, cut, known, count) {
  if (!isLoud(text, known)) return null;
  const better = inSmallLetters(text);
  return piecesOfCapitals(translator, text, cut, known) ?? fewer("loud", better, [text, better].map(count));
}

/** The reason if a sentence in capitals has fewer pieces in small letters, or null. */
function piecesOfCapitals({ tokenizer }, text, cut, known) {
  if (!cut.length || !isLoud(text, known)) return null;
  const better = inSmallLetters(text);
  return fewer("capitals", better, [text, better].map((one) => tokenizer.encode(one).length));
}

function fewer(kind, better, pieces) {
  return pieces[0] > pieces[1] ? made(kind, { better, pieces }) : null;
}

function inSmallLetters(text) {
  const small = text.toLowerCase().replace(wholeWord("i"), "I");
  return small.slice(0, 1).toUpperCase() + small.slice(1);
}

function typing({ tokenizer }, text, cut, known, count) {
  const { source, endings, american } = known;
  if (source !== "en") return null;
  const starts = ([name]) => name.startsWith(WORD_START);
  const ids = new Map(tokenizer.names.map((name, id) => [name, id]).filter(starts).map(([name, id]) => [name.slice(1), id]));
  const isFormed = (word) => endings.some(([end, more]) => {
    return ids.has((end && word.endsWith(end) ? word.slice(0, -end.length) : word) + more);
  });
  const wrong = new Map();
  for (const word of cut.map((one) => one.text).filter(isSmall)) {
    const meant = meantBy(word, known).filter((one) => ids.has(one) && one[0] === word[0]);
    if (!meant.length || isFormed(word)) continue;
    wrong.set(word, meant.reduce((first, one) => (ids.get(one) < ids.get(first) ? one : first)));
  }
  for (const word of wrong.keys()) {
    const others = new Map([...wrong].filter(([one]) => one !== word));
    if (count(corrected(text, others)) <= count(corrected(text, wrong))) wrong.delete(word);
  }
  if (!wrong.size) return null;
  const isBritish = ([word, one]) => american.some(([british, other]) => word.replaceAll(british, other) === one);
  const kind = [...wrong].every(isBritish) ? "spelling" : "typing";
  return made(kind, { of: [...wrong.keys()].join(", "), better: corrected(text, wrong) });
}

function corrected(text, wrong) {
  let better = text;
  for (const [word, other] of wrong) better = better.replace(wholeWord(word), other);
  return better;
}

/** The words in most pieces: those of which the translation is unsure or, without any, not sure. */
function inPieces(cut, { source, longEnough, mostNamed, word: limit, sure }, isSure) {
  if (source !== "en") return null;
  const long = cut.filter(({ text }) => isSmall(text) && text.length >= longEnough);
  const doubted = [limit, sure].map((least) => long.filter((word) => !isSure(word, least)));
  const words = doubted.find((found) => found.length) ?? [];
  words.sort((one, other) => other.last - other.first - (one.last - one.first));
  const names = [...new Set(words.map(({ text }) => text))].slice(0, mostNamed);
  return names.length ? made("pieces", { of: names.join(", ") }) : null;
}

/** The texts that differ from a word by two swapped letters or, if it is long, by a letter. */
function meantBy(word, { longEnough, shortest }) {
  const near = new Set();
  for (let at = 0; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (tail.length > 1 && word.length >= shortest) near.add(head + tail[1] + tail[0] + tail.slice(2));
    if (word.length < longEnough) continue;
    for (const letter of LETTERS) near.add(head + letter + tail);
    if (!tail) continue;
    near.add(head + tail.slice(1));
    for (const letter of LETTERS) near.add(head + letter + tail.slice(1));
  }
  near.delete(word);
  return [...near];
}

function wholeWord(letters) {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${letters}(?![\\p{L}\\p{N}_])`, "gu");
}

function rareName(words, cut, { calendar }) {
  const first = words.find(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const names = cut.filter((word) => {
    const isName = /^[\p{Lu}\p{Lt}]\p{Ll}*$/u.test(word.text) && word.first !== first.first;
    return isName && !calendar.includes(word.text.replace(/s$/, ""));
  });
  const size = ({ first: start, last }) => last - start;
  return names.reduce((rarest, word) => (rarest && size(rarest) >= size(word) ? rarest : word), null);
}

/** Tell whether the word that looks most at a word of the source has at least this probability. */
function isSureOf({ model }, { recording }, written, name, least) {
  const heads = headsOf(model.config, "cross");
  const looks = (step) => heads.reduce((sum, head) => sum + onWord(rowOf(recording.arrays, head, step), name), 0);
  const mean = ({ first, last }) => {
    let sum = 0;
    for (let step = first; step <= last; step++) sum += looks(step);
    return sum / (last - first + 1);
  };
  const means = written.map(mean);
  return written.length > 0 && written[means.indexOf(Math.max(...means))].likely >= least;
}
