import { make, setText } from "../../javascript/dom.js";
import { headBoard } from "../../javascript/head_board.js";
import { paintedTile } from "../../javascript/tile.js";
import { headName, isOff } from "./aids.js";
import { shownHead } from "./transform.js";

/** A head's weights as the levels of a miniature: their roots, so that small weights are seen. */
function miniature(app, layer, head) {
  const { queries, keys } = app.sides;
  const weights = shownHead(app.payload, app.state, app.state.kind, layer, head);
  const levels = Uint8Array.from(weights, (weight) => Math.round(255 * Math.sqrt(Math.min(1, weight))));
  return paintedTile(levels, queries.length, keys.length, app.colours.table);
}

/**
 * The board of the kind on screen, with the name of the head under the pointer or of the chosen
 * head. `chosen()` returns its place and `said()` its name; `pick` and `means` are as in headBoard.
 */
export function boardChoice(app, { label, means, chosen, said, pick }) {
  const name = make("output", {});
  const place = make("div", {});
  const node = make("div", { class: "board-choice", role: "group", "aria-label": label }, place, name);
  const read = (text) => setText(name, text ?? said());
  let [board, built] = [null, ""];
  const looks = () => {
    const { state, payload, colours } = app;
    return JSON.stringify([payload.header.id, state.kind, state.hide, state.words, state.mass, colours.background]);
  };
  const build = () => {
    const { kind } = app.state;
    built = looks();
    board = headBoard({
      ...app.payload.kinds[kind], colour: app.colours.kinds[kind], means, read, pick,
      cellOf: (layer, head) => {
        const text = headName(app, layer, head);
        const off = isOff(app, layer, head) ? "0" : undefined;
        return { name: text, said: text, label, picture: miniature(app, layer, head), off };
      },
    });
    place.replaceChildren(board.node);
  };
  const show = () => {
    if (built !== looks()) build(); // another kind may have another number of heads
    board.show(chosen());
    read(null);
  };
  return { node, show };
}
