import { likelyAt, strongestOther } from "../measures/effect.js";
import { WORD_START, wordNumbers } from "../words.js";

const NOTABLE = 0.05; // the smallest change of a probability that counts

/**
 * The outcome of a change in numbers, as in viz/effect/outcome; the page has the words.
 * @typedef {{ lead: string, text: string, before: number, after: number }} Likely
 * @typedef {{ texts: string[], logs: number[], piece: Likely, rival: Likely, beside: Likely[],
 *   changed: boolean, ahead: boolean, blanks: number }} Outcome
 */

/**
 * Make the outcome.
 * @param {import("../tokenizer.js").Tokenizer} tokenizer The tokenizer of the target.
 * @param {import("../measures/effect.js").Effect} effect The effect.
 * @param {Record<number, number>} rivals The rival of a piece, such as elle of il, by ids.
 * @param {number | null} step The step in focus.
 * @returns {Outcome} The outcome.
 */
export function outcomeOf(tokenizer, effect, rivals, step = null) {
  const { usual, changed, forced, ids, before, after } = effect;
  const change = after.map((likely, place) => likely - before[place]);
  const names = tokenizer.tokens(ids);
  const numbers = wordNumbers(names);
  const isWhole = (place) => numbers[place] !== numbers[place - 1] && numbers[place] !== numbers[place + 1];
  const rivalAt = (place) => (isWhole(place) ? rivals[ids[place]] : undefined); // none within a word
  const pairs = [...ids.keys()].filter((place) => rivalAt(place) !== undefined);
  const { first, beside } = decidingPlace(change, pairs, step);
  const likely = (place, id) => {
    const [name] = tokenizer.tokens([id]);
    const [was, is] = [usual.recording, forced].map((recording) => likelyAt(recording, place)[id]);
    const text = name.replaceAll(WORD_START, "·").replace(/^·+/, "");
    return { lead: leadOf([...names.slice(0, place), name], place), text, before: was, after: is };
  };
  const logs = [before, after].map((all) => all.reduce((sum, one) => sum + Math.log(one), 0));
  return {
    texts: [usual.translation.text, changed.translation.text],
    logs,
    piece: likely(first, ids[first]),
    rival: likely(first, rivalAt(first) ?? strongestOther(effect, first)),
    beside: beside.map((place) => likely(place, ids[place])),
    changed: effect.isChanged,
    ahead: effect.isAhead,
    blanks: changed.translation.ids.length,
  };
}

/** Choose the place of the deciding words, and at most one other with a notable change. */
function decidingPlace(change, pairs, step) {
  const size = (place) => Math.abs(change[place]);
  const most = [...change.keys()].sort((one, other) => size(other) - size(one));
  const own = most.filter((place) => pairs.includes(place));
  const among = own.length ? own : most;
  const first = among.includes(step) ? step : among[0];
  const others = most.filter((place) => place !== first && (place === step || size(place) >= NOTABLE));
  const beside = others.includes(step) ? step : others[0];
  return { first, beside: others.length ? [beside] : [] };
}

/** What stands before a piece: the beginning of its word, else the word before it. */
function leadOf(pieces, place) {
  const said = pieces.map((piece) => piece.replaceAll(WORD_START, "·"));
  const text = said.slice(0, place).join("").replaceAll("·", " ");
  const last = text.slice(text.lastIndexOf(" ") + 1);
  return said[place].startsWith("·") ? `${last} `.trimStart() : last;
}
