import { fillIn, inARow } from "../../../../components/javascript/dom.js";
import { percent } from "../../../../components/javascript/numbers.js";
import { strongest } from "./state.js";

const NEAR = 0.15; // a choice is a toss-up if both pieces have nearly half of what they have together
const NOTICED = 0.05; // the smallest change of a probability that counts
const SURE = 0.5; // of what both pieces have less of together, the model is unsure

/** The message with those sentences of its table that this story needs. */
export function worded(told) {
  const { words } = told;
  const arcs = told.arcs.map((arc) => {
    const name = headName(words, arc);
    const form = `${arc.querySide}${arc.keys[0] === arc.keys[1] ? 1 : 2}`;
    return {
      ...arc, name,
      reading: words.reading[form],
      little: words.little[form],
      said: words.forbidden[form],
      saidAll: words.forbiddenAll[form],
      weightOf: fillIn(words.weightOf, { head: name }),
      turnsIn: arc.kind === "cross" ? words.crossHeads : name,
      turnSaid: words.turned[arc.kind],
    };
  });
  return { ...told, arcs, carry: carryOf(told), words: { ...words, caution: cautionOf(told), promise: whyOf(told) ?? words.promise } };
}

/**
 * Why the pair matters, for French pronouns: which noun is masculine, and which feminine; and for
 * 自己, that English needs an owner. That is said of the examples alone, whose translations are known
 * to be right; null for all others.
 */
function whyOf({ arcs, carried, pairs, pieces, sentences, source, words }) {
  const { keys, query, querySide, keySide } = arcs.at(-1);
  const il = pieces.indexOf("il");
  const known = pairs.some(({ first, second }) => first === sentences[0] && second === sentences[1]);
  const own = carried === null ? "" : source[carried].texts[0];
  if (known && own === "自己") {
    const [one, other] = source.find(({ texts }) => texts[0] !== texts[1]).texts;
    return fillIn(words.whyOwn, { own, one, other, piece: pieces[0], rival: pieces[1] });
  }
  const within = querySide === "source" && keySide === "source" && keys[0] !== keys[1];
  if (!known || !within || il < 0 || !pieces.includes("elle")) return null;
  const [asks, he, she] = [query, keys[il], keys[1 - il]].map((word) => source[word].texts[0]);
  return fillIn(words.why, { asks, he, she });
}

/** A head's name on all pages, from 1: cross 5.6. */
function headName({ kinds }, { kind, layer, head }) {
  return `${kinds[kind]} ${layer + 1}.${head + 1}`;
}

function carryOf({ carried: word, source, words: { carry } }) {
  if (word === null) return null;
  const [one, other] = source[word].texts;
  return { word, label: one === other ? carry.same : carry.differs, said: carry.said };
}

/** A sentence: which head is shown, and if the choice was measured to depend on its link. */
function cautionOf({ words, ...told }) {
  const { arcs, likely, others, pieces, trained } = told;
  const { caution } = words;
  const deciding = arcs.at(-1);
  const [one, other] = deciding.keys;
  const named = { head: headName(words, deciding), layer: deciding.layer + 1, number: deciding.head + 1 };
  const shown = fillIn(one === other ? caution.one : caution.two, named);
  if (likely[0].length === 1) return inARow([shown, caution.uncut]);
  const alone = 2 ** (arcs.length - 1); // the combination that cuts only the deciding link, in its head
  const combination = alone + likely[0].length / 2; // in all heads
  const chances = likely.map((side, number) => [0, alone, combination].map((at) => percent(side[at][number])));
  const [[oneBefore, oneAlone, oneAfter], [otherBefore, otherAlone, otherAfter]] = chances;
  const effect = effectOfCut(likely, others, combination);
  const said = [
    shown,
    fillIn(caution.measured, {
      one: pieces[0], other: pieces[1],
      one_before: oneBefore, one_after: oneAfter, other_before: otherBefore, other_after: otherAfter,
      one_alone: oneAlone, other_alone: otherAlone,
    }),
    fillIn(caution[effect], { one: pieces[0], other: pieces[1] }),
    effect === "toss-up" && trained && one !== other ? caution.trained : "", // on words that do not differ
    alsoSaid({ words, ...told }, arcs.length - 1, 0),
  ];
  return inARow(said);
}

/**
 * Say how many other heads look where an arc looks in a sentence, and what happens when each of them is
 * cut alone: whether one of them is a cause, too. "" without such heads.
 */
export function alsoSaid({ arcs, likely, pieces, words, ...told }, place, shown) {
  const arc = arcs[place];
  const others = arc.also[shown];
  if (!others.length) return "";
  const own = likely[shown][0];
  const right = own[0] >= own[1] ? 0 : 1;
  const chances = others.map((other) => other.likely[right]);
  const [low, high] = [Math.min(...chances), Math.max(...chances)];
  const moved = chances.map((chance) => Math.abs(chance - own[right]));
  const most = moved.indexOf(Math.max(...moved));
  const form = isUnsure(own) ? "look" : moved[most] < NOTICED ? "none" : "most";
  const [key] = [strongest(arc, shown).key].map((word) => told[arc.keySide][word].texts[shown]);
  const names = {
    key, count: others.length, piece: pieces[right], before: percent(own[right]), low: percent(low),
    high: percent(high), head: headName(words, { ...arc, ...others[most] }), least: percent(chances[most]),
  };
  return fillIn(words.also[others.length === 1 ? `${form}1` : form], names);
}

/** Whether both pieces together have too little for what becomes of them to say much. */
export function isUnsure([one, other]) {
  return one + other < SURE;
}

/**
 * Tell what a combination of changes does to the choice, over both sentences: "unsure" if that says
 * little, as the choice is unsure from the start; "nothing", "partly", "toss-up", "first" or "second" if this piece is the likelier in both sentences, "round" if each says
 * the other's, or "elsewhere" if in one of them another piece is likelier than both. `likely` has the
 * probabilities of both pieces by sentence and combination; the first is right in the first sentence,
 * the second in the second. `others` has those of the likeliest other piece.
 */
export function effectOfCut(likely, others, combination) {
  if (likely.some(([before]) => isUnsure(before))) return "unsure";
  const moved = likely.map((side, right) => Math.abs(side[combination][right] - side[0][right]));
  if (Math.max(...moved) < NOTICED) return "nothing";
  if (likely.some((side, number) => others[number][combination] > Math.max(...side[combination]))) return "elsewhere";
  const leads = likely.map(({ [combination]: [one, other] }) => one / (one + other) - 0.5); // of the first
  if (leads.every((lead) => Math.abs(lead) <= NEAR)) return "toss-up";
  if (leads[0] * leads[1] > 0) {
    if (Math.abs(leads[0] - leads[1]) > 2 * NEAR) return "partly"; // it still tells the sentences apart
    return leads[0] > 0 ? "first" : "second";
  }
  return leads[0] < 0 ? "round" : "partly";
}
