import { TurnAttention } from "../interventions/attention.js";
import { readEdits, writeEdits } from "../interventions/link_text.js";
import { onWord, rowOf } from "../measures/deciding.js";
import { alignedWords } from "../measures/own_pair.js";
import { WORD_START, findWord, textOf, wordsOf } from "../words.js";

const OPEN_BOX = "\u2423"; // what stands for a piece that is only the space before a word

/**
 * @typedef {import("../words.js").Word} Word
 * @typedef {import("../measures/sequences.js").Slot} Slot
 * @typedef {{ words: Word[][], slots: Slot[] }} Aligned The words of both sentences on a side.
 * @typedef {import("./story_runs.js").StoryRuns} StoryRuns
 */

/**
 * Make the message of a story: numbers alone. The same as viz/pages/story makes.
 * @param {StoryRuns} story The runs of the story.
 * @param {import("../tokenizer.js").Tokenizer} tokenizer The tokenizer of the target, which names pieces.
 * @returns {object} The message.
 */
export function storyMessage(story, tokenizer) {
  const { told, heads, decision, sides, cuts, turns, carries } = story;
  const sideOfStory = (words) => ({ words, slots: alignedWords(...words) });
  const source = sideOfStory(sides.map(({ words }) => words));
  const target = sideOfStory(sides.map(({ written }) => wordsOf(written)));
  const { versions, numberOf } = versionsOf(target.words, cuts, turns);
  const shown = shownWords(source);
  const asks = findWord(source.words[0], told.asks || told.source[0]);
  const arcs = heads.map((head, arc) => {
    return arcMessage(story, { head, arc, step: decision.prefix.length - 1, sources: source, targets: target, numberOf });
  });
  return {
    source: shown,
    target: shownWords(target, versions),
    sentences: sides.map((side) => side.source.text),
    switch: shown.findIndex(({ texts: [one, other] }) => one !== other),
    arcs,
    carried: carries ? slotOf(source.slots, asks, "first") : null,
    likely: cuts.map((side) => side.map(({ likely }) => likely.map((chance) => roundedTo(chance, 8)))),
    others: cuts.map((side) => side.map(({ other }) => roundedTo(other, 4))),
    written: cuts.map((side, n) => side.map(({ written }) => numberOf(n, written))),
    translations: cuts.map((side, n) =>
      side.map(({ written }) => (numberOf(n, written) === null ? textOf(wordsOf(written)) : "")),
    ),
    pieces: decision.ids.map((id, n) => inItsWord(nameOf(tokenizer, id), tokenizer.names[id], sides[n].written, decision)),
    lines: [0, 1].map((n) => (turns.flat(2).length ? linesOf(arcs, target, source, n) : [])),
  };
}

/**
 * Make the message of a turned line: a step that writes a word looks at one source word in all cross
 * heads. The same as viz/pages/story makes.
 * @param {StoryRuns} story The runs of the story.
 * @param {import("../tokenizer.js").Tokenizer} tokenizer The tokenizer of the target, which names pieces.
 * @param {number} number The sentence, 0 or 1.
 * @param {string} edit The turn, as in a link.
 * @returns {object} The message.
 */
export function lineMessage({ sides }, tokenizer, number, edit) {
  const [turn] = readEdits(edit).interventions;
  const { ids, before, likely, other, weights, written } = sides[number].turnedLine(turn);
  const own = sides.map((side) => wordsOf(side.written));
  const words = wordsOf(written);
  const isOther = String(written) !== String(sides[number].written);
  const isAlike = words.length === own[number].length;
  const shown = isAlike && shownWords({ words: own, slots: alignedWords(...own) }, [{ number, words }]);
  return {
    number,
    edit,
    pieces: ids.map((id) => nameOf(tokenizer, id)),
    before: before.map((chance) => roundedTo(chance, 8)),
    likely: likely.map((chance) => roundedTo(chance, 8)),
    other: roundedTo(other, 4),
    onKeys: weights.map((one) => one.map((weight) => roundedTo(weight, 4))),
    texts: isOther && isAlike ? shown.map(({ texts }) => texts.at(-1)) : null,
    translation: isOther && !isAlike ? textOf(words) : "",
  };
}

/** A piece without the signs for spaces, unless it is nothing else. */
function nameOf(tokenizer, id) {
  const name = tokenizer.names[id];
  return name.replace(new RegExp(`^${WORD_START}+|${WORD_START}+$`, "g"), "") || name;
}

/** A deciding piece, with the rest of a longer word in brackets: "cro(chu)". */
function inItsWord(name, piece, tokens, { prefix }) {
  const step = prefix.length - 1;
  const word = wordsOf(tokens).find(({ first, last }) => first <= step && step <= last);
  if (!word || word.first === word.last || tokens[step] !== piece) return name;
  const bare = (part) => part.join("").replaceAll(WORD_START, "");
  const inBrackets = (part) => (bare(part) ? `(${bare(part)})` : "");
  const text = bare([piece]) || OPEN_BOX;
  return `${inBrackets(tokens.slice(word.first, step))}${text}${inBrackets(tokens.slice(step + 1, word.last + 1))}`;
}

/** The turns of each step that writes a word, onto each word of the source, as in a link. */
function linesOf(arcs, { words, slots }, sources, number) {
  const taken = arcs.filter(({ querySide }) => querySide === "target").map(({ query }) => query);
  const keys = sources.slots.map((slot) => {
    const span = placesOf(slot, number);
    return span && span[0] === span[1] ? sources.words[number][span[0]] : null;
  });
  return slots.map((slot, place) => {
    const span = placesOf(slot, number);
    const asked = span && words[number][span[0]];
    const isTurned = asked && !taken.includes(place) && /[\p{L}\p{N}]/u.test(asked.text);
    return keys.map((key) => {
      if (!isTurned || !key) return null;
      const pieces = Array.from({ length: key.last + 1 - key.first }, (_, n) => key.first + n);
      return writeEdits([new TurnAttention("cross", asked.first, pieces, [])]);
    });
  });
}

function arcMessage({ told, sides, cuts, turns, also }, { head, arc, step, sources, targets, numberOf }) {
  const { kind, layer, head: number, reads } = head;
  const within = kind === "encoder";
  const queries = within ? sources : targets;
  const query = within
    ? findWord(sources.words[0], told.asks)
    : targets.words[0].findIndex(({ first, last }) => first <= step && step <= last);
  const keys = (reads ? [told.asks, told.asks] : told.source).map((text, n) =>
    slotOf(sources.slots, findWord(sources.words[n], text), n ? "second" : "first"),
  );
  const turnOf = ({ turn, likely, other, weights, written }, n) => {
    const version = numberOf(n, written);
    return {
      edit: writeEdits([turn]),
      likely: likely.map((chance) => roundedTo(chance, 8)),
      other: roundedTo(other, 4),
      onKeys: weights.map((own) => own.map((weight) => roundedTo(weight, 4))),
      written: version,
      translation: version === null ? textOf(wordsOf(written)) : "",
    };
  };
  return {
    kind, layer, head: number,
    querySide: within ? "source" : "target",
    keySide: "source",
    query: slotOf(queries.slots, query, "first"),
    keys,
    weights: sides.map(({ whole }, n) => weightsOnWords(whole.arrays, head, queries, sources, n)),
    onKeys: cuts.map((side) => side.map(({ weights }) => weights[arc].map((weight) => roundedTo(weight, 4)))),
    cuttable: cuts[0].length > 1,
    also: also[arc].map((side) => side.map(({ weight, likely, ...place }) => {
      return { ...place, weight: roundedTo(weight, 4), likely: likely.map((chance) => roundedTo(chance, 8)) };
    })),
    turns: turns.map((side, n) => {
      const own = side[arc];
      return sources.slots.map((slot) => {
        const span = placesOf(slot, n);
        return own && span && span[0] === span[1] ? turnOf(own[span[0]], n) : null;
      });
    }),
  };
}

/** The places of a slot's words in the first sentence (0) or the second (1). */
function placesOf({ first, second }, number) {
  return number ? second : first;
}

/** The slot of a word of one sentence. */
function slotOf(slots, word, sentence) {
  return slots.findIndex(({ [sentence]: span }) => span && span[0] <= word && word <= span[1]);
}

/** A head's weights by slots: from the first piece of a query to all pieces of a key. */
function weightsOnWords(arrays, head, queries, keys, number) {
  return queries.slots.map((slot) => {
    const span = placesOf(slot, number);
    const row = span && rowOf(arrays, head, queries.words[number][span[0]].first);
    return keys.slots.map((key) => {
      const on = placesOf(key, number);
      if (!row || !on) return 0;
      const [first, last] = on.map((place) => keys.words[number][place]);
      return roundedTo(onWord(row, { first: first.first, last: last.last }), 4);
    });
  });
}

/**
 * List the new translations that changes lead to, with as many words as their sentence's own.
 * `numberOf` tells the number of the version of a translation: 0 and 1 are both sentences' own, 2 is
 * the first of the list; null if it has more or fewer words.
 */
function versionsOf(own, cuts, turns) {
  const versions = [];
  const textsOf = (number, words) => `${number} ${JSON.stringify(words.map(({ text }) => text))}`;
  const numbers = new Map(own.map((words, number) => [textsOf(number, words), number]));
  const numberOf = (number, written) => {
    const words = wordsOf(written);
    if (words.length !== own[number].length) return null;
    const name = textsOf(number, words);
    if (!numbers.has(name)) {
      numbers.set(name, 2 + versions.length);
      versions.push({ number, words });
    }
    return numbers.get(name);
  };
  cuts.forEach((side, number) => {
    const all = [...side, ...turns[number].flat()];
    all.forEach(({ written }) => numberOf(number, written));
  });
  return { versions, numberOf };
}

/** The words of a side in all versions, with their pieces in both sentences. */
function shownWords({ words, slots }, versions = []) {
  const all = [...words.map((own, number) => ({ number, words: own })), ...versions];
  return slots.map((slot) => {
    const texts = [];
    let isSpaced = true;
    for (const { number, words: own } of all) {
      const span = placesOf(slot, number);
      const part = span ? own.slice(span[0], span[1] + 1) : [];
      texts.push(textOf(part));
      if (part.length) isSpaced = part[0].spaced;
    }
    const pieces = [0, 1].map((number) => {
      const span = placesOf(slot, number);
      return span && [words[number][span[0]].first, words[number][span[1]].last];
    });
    return { texts, spaced: isSpaced, pieces };
  });
}

function roundedTo(value, digits) {
  return Number(value.toFixed(digits));
}
