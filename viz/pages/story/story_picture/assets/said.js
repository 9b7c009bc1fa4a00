import { fillIn, inARow } from "../../../../components/javascript/dom.js";
import { percent } from "../../../../components/javascript/numbers.js";
import { appLink } from "../../../../components/javascript/visit.js";
import { carried, emphasised, named } from "./cuts.js";
import { strongest } from "./state.js";
import { alsoSaid, isUnsure } from "./wording.js";

const SAME = 0.01; // a smaller change of a probability counts as none
const MUCH = 0.2; // a larger share of other pieces is mentioned
const LITTLE = 0.2; // a head hardly looks at what has less weight, as in the explorer
const TOSS = [0.35, 0.65]; // a share between these limits makes the choice a toss-up

/**
 * A sentence for each arc about what it shows, with the current numbers. If the corpus can be
 * searched, as it cannot on the static site, a link follows.
 */
export function seen(told, look) {
  const { shown } = look;
  const turn = look.aim ?? look.turn;
  const { version, onKeys } = look.effect();
  return told.arcs.flatMap((arc, place) => {
    if (turn?.arc === place) return []; // what is changed is said above
    const of = arc.querySide === "target" ? version : shown;
    const word = told[arc.querySide][arc.query].texts[of];
    const { number: strong } = strongest(arc, shown);
    const keys = arc.keys.map((key) => told[arc.keySide][key].texts[shown]);
    const weights = onKeys[place].map((weight) => weight.toFixed(2));
    const sentence = fillIn(onKeys[place][strong] < LITTLE ? arc.little : arc.reading, {
      head: arc.name,
      word,
      one: keys[strong],
      first: weights[strong],
      other: keys[1 - strong],
      second: weights[1 - strong],
    });
    const link = told.alike?.[place][shown];
    const alike = link ? [appLink({ class: "alike", href: link, title: told.words.alikeLong }, told.words.alike), " "] : [];
    return [...emphasised(`${sentence} `), ...alike];
  });
}

/** The changes, and their effect on the probabilities. */
export function done(told, look) {
  const { words } = told;
  const { shown } = look;
  const { likely: after, other, translation, version, changed, pending, ...effect } = look.effect();
  if (pending) return emphasised(inARow([turnSaid(told, shown, look.aim ?? look.turn), words.reads]));
  if (!changed) return emphasised(inARow([unsureOf(told, shown), look.any ? words.ask : ""]));
  const { pieces = told.pieces, before = told.likely[shown][0] } = effect;
  const parts = told.arcs.filter(({ kind }) => look.on.has(kind)).map((arc) => {
    const { keys } = named(told, arc, shown);
    const { word } = named(told, arc, arc.querySide === "target" ? version : shown); // a step is named as below
    const said = look.everywhere() ? arc.saidAll : arc.said;
    return fillIn(said, { word, one: keys[0], other: keys[1] ?? keys[0], head: arc.name });
  });
  if (look.on.has("carry")) parts.push(fillIn(told.carry.said, carried(told, shown)));
  const turn = look.aim ?? look.turn;
  if (turn) parts.push(turnSaid(told, shown, turn));
  const figures = pieces.map((piece, place) => `*${piece}* ${percent(before[place])} → ${percent(after[place])}`);
  const rest = 1 - after[0] - after[1];
  const stays = version === shown && !translation;
  parts.push(fillIn(words.figures, { one: figures[0], other: figures[1] }), verdict(words, pieces, before, after, other, stays));
  if (rest > MUCH) parts.push(fillIn(words.rest, { share: percent(rest), most: percent(other) }));
  if (translation) parts.push(fillIn(words.writes, { translation }));
  const cut = told.arcs.findLastIndex(({ kind }) => look.on.has(kind));
  if (cut >= 0 && !look.everywhere()) parts.push(alsoSaid(told, cut, shown));
  const link = look.turn && !look.aim && (effect.link ?? told.turnedLinks?.[look.turn.arc]?.[shown][look.turn.word]);
  const more = link ? [" ", appLink({ class: "alike", href: link }, words.turnedLink)] : [];
  return [...emphasised(inARow(parts)), ...more];
}

/** What to say of a choice whose two pieces have less than half of the probability; else "". */
function unsureOf({ likely, pieces: [one, other], words }, shown) {
  const before = likely[shown][0];
  return isUnsure(before) ? fillIn(words.unsure, { one, other, share: percent(before[0] + before[1]) }) : "";
}

/** Which head or heads now look from which word at which other word. */
function turnSaid(told, shown, turn) {
  if (turn.line !== undefined) {
    const [word, key] = [told.target[turn.line], told.source[turn.word]].map(({ texts }) => texts[shown]);
    return fillIn(told.words.turned.cross, { word, key });
  }
  const arc = told.arcs[turn.arc];
  return fillIn(arc.turnSaid, {
    head: arc.name,
    word: told[arc.querySide][arc.query].texts[shown],
    key: told[arc.keySide][turn.word].texts[shown],
    own: told[arc.keySide][strongest(arc, shown).key].texts[shown],
  });
}

/** What the change does to the choice, and whether the translation `stays` as it was. */
function verdict(words, pieces, before, after, other, stays) {
  if (before.every((chance, place) => Math.abs(after[place] - chance) < SAME)) return stays ? words.same : words.elsewhere;
  const choice = chosen(words, pieces, before, after, other);
  return stays ? inARow([choice, words.stays]) : choice;
}

function chosen(words, pieces, before, after, other) {
  const share = after[0] / (after[0] + after[1]);
  if (other > Math.max(...after)) return words.neither;
  if (share > TOSS[0] && share < TOSS[1]) return words.toss;
  const [was, is] = [before, after].map((values) => (values[0] >= values[1] ? 0 : 1));
  return was === is ? "" : fillIn(words.becomes, { one: pieces[was], other: pieces[is] });
}
