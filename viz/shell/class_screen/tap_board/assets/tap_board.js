import "./tap_board.css";
import { make } from "../../../../components/javascript/dom.js";
import { headBoard } from "../../../../components/javascript/head_board.js";
import { mount } from "../../../../components/javascript/mount.js";

/** Draw the board again; nothing is chosen on it until somebody taps. */
export function render({ data, parentElement, setTriggerValue }) {
  const { names, heads, colour } = data;
  const nameOf = (layer, head) => names[layer * heads + head];
  const board = headBoard({
    layers: names.length / heads,
    heads,
    colour,
    cellOf: (layer, head) => ({ name: nameOf(layer, head), said: nameOf(layer, head), label: nameOf(layer, head) }),
    pick: (layer, head) => setTriggerValue("place", layer * heads + head),
    read: () => {},
  });
  board.show(null);
  mount(parentElement, make("div", { class: "tap-board" }, board.node));
}
