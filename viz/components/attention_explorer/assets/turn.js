import { linkOf, valueWith } from "../../javascript/address.js";
import { pointIn } from "../../javascript/canvas.js";
import { make, makeSvg } from "../../javascript/dom.js";
import { dragged } from "../../javascript/dragged.js";
import { visit } from "../../javascript/visit.js";
import { saidPlace } from "./said.js";
import { placeOf } from "./state.js";

const TURNS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

/**
 * A handle at the end of the line that the sentence above is about. Dragged, or moved by arrow keys,
 * to another key, it leads to the model whose head looks at that key; meanwhile the sentence says
 * what becomes of the next words. In cross-attention all heads are turned, as one head alone decides
 * nothing. `keys` is the list of the keys.
 */
export function turnHandle(app, keys) {
  let at = null; // the line of the handle, and the layout that it is drawn in
  let aimed = null; // the key under the dragged end
  const free = makeSvg("path", { class: "free" });
  const overlay = makeSvg("svg", { class: "turning", "aria-hidden": "true" }, free);

  const stop = () => {
    aimed = null;
    free.removeAttribute("d");
    keys.aim(null);
    app.trials.aim(null);
  };
  const aim = (column, { x, y }) => {
    aimed = column;
    keys.aim(column);
    const { row } = at.link;
    app.trials.aim(column === at.link.column ? null : turnTo(app, row, column));
    const [left, middle] = [at.layout.left + 2, (row + 0.5) * at.layout.row];
    const bend = (x - left) * 0.42;
    free.setAttribute("d", `M ${left} ${middle} C ${left + bend} ${middle}, ${x - bend} ${y}, ${x} ${y}`);
  };
  const leave = (column) => {
    const { row, column: own } = at.link;
    stop();
    if (column === own) return;
    const turn = turnTo(app, row, column);
    app.trials.settle(turn);
    visit(turn.link);
  };
  const under = (event) => {
    const point = pointIn(overlay, event);
    return { held: Math.max(0, Math.min(last(app, at.link.row), Math.floor(point.y / at.layout.row))), point };
  };
  const drag = dragged(() => at.link.column, under, (place) => (place ? aim(place.held, place.point) : stop()), leave);
  const step = (by) => {
    const goal = (aimed ?? at.link.column) + by;
    if (goal < 0 || goal > last(app, at.link.row)) return;
    aim(goal, { x: at.layout.width - at.layout.right - 2, y: (goal + 0.5) * at.layout.row });
  };
  const giveUp = () => {
    drag.stop();
    stop();
  };
  const keyboard = arrowKeys(step, () => aimed !== null && leave(aimed), giveUp);
  const knob = make("button", { type: "button", class: "handle", role: "slider", ...keyboard, ...drag.listeners });

  const show = (layout) => {
    const link = offered(app) ? saidPlace({ ...app, hovered: null }) : null;
    at = link && { link, layout };
    knob.hidden = !link;
    if (!link) return;
    describe(knob, app, { ...link, column: aimed ?? link.column });
    knob.style.left = `${layout.width - layout.right - 2}px`;
    knob.style.top = `${(link.column + 0.5) * layout.row}px`;
  };
  return { nodes: [overlay, knob], show };
}

/** The listeners for arrow keys: each `step`s while it is held, and `leave`s when it is let go. */
function arrowKeys(step, leave, stop) {
  return {
    keydown: (event) => {
      if (event.key === "Escape") stop();
      if (!(event.key in TURNS)) return;
      event.preventDefault();
      event.stopPropagation();
      step(TURNS[event.key]);
    },
    keyup: ({ key }) => key in TURNS && leave(),
    blur: stop,
  };
}

/** Say what the handle is for, and where it is. */
function describe(knob, app, { row, column }) {
  const { queries, keys } = app.sides;
  knob.title = app.say(app.state.kind === "cross" ? "turn all" : "turn one");
  knob.setAttribute("aria-label", `${knob.title}: ${queries[row].name}`);
  knob.setAttribute("aria-valuemin", "1");
  knob.setAttribute("aria-valuemax", String(last(app, row) + 1));
  knob.setAttribute("aria-valuenow", String(column + 1));
  knob.setAttribute("aria-valuetext", keys[column].name);
}

/** True if a line can be turned: where a model answers, and for a single head or in cross-attention. */
function offered({ state, payload }) {
  const single = placeOf(state).heads.length === 1 && !state.layers;
  return payload.header.offers?.head?.turn && (single || state.kind === "cross");
}

/** The last key that a query may look at. */
function last({ state, columns }, row) {
  return state.kind === "decoder" ? row : columns - 1;
}

/**
 * The turn by which a query looks at a key alone, as trials.js wants it, with the link to the model in
 * which it does; pieces count from 1.
 */
function turnTo({ state, sides, payload }, row, column) {
  const { kind, focused } = state;
  const pieces = sides.keys[column].pieces.map((piece) => piece + 1);
  const [query] = sides.queries[row].pieces;
  const offer = payload.header.offers.head.turn[kind];
  const link = linkOf(offer, {
    kind, layer: placeOf(state).layer + 1, head: focused + 1, query: query + 1,
    keys: pieces.length === 1 ? String(pieces[0]) : `${pieces[0]}-${pieces.at(-1)}`,
  });
  const edits = valueWith(offer, "keys", link);
  return { row, column, kind, link, edits, turn: edits.split("_").at(-1), step: kind === "encoder" ? null : query };
}
