import { hasLetters, isByte, isSpecial, wordsOf } from "../words.js";

const COMMON = 3; // one-piece words added to each sentence, as in Python

/**
 * A word of a translation; its probability is the product of its pieces' probabilities.
 * @typedef {import("../words.js").Word & { likely: number }} WrittenWord
 */

/**
 * Return the words of a translation without its punctuation.
 * @param {string[]} tokens The pieces.
 * @param {number[]} logProbs Their log-probabilities in nats.
 * @returns {WrittenWord[]} The words.
 */
export function writtenWords(tokens, logProbs) {
  const sum = ({ first, last }) => logProbs.slice(first, last + 1).reduce((all, one) => all + one, 0);
  return wordsOf(tokens).filter(({ text }) => hasLetters(text)).map((word) => ({ ...word, likely: Math.exp(sum(word)) }));
}

/**
 * Measure how far a sentence is from the training data; see model/measures/familiarity.py.
 * @param {string[]} tokens The pieces of the source.
 * @param {number} logProb The log-probability of its translation.
 * @param {number} written The pieces of the translation, with its end.
 * @returns {{ long: number, rare: number, unsure: number }} The signs.
 */
export function signsOf(tokens, logProb, written) {
  const words = wordsOf(tokens).filter(
    ({ text, first }) => !isSpecial(tokens[first]) && (hasLetters(text) || isByte(tokens[first])),
  );
  const inside = words.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const long = tokens.filter((token) => !isSpecial(token)).length;
  return { long, rare: (inside + COMMON) / (words.length + COMMON), unsure: -logProb / written };
}
