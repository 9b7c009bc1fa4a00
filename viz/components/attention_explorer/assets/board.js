import { make, setText } from "../../javascript/dom.js";
import { headBoard } from "../../javascript/head_board.js";
import { headName } from "./aids.js";

/**
 * The board of the kind of attention on screen, with the name of what is under the pointer or else
 * chosen. `chosen()` gives its place, `said()` its name, `pick` and `means` are the board's own.
 */
export function boardChoice(app, { label, means, chosen, said, pick }) {
  const name = make("output", {});
  const place = make("div", {});
  const node = make("div", { class: "board-choice", role: "group", "aria-label": label }, place, name);
  const read = (text) => setText(name, text ?? said());
  let [board, kind] = [null, ""];
  const build = () => {
    kind = app.state.kind;
    board = headBoard({
      ...app.payload.kinds[kind], colour: app.colours.kinds[kind], means, read, pick,
      cellOf: (layer, head) => {
        const text = headName(app, layer, head);
        return { name: text, said: text, label };
      },
    });
    place.replaceChildren(board.node);
  };
  const show = () => {
    if (kind !== app.state.kind) build(); // another kind may have another number of heads
    board.show(chosen());
    read(null);
  };
  return { node, show };
}
