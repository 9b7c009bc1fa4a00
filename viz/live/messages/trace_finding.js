import { message } from "../interventions/message.js";
import { hasLetters, wordsOf } from "../words.js";
import { isOfHeads } from "../trace.js";
import { answerWay, movesOf } from "./way.js";

const FEW = 0.05; // a smaller move of the answer counts as none
const [APART, TOGETHER] = [0.05, 0.2]; // as in viz/effect/near.py

/**
 * Say what a trace shows, as viz/pages/trace/finding.py says it.
 * @typedef {import("../interventions/message.js").Message} Message
 * @typedef {string | Message} Name
 * @param {import("../trace.js").Trace} trace The trace.
 * @param {string[]} tokens The pieces of the source.
 * @param {Name[]} words The names of the two deciding pieces.
 * @returns {Message[]} The messages, one after the other.
 */
export function traceFinding(trace, tokens, words) {
  const names = pieceNames(tokens);
  if (isOfHeads(trace.part)) return [whichHead(trace)];
  if (trace.part === "sublayer") return [whichSublayer(trace, names)];
  return [message("parts", { first: words[0], second: words[1] }), whereItPasses(trace, names)];
}

/**
 * Warn, with their figures, if in a sentence the two pieces decide little.
 * @param {[number, number][]} answers The probabilities of both pieces in both sentences.
 * @returns {Message | null} The message, null where there is nothing to warn of.
 */
export function nearTie(answers) {
  if (answers.slice(0, 2).every(([one, two]) => Math.abs(one - two) >= APART && one + two >= TOGETHER)) return null;
  const [one, two, there, other] = answers.slice(0, 2).flat().map((share) => `${(100 * share).toFixed(1)}%`);
  const isTie = answers.slice(0, 2).some(([first, second]) => Math.abs(first - second) < APART);
  return message(isTie ? "tie" : "rare", { one, two, there, other });
}

function whereItPasses(trace, names) {
  const { held, passes, start, end } = answerWay(trace);
  if (end === null) return endsNowhere(trace.maps.encoder, held, start, names);
  const second = names[end];
  if (start === null) {
    return message("gathers", { layer: held[0][1], second });
  }
  const first = names[start];
  if (!passes.length && held.length < trace.maps.encoder[0].length) return message("returns", { first });
  if (!passes.length) {
    const shares = movesOf(trace.maps.encoder, trace.restored);
    const least = Math.min(...held.map(([token, column]) => shares[token][column]));
    return message("stays", { first, least: `${fixed(100 * least, 0)}%` });
  }
  const [before, after] = passes.at(-1);
  const places = { first, second, last: after[1] };
  if (passes.length > 1) {
    return message("steps", { count: passes.length, ...places });
  }
  if (after[1] === before[1] + 1) {
    return message("step", places);
  }
  return message("layers", { layer: before[1] + 1, ...places });
}

function endsNowhere(encoder, held, start, names) {
  if (!held.length) return nothingMoves(encoder);
  const [last, column] = held.at(-1);
  if (start === null) return message("between", { layer: column, first: names[last] });
  return message("scatters", { first: names[start], layer: column + 1 });
}

function nothingMoves(encoder) {
  const tried = encoder.filter((row) => row.some(Number.isFinite)).length;
  if (2 * tried > encoder.length) return message("nothing");
  return message("untried", { tried, pieces: encoder.length });
}

function whichSublayer({ maps: { encoder }, sites, restored }, names) {
  const sizes = movesOf(encoder, restored).map((row) => row.map((share) => Math.abs(share) || 0));
  const most = Math.max(...sizes.flat());
  if (most < FEW) return message("noSublayer");
  const token = sizes.findIndex((row) => row.includes(most));
  const column = sizes[token].indexOf(most);
  const [, layer, sublayer] = sites.encoder[column].split(".");
  return message("sublayer", {
    sublayer: message("layer", { number: Number(layer) + 1, sublayer }),
    token: names[token], value: fixed(encoder[token][column], 2),
  });
}

function whichHead(trace) {
  const best = bestHead(trace);
  if (!best) return message("noPartner");
  if (best.move < FEW) return message("noHead");
  return message("head", { head: best.head, value: fixed(best.value, 2) });
}

/**
 * Find the head that moves the answer furthest.
 * @param {import("../trace.js").Trace} trace A trace of heads.
 * @returns {{ head: [string, number, number], value: number, move: number } | null} The head, its value
 *   and how far that is; null if no head was measured.
 */
export function bestHead({ maps, restored }) {
  const base = restored ? 1 : 0;
  let best = null;
  for (const [kind, rows] of Object.entries(maps)) {
    for (const [layer, row] of rows.entries()) {
      for (const [head, value] of row.entries()) {
        const move = Math.abs(value - base);
        if (move > (best?.move ?? -1)) best = { head: [kind, layer, head], value, move };
      }
    }
  }
  return best;
}

/**
 * Name each piece of a text within a sentence: one that is a part of a word, with the word.
 * @param {string[]} tokens The pieces.
 * @returns {Name[]} The names.
 */
export function pieceNames(tokens) {
  return wordsOf(tokens).flatMap((word) => tokens.slice(word.first, word.last + 1).map((token) => partOf(pieceName(token), word)));
}

function partOf(piece, { text: whole, first, last }) {
  if (first === last) return piece;
  return piece === whole.replace(/'+$/, "") ? whole : message("piece", { piece, whole });
}

/** A piece without the mark of its space; a sign is in quotes, and a space alone has a sign. */
function pieceName(token) {
  const text = token.replaceAll("\u2581", "·").replace(/^·+|·+$/g, "") || "␣";
  return hasLetters(text) ? text : `“${text}”`;
}

function fixed(value, digits) {
  return value.toFixed(digits).replace("-", "\u2212");
}
