import { addressNow, replaceAddress, said, withParameters } from "../../../../components/javascript/address.js";

/**
 * The view of the story, which is in the address: the number of the sentence on screen, and the
 * changes in the model. These are either the kinds of the cut arcs, with "all" if they are cut in all
 * heads, and "carry", or one arc that is turned onto a word, or one line of the alignment, which then
 * stands for all cross heads. Without parameter names in the message, it begins where the message says,
 * and is not written to the address.
 */
export function lookAt(told) {
  const { arcs, carry, link, shown: first = 0 } = told;
  const links = arcs.filter(({ cuttable }) => cuttable).map(({ kind }) => kind);
  const names = [...links, ...(carry ? ["carry"] : []), ...(links.length ? [ALL] : [])];
  const look = { shown: first, on: new Set(), turn: null, aim: null, any: names.length > 0 };
  /** Take over the view in the address; return true if it is a different view. */
  look.read = () => {
    if (!link) return false;
    const before = look.name();
    const asked = said();
    look.shown = asked.get(link.shown) === SECOND ? 1 : 0;
    look.turn = turnOf(told, look.shown, asked.get(link.turned) ?? "");
    const changed = look.turn ? [] : (asked.get(link.changed) ?? "").split(" ");
    look.on = new Set(names.filter((name) => changed.includes(name)));
    tidy();
    return look.name() !== before;
  };
  const tidy = () => look.cuts() || look.on.delete(ALL);
  const write = () => {
    if (!link) return;
    const own = {
      [link.shown]: look.shown ? SECOND : "",
      [link.changed]: look.changed(),
      [link.turned]: look.turn ? editOf(told, look.turn, look.shown) : "",
    };
    replaceAddress(withParameters(addressNow(), own));
  };
  look.pick = (number) => {
    look.shown = number;
    if (look.turn && !editOf(told, look.turn, number)) look.turn = null;
    write();
  };
  look.toggle = (name) => {
    look.turn = null;
    if (!look.on.delete(name)) look.on.add(name);
    tidy();
    write();
  };
  /** Turn an `arc` or a `line` onto a word; with null, all look where they look by themselves. */
  look.turnTo = (turn) => {
    look.on = new Set();
    look.turn = turn;
    write();
  };
  /** True if any arc is cut, and if that is in all heads. */
  look.cuts = () => links.some((name) => look.on.has(name));
  look.everywhere = () => look.on.has(ALL);
  look.changed = () => names.filter((name) => look.on.has(name)).join(" ");
  look.name = () => `${look.shown} ${look.changed()} ${turnName(look.turn)}`;
  /** The number of this combination: a bit for each arc that can be cut, then for "carry", and for "all". */
  look.number = () =>
    names.reduce((sum, name, bit) => sum + (look.on.has(name) ? 2 ** bit : 0), 0);
  /** True if an arc is cut, and the place of its end while that is dragged. */
  look.stateOf = (arc) => ({ cut: look.on.has(arcs[arc].kind), loose: look.aim?.arc === arc ? look.aim.point : null });
  /** What the model does in a sentence under the present changes or, during a drag, under the aim. */
  look.effect = (shown = look.shown) => effectOf(told, shown, look.number(), look.aim ?? look.turn);
  look.read();
  return look;
}

export const ALL = "all"; // that arcs are cut in all heads, not in the head that they are drawn for
const SECOND = "2"; // the number of the second sentence in the link, which counts from 1

/** The turn that a text of the address names in a sentence; null for none. */
function turnOf(told, shown, text) {
  for (const [line, edits] of (told.lines?.[shown] ?? []).entries()) {
    const word = text ? edits.indexOf(text) : -1;
    if (word >= 0) return { line, word };
  }
  for (const [arc, { turns }] of told.arcs.entries()) {
    const word = (turns[shown] ?? []).findIndex((turn) => turn?.edit === text);
    if (word >= 0) return { arc, word };
  }
  return null;
}

/** The result of a turn in a sentence; null where the sentence lacks the turn's word, or it is not known yet. */
export function resultOf(told, turn, shown) {
  const { arc, word, line } = turn;
  if (line === undefined) return told.arcs[arc].turns[shown]?.[word] ?? null;
  return told.known.get(`${shown} ${editOf(told, turn, shown)}`) ?? null;
}

/** A turn in a sentence as in a link; undefined where the sentence lacks the turn's word. */
export function editOf(told, { arc, word, line }, shown) {
  return line === undefined ? told.arcs[arc].turns[shown]?.[word]?.edit : told.lines[shown]?.[line]?.[word];
}

/** A short name of a turn, "" for none: its arc, or "line" and its word, and the word that it is turned onto. */
export function turnName(turn) {
  if (!turn) return "";
  return `${turn.line === undefined ? turn.arc : `line ${turn.line}`} ${turn.word}`;
}

/**
 * The probabilities of the two words and of the likeliest other piece, the version of the
 * translation (its text if it has more or fewer words), and the weights of every arc on its keys.
 */
function effectOf(told, shown, number, turn) {
  const result = turn && resultOf(told, turn, shown);
  if (result) return { ...result, version: result.written ?? shown, changed: true };
  return {
    pending: turn?.line !== undefined,
    likely: told.likely[shown][number],
    other: told.others[shown][number],
    version: told.written[shown][number] ?? shown,
    translation: told.translations[shown][number],
    onKeys: told.arcs.map((arc) => arc.onKeys[shown][number]),
    changed: number > 0,
  };
}

/** The key that an arc goes to, and its weight: the key with most weight, or the key it is turned to. */
export function goalOf(told, look, place) {
  const arc = told.arcs[place];
  const turn = look.aim ?? look.turn;
  if (turn?.arc === place && resultOf(told, turn, look.shown)) {
    return { key: turn.word, number: arc.keys.indexOf(turn.word), weight: 1 };
  }
  const { key, number } = strongest(arc, look.shown);
  return { key, number, weight: look.effect().onKeys[place][number] };
}

/** The key that an arc's query takes most from in the unchanged model. */
export function strongest(arc, shown) {
  const [one, other] = arc.onKeys[shown][0];
  const number = one >= other ? 0 : 1;
  return { key: arc.keys[number], number };
}
