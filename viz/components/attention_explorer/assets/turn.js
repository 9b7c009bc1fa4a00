import { linkOf } from "../../javascript/address.js";
import { pointIn } from "../../javascript/canvas.js";
import { make, makeSvg } from "../../javascript/dom.js";
import { visit } from "../../javascript/visit.js";
import { saidPlace } from "./said.js";
import { placeOf } from "./state.js";

const TURNS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

/**
 * A handle at the end of the line that the sentence above is about. Dragged, or moved by arrow keys,
 * to another key, it leads to the model whose head looks at that key. In cross-attention all heads
 * are turned, as one head alone decides nothing. `keys` is the list of the keys.
 */
export function turnHandle(app, keys) {
  let at = null; // the line of the handle, and the layout that it is drawn in
  let held = null; // the key under the dragged end
  const free = makeSvg("path", { class: "free" });
  const overlay = makeSvg("svg", { class: "turning", "aria-hidden": "true" }, free);
  const knob = make("button", { type: "button", class: "handle", role: "slider" });

  const stop = () => {
    held = null;
    free.removeAttribute("d");
    keys.aim(null);
  };
  const turn = (column) => {
    const { row, column: own } = at.link;
    stop();
    if (column !== own) visit(linkTo(app, row, column));
  };
  knob.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    knob.focus();
    knob.setPointerCapture(event.pointerId);
    held = at.link.column;
  });
  knob.addEventListener("pointermove", (event) => {
    if (held === null) return;
    const { x, y } = pointIn(overlay, event);
    held = Math.max(0, Math.min(last(app, at.link.row), Math.floor(y / at.layout.row)));
    keys.aim(held);
    const [left, middle] = [at.layout.left + 2, (at.link.row + 0.5) * at.layout.row];
    const bend = (x - left) * 0.42;
    free.setAttribute("d", `M ${left} ${middle} C ${left + bend} ${middle}, ${x - bend} ${y}, ${x} ${y}`);
  });
  knob.addEventListener("pointerup", () => held !== null && turn(held));
  knob.addEventListener("pointercancel", stop);
  knob.addEventListener("keydown", (event) => {
    if (event.key === "Escape") stop();
    if (!(event.key in TURNS)) return;
    event.preventDefault();
    event.stopPropagation();
    const goal = at.link.column + TURNS[event.key];
    if (goal >= 0 && goal <= last(app, at.link.row)) turn(goal);
  });

  const show = (layout) => {
    const link = offered(app) ? saidPlace({ ...app, hovered: null }) : null;
    at = link && { link, layout };
    knob.hidden = !link;
    if (!link) return;
    describe(knob, app, link);
    knob.style.left = `${layout.width - layout.right - 2}px`;
    knob.style.top = `${(link.column + 0.5) * layout.row}px`;
  };
  return { nodes: [overlay, knob], show };
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

/** The link to the model in which a query looks at a key alone; pieces count from 1. */
function linkTo({ state, sides, payload }, row, column) {
  const { kind, focused } = state;
  const pieces = sides.keys[column].pieces.map((piece) => piece + 1);
  return linkOf(payload.header.offers.head.turn[kind], {
    kind, layer: placeOf(state).layer + 1, head: focused + 1, query: sides.queries[row].pieces[0] + 1,
    keys: pieces.length === 1 ? String(pieces[0]) : `${pieces[0]}-${pieces.at(-1)}`,
  });
}
