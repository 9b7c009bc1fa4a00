import { findWord, isPunctuation, wordsOf } from "../words.js";
import { decidingHead, headsOf, onWord, rowOf } from "./deciding.js";
import { aligned } from "./sequences.js";

const MOVED = 0.5; // the least weight that moves between two words that decide without differing

/**
 * Two sentences that tell no story. The message is the reason, by the name that it has in
 * model/measures/own_pair.py: "empty", "long", "same", "more", "twice", "undecided" or "missing".
 * After "long" stands the number of pieces.
 */
export class NoPair extends Error {}

/**
 * Align two sentences by their words.
 * @param {import("../words.js").Word[]} first The words of the first.
 * @param {import("../words.js").Word[]} second The words of the second.
 * @returns {import("./sequences.js").Slot[]} The slots.
 */
export function alignedWords(first, second) {
  return aligned(...[first, second].map((words) => words.map(({ text }) => text)));
}

/**
 * Find the only word in which two sentences differ.
 * @param {import("../words.js").Word[]} first The words of the first.
 * @param {import("../words.js").Word[]} second The words of the second.
 * @returns {number} Its place, the same in both. Throws a NoPair.
 */
export function differing(first, second) {
  const slots = alignedWords(first, second).filter(({ same }) => !same);
  if (!slots.length) throw new NoPair("same");
  const spans = [slots[0].first, slots[0].second];
  if (slots.length > 1 || spans.some((span) => span?.[0] !== span?.[1] || !span)) throw new NoPair("more");
  const [place] = spans[0];
  if (!(isFound(first, place) && isFound(second, place))) throw new NoPair("twice");
  return place;
}

/** Whether a word is found by its text, as the last one with it. */
function isFound(words, place) {
  return findWord(words, words[place].text) === place;
}

/**
 * Throw a NoPair unless each of two translations has a word that is decided.
 * @param {import("./minimal_pairs.js").Decision | null} decision Where they part.
 * @param {string[][]} written The pieces of both.
 * @param {number} endId The id of the end.
 * @returns {void}
 */
export function checkDecided(decision, written, endId) {
  if (!decision) throw new NoPair("undecided");
  if (decision.ids.includes(endId)) throw new NoPair("missing");
  const step = decision.prefix.length - 1;
  const words = written.map(wordsOf);
  const has = (span, side) => span && side[span[0]].first <= step && step <= side[span[1]].last;
  for (const { first, second } of alignedWords(...words)) {
    if (first && second) continue;
    if (has(first, words[0]) || has(second, words[1])) throw new NoPair("missing");
  }
}

/**
 * Find the words of the story of two sentences, as model/measures/own_pair.py describes them.
 * @param {import("../transformer/config.js").Config} config The model.
 * @param {[import("./deciding.js").Side, import("./deciding.js").Side]} sides Both sentences.
 * @returns {import("./deciding.js").Told} The words. Throws a NoPair.
 */
export function ownStory(config, sides) {
  const [first, second] = sides.map(({ words }) => words);
  const own = differing(first, second);
  const plain = { asks: "", source: [first[own].text, second[own].text] };
  const shared = first.map((_, place) => place !== own && isFound(first, place) && isFound(second, place));
  const asks = askingWord(config, sides, shared, own);
  if (asks === own) return plain;
  const asked = { ...plain, asks: first[asks].text };
  const { moved, places } = mostMoved(config, sides, shared, asks);
  if (moved > MOVED) return { ...asked, source: places.map((place) => first[place].text) };
  return decidingHead(config, asked, sides).kind === "encoder" ? asked : plain;
}

/** The word that the deciding step looks at most, with all heads together. */
function askingWord(config, sides, shared, own) {
  const [words] = sides.map((side) => side.words);
  const looks = words.map(() => 0);
  for (const head of headsOf(config, "cross")) {
    for (const side of sides) {
      const row = rowOf(side.recording.arrays, head, side.step);
      side.words.forEach((word, place) => (looks[place] += onWord(row, word)));
    }
  }
  const counts = (word, place) => place === own || (shared[place] && !isPunctuation(word.text));
  const asked = words.flatMap((word, place) => (counts(word, place) ? [place] : []));
  return asked.reduce((most, place) => (looks[place] > looks[most] ? place : most));
}

/** The most weight that an encoder head moves from one shared word to another, and both. */
function mostMoved(config, sides, shared, asks) {
  const found = { moved: -Infinity, places: [0, 0] };
  const places = shared.flatMap((is, place) => (is ? [place] : []));
  for (const head of headsOf(config, "encoder")) {
    const [before, after] = sides.map(({ words, recording }) => {
      const row = rowOf(recording.arrays, head, words[asks].first);
      return places.map((place) => onWord(row, words[place]));
    });
    const lost = before.map((weight, at) => weight - after[at]);
    const [from, to] = [Math.max(...lost), Math.min(...lost)];
    const moved = Math.min(from, -to);
    if (moved > found.moved) {
      Object.assign(found, { moved, places: [from, to].map((value) => places[lost.indexOf(value)]) });
    }
  }
  return found;
}
