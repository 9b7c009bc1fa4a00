import { aligned } from "../../live/measures/sequences.js";
import { fillIn, inARow } from "../../components/javascript/dom.js";

const NOTABLE = 0.05; // the smallest change of a probability that counts
const RUN = 5; // the most equal words in a row that are written
const UNSPACED = "\u2e80-\u2fdf\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}";
const PART = new RegExp(`\\s*(?:[${UNSPACED}]|[^\\s${UNSPACED}]+)`, "gu");
const AROUND = /^(\s*[^\p{L}\p{N}_\s]*)([^]*?)([^\p{L}\p{N}_\s]*)$/u;
const CHARACTERS = new RegExp(`[${UNSPACED}]`, "u"); // characters of scripts without spaces
const WORDED = /[\p{L}\p{N}\ufffd]/u;

/**
 * The data of the component that draws an outcome (viz/effect/outcome), in the language of the page,
 * from the numbers of viz/live/messages/outcome.js. `texts` has the app's texts by their English:
 * two forms where a number decides between them. `foreseen` is { name, part } of a change that is
 * not made.
 */
export function outcomeData(texts, outcome, foreseen, colours) {
  const { texts: [first, second], ahead, changed, piece, rival, beside } = outcome;
  const rest = (when) => Math.max(0, 1 - piece[when] - rival[when]);
  const others = { lead: "", text: texts["all other pieces"], before: rest("before"), after: rest("after") };
  const [before, after] = [first, second].map(wordsAndMarks);
  const whole = { ...outcome, others };
  const [gone, come] = differing(before, after);
  const lines = [lineOf(texts, before, gone), lineOf(texts, after, come)];
  if (!lines[1].length) lines[1] = [["", noWords(texts, outcome.blanks), false]];
  return {
    lines,
    empty: [!before.length, !after.length],
    logs: outcome.logs.map((log) => log.toFixed(2).replace("-", "\u2212")),
    changed,
    foreseen: foreseen?.name ?? "",
    bars: [piece, rival, others, ...beside].map((bar) => ({ ...bar, rest: bar === others })),
    colours,
    said: saidOutcome(texts, whole, foreseen),
    words: {
      before: foreseen ? texts.Now : texts.Before,
      after: foreseen ? texts["If pressed"] : texts.After,
      log: first === second ? texts["log-probability"] : texts["log-probability of the words before"],
      likely: ahead
        ? texts["How likely, if it sees all the words"]
        : texts["How likely, after the same beginning"],
    },
  };
}

function saidOutcome(texts, outcome, foreseen) {
  if (!outcome.changed) return texts["Change something: what happens to the words is shown here."];
  const done = doneBy(texts, outcome, foreseen);
  if (!foreseen) return done.charAt(0).toUpperCase() + done.slice(1);
  const { name, part } = foreseen;
  const form = part ? "pressed part" : "pressed";
  return fillIn(texts[form], { name, part, done });
}

/** Say what the change does; leave the probability to its bar if the change is only foreseen. */
function doneBy(texts, outcome, foreseen) {
  const { piece, rival, others, beside, ahead, texts: [first, second] } = outcome;
  const change = (bar) => Math.abs(bar.after - bar.before);
  const percents = (bar) => [bar.before, bar.after].map((share) => (100 * share).toFixed(1));
  const most = [piece, ...beside].reduce((top, bar) => (change(bar) > change(top) ? bar : top));
  const [before, after] = percents(most);
  const values = { word: most.text, before, after };
  const words = lostWords(texts, first, second);
  if (words) {
    const likely = ahead ? "given all" : "given the beginning";
    return foreseen ? words : inARow([words, fillIn(texts[likely], values)]);
  }
  if (ahead) {
    const form =
      "the same words, written one by one, where nothing lies ahead. Given all of them at once, “{word}” goes from {before} to {after}%.";
    return fillIn(texts[form], values);
  }
  if (change(most) < NOTABLE) {
    const form = "“{word}” {before} to {after}%: the same words. It makes little difference here.";
    return fillIn(texts[form], values);
  }
  if (most !== piece || Math.max(change(rival), change(others)) < NOTABLE) {
    return fillIn(texts["the same words, but “{word}” goes from {before} to {after}%."], values);
  }
  const [was, now] = percents(rival);
  const [rest, left] = percents(others);
  const form =
    "the same words, but “{word}” goes from {before} to {after}%, “{rival}” from {was} to {now}%, and all other pieces from {rest} to {left}%.";
  return fillIn(texts[form], { ...values, rival: rival.text, was, now, rest, left });
}

/** Say how many words, or characters, one text loses in the other, how many are new, or moved. */
function lostWords(texts, before, after) {
  const parts = [before, after].map(wordsAndMarks);
  const [words, then] = parts.map((part) => part.filter(hasText).map((word) => word.trimStart()));
  const [gone, come] = differing(...parts).map((places, which) => {
    return [...places].map((at) => parts[which][at].trimStart()).filter(hasText);
  });
  const count = surplus(gone, come);
  const added = surplus(come, gone);
  const moved = gone.length - count;
  if (words.length && !then.length) return texts["no word is left."];
  if (words.length && count === words.length) return texts["no word is kept."];
  const counted = (form, text, number) => {
    const name = CHARACTERS.test(text) ? form.replace("word", "character") : form;
    return fillIn(texts[name][number === 1 ? 0 : 1], { count: number, new: added, moved });
  };
  if (moved && (count || added)) return counted("{count} word lost, {new} new, {moved} moved.", before, count);
  if (count) return counted("{count} word lost, {new} new.", before, count);
  if (added) return counted("{count} word is added.", after, added);
  if (words.some((word, at) => word !== then[at])) return texts["only the order of the words changes."];
  return before === after ? "" : texts["the same words; only the punctuation changes."];
}

const hasText = (part) => WORDED.test(part);

/** How many items of one list the other list lacks; an item that stands twice counts twice. */
function surplus(one, other) {
  const left = [...other];
  return one.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  }).length;
}

function noWords(texts, blanks) {
  const values = { no_words: texts["(no words)"], count: blanks };
  if (!blanks) return fillIn(texts["{no_words}: it stops at once"], values);
  return fillIn(texts["{no_words}: {count} blank piece"][blanks === 1 ? 0 : 1], values);
}

/** Cut a text at its spaces and around characters of scripts without spaces; cut marks off words. */
function wordsAndMarks(text) {
  return (text.match(PART) ?? []).flatMap((part) => {
    const [, before, word, after] = AROUND.exec(part);
    return before.trim() ? [before, word, after] : [before + word, after];
  }).filter(Boolean);
}

/** The places without a partner, of each of two aligned texts. */
function differing(before, now) {
  const [one, other] = [before, now].map((words) => words.map((word) => word.trimStart()));
  const unequal = aligned(one, other).filter(({ same }) => !same);
  return ["first", "second"].map((side) => {
    const spans = unequal.map((slot) => slot[side]).filter(Boolean);
    return new Set(spans.flatMap(([start, end]) => Array.from({ length: end - start + 1 }, (_, at) => start + at)));
  });
}

/** A text as [the space before, the word, whether it is new]; of a long run of equal words a few. */
function lineOf(texts, words, changed) {
  const entries = [];
  for (let at = 0; at < words.length; ) {
    let end = at;
    while (end < words.length && words[end].trimStart() === words[at].trimStart()) end++;
    for (let place = at; place < Math.min(end, at + RUN); place++) {
      const word = words[place].trimStart();
      entries.push([words[place].slice(0, words[place].length - word.length), word, changed.has(place)]);
    }
    if (end - at > RUN) entries.push([" ", fillIn(texts["… ({count} times)"], { count: end - at }), false]);
    at = end;
  }
  return entries;
}
