import { headsOf, onWord, rowOf } from "../measures/deciding.js";
import { signsOf, writtenWords } from "../measures/familiarity.js";
import { wrongNumber } from "../measures/copied_numbers.js";
import { WORD_START, isByte, isUnspaced, wordsOf } from "../words.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const BYTES = /(<0x[0-9A-F]{2}>)+/g;

/**
 * What viz/compute/doubts.py knows: the measured limits, 0 and null for none, and its lists of words.
 * @typedef {{ source: string, word: number, signs: Record<string, number> | null, foreign: string[],
 *   english: string[], endings: [string, string][], calendar: string[], longEnough: number,
 *   loud: number, sure: number }} Known
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
  const low = written.filter(({ likely }) => likely < known.word);
  const unsure = [...new Set(low.map((word) => word.text.replace(BYTES, "\ufffd")))];
  const words = wordsOf(tokens);
  const cut = words.filter((word) => word.last > word.first && /^\p{L}+$/u.test(word.text));
  const name = rareName(words, cut, known);
  const isThere = name && translation.text.toLowerCase().includes(name.text.toLowerCase());
  const loses = name && !isThere && !isSureOf(translator, run, written, name, known);
  const wrong = wrongNumber(text, translation.text);
  const signs = signsOf(tokens, translation.logProb, translation.tokens.length + 1);
  const far = known.signs && Object.entries(known.signs).some(([sign, limit]) => signs[sign] > limit);
  if (!unsure.length && !tokens.some(isByte) && !far && !loses && !wrong) return { unsure, reason: null };
  const reason =
    language(text, known) ??
    characters(translator, text, tokens) ??
    (wrong && made("number", { of: wrong[0], written: wrong[1] })) ??
    capitals(translator, text, cut, known) ??
    typing(translator, text, cut, known) ??
    (loses || (name && unsure.includes(name.text)) ? made("name", { of: name.text }) : null);
  return { unsure, reason };
}

function made(kind, more = {}) {
  return { kind, of: "", better: "", pieces: [0, 0], written: "", ...more };
}

function language(text, { source, foreign, english }) {
  if (source === "zh" && !isUnspaced(text) && /\p{L}/u.test(text)) return made("language");
  if (source !== "en") return null;
  if (isUnspaced(text)) return made("language");
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const count = (list) => words.filter((word) => list.includes(word)).length;
  return count(foreign) >= 2 && count(foreign) > count(english) ? made("language") : null;
}

function characters(translator, text, tokens) {
  if (!tokens.some(isByte)) return null;
  const letters = [...new Set(text)].filter((letter) => letter.trim());
  const strange = letters.filter((letter) => translator.source(letter).tokens.some(isByte));
  const known = [...text].map((letter) => (strange.includes(letter) ? " " : letter)).join("");
  const better = known.split(/\s+/).filter(Boolean).join(" ").replace(/\s+([.,!?])/g, "$1");
  return made("characters", { of: strange.join(" "), better: /\p{L}/u.test(better) ? better : "" });
}

function capitals({ tokenizer }, text, cut, { loud }) {
  const letters = text.match(/\p{L}/gu) ?? [];
  const large = letters.filter((letter) => /\p{Lu}/u.test(letter)).length;
  if (!cut.length || letters.length < 4 || large < loud * letters.length) return null;
  const small = text.toLowerCase().replace(wholeWord("i"), "I");
  const better = small.slice(0, 1).toUpperCase() + small.slice(1);
  const pieces = [text, better].map((one) => tokenizer.encode(one).length);
  return pieces[0] > pieces[1] ? made("capitals", { better, pieces }) : null;
}

function typing({ tokenizer }, text, cut, { source, endings, longEnough }) {
  if (source !== "en") return null;
  const starts = ([name]) => name.startsWith(WORD_START);
  const ids = new Map(tokenizer.names.map((name, id) => [name, id]).filter(starts).map(([name, id]) => [name.slice(1), id]));
  const isFormed = (word) => endings.some(([end, more]) => {
    return ids.has((end && word.endsWith(end) ? word.slice(0, -end.length) : word) + more);
  });
  let [better, wrong] = [text, ""];
  for (const { text: word } of cut) {
    if (word.length < longEnough || !/^\p{Ll}+$/u.test(word) || isFormed(word)) continue;
    const meant = oneLetterAway(word).filter((one) => ids.has(one) && one[0] === word[0]);
    if (!meant.length) continue;
    const best = meant.reduce((first, one) => (ids.get(one) < ids.get(first) ? one : first));
    better = better.replace(wholeWord(word), best);
    wrong ||= word;
  }
  return wrong ? made("typing", { of: wrong, better }) : null;
}

function oneLetterAway(word) {
  const near = new Set();
  for (let at = 0; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    for (const letter of LETTERS) near.add(head + letter + tail);
    if (!tail) continue;
    near.add(head + tail.slice(1));
    for (const letter of LETTERS) near.add(head + letter + tail.slice(1));
    if (tail.length > 1) near.add(head + tail[1] + tail[0] + tail.slice(2));
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

/** Tell whether the word that looks most at a word of the source is written surely. */
function isSureOf({ model }, { recording }, written, name, { sure }) {
  const heads = headsOf(model.config, "cross");
  const looks = (step) => heads.reduce((sum, head) => sum + onWord(rowOf(recording.arrays, head, step), name), 0);
  const mean = ({ first, last }) => {
    let sum = 0;
    for (let step = first; step <= last; step++) sum += looks(step);
    return sum / (last - first + 1);
  };
  const means = written.map(mean);
  return written.length > 0 && written[means.indexOf(Math.max(...means))].likely >= sure;
}
