import { fillIn, make } from "../../../../components/javascript/dom.js";
import { pointIn } from "../../../../components/javascript/canvas.js";
import { dragged } from "../../../../components/javascript/dragged.js";
import { edge } from "./places.js";
import { strongest } from "./state.js";

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/**
 * The end of an arc as a handle, which pointer and arrow keys move to other words. `aim` gets each
 * word that it passes, with its place on the stage, and null at the end. `drop` gets the word where
 * it is left, or null for the arc's own word.
 */
export function handle(told, place, stage, line, look, { aim, drop }) {
  const arc = told.arcs[place];
  if (!arc.turns[0]?.some(Boolean)) return null;
  const words = () => [...line.nodes.keys()].filter((word) => arc.turns[look.shown][word]);
  const own = () => strongest(arc, look.shown).key;
  const current = () => (look.turn?.arc === place ? look.turn.word : own());
  const leave = (word) => drop(place, word === own() ? null : word);
  const under = (event) => {
    const point = pointIn(stage, event);
    return { held: nearest(stage, line, words(), point), point };
  };
  const drag = dragged(current, under, (at) => (at ? aim(place, at.held, at.point) : aim(place, null)), leave);
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
    { type: "button", class: "handle", role: "slider", "data-arc": arc.kind, keydown: press, ...drag.listeners },
  );
  const show = () => {
    const all = words();
    const text = (side, word) => told[side][word].texts[look.shown];
    const word = text(arc.querySide, arc.query);
    node.setAttribute("aria-label", fillIn(told.words.handle, { word, head: arc.turnsIn }));
    node.setAttribute("aria-valuemin", "1");
    node.setAttribute("aria-valuemax", String(all.length));
    node.setAttribute("aria-valuenow", String(all.indexOf(current()) + 1));
    node.setAttribute("aria-valuetext", text(arc.keySide, current()));
    node.title = told.words.drag;
  };
  const put = ({ x, y }) => {
    node.style.setProperty("--x", `${Math.round(x)}px`);
    node.style.setProperty("--y", `${Math.round(y)}px`);
  };
  return { node, show, put };
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
