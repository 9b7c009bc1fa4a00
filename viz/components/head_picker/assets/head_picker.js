/* The choice of a head: a board of layers x heads for each kind of attention, open or folded. */

import "./head_picker.css";
import { colourAt, gradient, rgb } from "../../javascript/colours.js";
import { fillIn, make, setVariables } from "../../javascript/dom.js";
import { folded } from "../../javascript/fold.js";
import { headBoard } from "../../javascript/head_board.js";
import { atEnd, kept, mount } from "../../javascript/mount.js";
import { number } from "../../javascript/numbers.js";
import { tileOf } from "../../javascript/tile.js";

/** The cell of a head: its name, its texts, its picture, and a frame in the colour of its number. */
function told({ shares, words, heads }, board, layer, head) {
  const name = board.names[layer][head];
  const share = board.shares?.[layer][head] ?? null;
  const off = board.off[layer][head];
  const said = [name, share !== null && number(share), off && words.off].filter(Boolean).join(" · ");
  const place = fillIn(words.place, { layer: layer + 1, head: head + 1 });
  const label = off ? `${place}, ${words.off}` : place;
  const frame = share !== null && shares.most ? rgb(colourAt(shares.scale, share / shares.most)) : null;
  const picture = board.picture ? tileOf(board.picture, board.layers, heads, layer, head) : null;
  return { name, said, label, frame, picture, struck: off };
}

/** The legend of the colours of the cells. */
function scale({ legend, scale: colours, most }) {
  const bar = make("span", { class: "scale", style: `background: ${gradient(colours)}` });
  return make("div", { class: "legend" }, make("span", {}, legend), make("span", { class: "ends" }, "0", bar, number(most)));
}

function boardOf(data, board, send, read) {
  const { heads, chosen, words } = data;
  const shown = board.kind === chosen.kind;
  const title = make("button", {
    type: "button", class: "kind", "data-kind": board.kind, "aria-pressed": String(shown),
    click: () => !shown && send({ kind: board.kind }),
  }, board.title);
  const grid = headBoard({
    layers: board.layers, heads, colour: board.colour, means: words.means, read,
    cellOf: (layer, head) => told(data, board, layer, head),
    pick: (layer, head) => send(layer === null ? { kind: board.kind } : { kind: board.kind, layer, head }),
  });
  grid.show(shown ? chosen : null);
  const node = make("div", { class: shown ? "board shown" : "board" }, title, grid.node);
  setVariables(node, { colour: board.colour });
  return node;
}

/** The heads of the chosen layer in one line, to see and to choose. */
function lineOf(data, send, read) {
  const { chosen, words, heads } = data;
  const board = data.boards.find((one) => one.kind === chosen.kind);
  const layer = chosen.layer ?? 0;
  const line = headBoard({
    layers: 1, heads, colour: board.colour, read,
    cellOf: (_row, head) => told(data, board, layer, head),
    pick: (_row, head) => send({ kind: board.kind, layer, head }),
  });
  line.show(chosen.head === null ? null : { layer: 0, head: chosen.head });
  line.node.setAttribute("role", "group");
  line.node.setAttribute("aria-label", fillIn(words.line, { layer: layer + 1 }));
  return line.node;
}

const create = () => ({ root: make("div", { class: "head-picker" }), open: false });

export function render({ data, parentElement, setTriggerValue }) {
  const state = kept(parentElement, create);
  const { root } = state;
  const focused = root.getRootNode().activeElement?.dataset;
  const name = make("output", { class: "name" }, data.name);
  const send = (press) => setTriggerValue("press", press);
  const read = (text) => (name.textContent = text ?? data.name);
  const said = make("div", { class: "said" }, make("span", { class: "label" }, data.words.label), name);
  const boards = make("div", { class: "boards" }, ...data.boards.map((board) => boardOf(data, board, send, read)));
  const choice = data.folded ? [lineOf(data, send, read), folded(data.words.open, boards, state)] : [boards];
  root.replaceChildren(make("div", { class: "picker", role: "group", "aria-label": data.words.label }, said, ...choice));
  if (data.shares?.most) (data.folded ? boards : root).append(scale(data.shares));
  root.dataset.chosen = data.name;
  root.classList.toggle("one-line", data.folded);
  root.classList.toggle("with-mean", data.words.means !== null);
  mount(parentElement, root);
  const again = focused?.place ? `[data-place="${focused.place}"]` : focused?.kind && `[data-kind="${focused.kind}"]`;
  if (again) (state.open ? boards : root).querySelector(again)?.focus();
  return atEnd(parentElement);
}
