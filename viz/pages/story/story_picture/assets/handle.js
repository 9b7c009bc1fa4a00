import { fillIn, make } from "../../../../components/javascript/dom.js";
import { pointIn } from "../../../../components/javascript/canvas.js";
import { dragged } from "../../../../components/javascript/dragged.js";
import { edge } from "./places.js";
import { strongest } from "./state.js";

/**
 * An end that can be moved to other words: its `kind`, its `words`, its `own` word and the `current`
 * one, its `label`, and what is told of a move. `aim` gets each word that it passes, with its place on
 * the stage, and null at the end; `drop` gets the word where it is left, null for its own.
 * @typedef {{ kind: string, words: () => number[], own: () => number, current: () => number,
 *   label: () => string, aim: (word: number | null, point?: object) => void,
 *   drop: (word: number | null) => void }} End
 */

/** The end of an arc, which is turned in the head that it is drawn for; null if it cannot be turned. */
export function arcEnd(told, place, line, look, moves) {
  const arc = told.arcs[place];
  if (!arc.turns[0]?.some(Boolean)) return null;
  const own = () => strongest(arc, look.shown).key;
  return {
    kind: arc.kind,
    words: () => [...line.nodes.keys()].filter((word) => arc.turns[look.shown][word]),
    own,
    current: () => (look.turn?.arc === place ? look.turn.word : own()),
    label: () => labelOf(told, look, arc.querySide, arc.query, arc.turnsIn),
    ...movesOf({ arc: place }, moves),
  };
}

/** The end of a grey line of the alignment, which is turned in all cross heads; null for none. */
export function lineEnd(told, number, look, moves) {
  const lines = () => told.lines?.[look.shown]?.[number] ?? [];
  if (!told.lines?.some((side) => side[number]?.some(Boolean))) return null;
  const { weights } = told.arcs.find(({ querySide, keySide }) => querySide !== keySide);
  const own = () => weights[look.shown][number].indexOf(Math.max(...weights[look.shown][number]));
  return {
    kind: "line",
    words: () => [...lines().keys()].filter((word) => lines()[word]),
    own,
    current: () => (look.turn?.line === number ? look.turn.word : own()),
    label: () => labelOf(told, look, "target", number, told.words.crossHeads),
    ...movesOf({ line: number }, moves),
  };
}

function movesOf(end, { aim, drop }) {
  return {
    aim: (word, point) => aim(word === null ? null : { ...end, word, point }),
    drop: (word) => drop(word === null ? null : { ...end, word }),
  };
}

function labelOf(told, { shown }, side, number, head) {
  return fillIn(told.words.handle, { word: told[side][number].texts[shown], head });
}

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/** An end as a handle, which pointer and arrow keys move to the other words of a line. */
export function handle(end, stage, line, title) {
  if (!end) return null;
  const { words, own, current, aim } = end;
  const leave = (word) => end.drop(word === own() ? null : word);
  const under = (event) => {
    const point = pointIn(stage, event);
    return { held: nearest(stage, line, words(), point), point };
  };
  const drag = dragged(current, under, (at) => (at ? aim(at.held, at.point) : aim(null)), leave);
  const goalOf = (key) => {
    const all = words();
    if (key in STEPS) return all[all.indexOf(current()) + STEPS[key]] ?? current();
    return { Home: all[0], End: all.at(-1), Escape: own(), Delete: own() }[key];
  };
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const goal = goalOf(event.key);
    if (goal === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    drag.stop();
    leave(goal);
  };
  const node = make(
    "button",
    { type: "button", class: "handle", role: "slider", "data-arc": end.kind, title, keydown: press, ...drag.listeners },
  );
  const show = () => {
    const all = words();
    node.hidden = !all.length;
    node.setAttribute("aria-label", end.label());
    node.setAttribute("aria-valuemin", "1");
    node.setAttribute("aria-valuemax", String(all.length));
    node.setAttribute("aria-valuenow", String(all.indexOf(current()) + 1));
    node.setAttribute("aria-valuetext", line.textOf(current()));
  };
  const put = ({ x, y }) => {
    node.style.setProperty("--x", `${Math.round(x)}px`);
    node.style.setProperty("--y", `${Math.round(y)}px`);
  };
  const hide = (isHidden) => (node.style.display = isHidden ? "none" : "");
  return { node, show, put, hide };
}

/** The word of a line that is nearest to a point of the stage. */
function nearest(stage, line, words, { x, y }) {
  const away = (word) => {
    const [above, below] = ["top", "bottom"].map((side) => edge(stage, line.nodes[word], side));
    const half = line.nodes[word].offsetWidth / 2;
    const across = Math.max(0, Math.abs(x - above.x) - half);
    // Words of other rows count as far, so that a shaking hand stays in its row.
    return across + 3 * Math.max(0, above.y - y, y - below.y);
  };
  return words.reduce((best, word) => (away(word) < away(best) ? word : best));
}
