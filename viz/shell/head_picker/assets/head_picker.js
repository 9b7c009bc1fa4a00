/* A head is chosen by its place: a small board of layers x heads for each kind of attention. */

import "./head_picker.css";
import { colourAt, gradient, inkOn, rgb } from "../../../shared/javascript/colours.js";
import { fillIn, make, setVariables } from "../../../shared/javascript/dom.js";
import { forget, kept, mount } from "../../../shared/javascript/mount.js";
import { number } from "../../../shared/javascript/numbers.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function cellOf(data, board, layer, head, tools) {
  const { kind, layer: row, head: column } = data.chosen;
  const on = board.kind === kind && layer === row && head === column;
  const place = fillIn(data.words.place, { layer: layer + 1, head: head + 1 });
  const name = board.names[layer][head];
  const share = board.shares?.[layer][head] ?? null;
  const said = share === null ? name : `${name} · ${number(share)}`;
  const node = make("button", {
    type: "button", class: "cell", "data-place": name, title: said, "aria-label": `${said}: ${place}`,
    "aria-pressed": String(on), tabindex: on || (layer === 0 && head === 0 && board.kind !== kind) ? 0 : -1,
    click: () => tools.send({ kind: board.kind, layer, head }),
    keydown: (event) => tools.step(event, board, layer, head),
    mouseenter: () => tools.read(said), mouseleave: () => tools.read(data.name),
    focus: () => tools.read(said), blur: () => tools.read(data.name),
  });
  if (share !== null && data.shares.most) {
    node.classList.add("shaded");
    setVariables(node, { share: rgb(colourAt(data.shares.scale, share / data.shares.most)) });
  }
  return node;
}

/** What the colours of the cells say. */
function scale({ legend, scale: colours, most }) {
  const bar = make("span", { class: "scale", style: `background: ${gradient(colours)}` });
  return make("div", { class: "legend" }, make("span", {}, legend), make("span", {}, "0"), bar, make("span", {}, number(most)));
}

function numberRow(count, mark, name) {
  return Array.from({ length: count }, (_, at) =>
    make("span", { class: at === mark ? `number ${name} on` : `number ${name}` }, String(at + 1)));
}

function boardOf(data, board, tools) {
  const shown = board.kind === data.chosen.kind;
  const row = shown ? data.chosen.layer : -1;
  const column = shown ? data.chosen.head : -1;
  const title = make("button", {
    type: "button", class: "kind", "data-kind": board.kind, "aria-pressed": String(shown),
    click: () => !shown && tools.send({ kind: board.kind }),
  }, board.title);
  const rows = numberRow(board.layers, row, "layer").flatMap((mark, layer) => [
    mark, ...Array.from({ length: data.heads }, (_, head) => cellOf(data, board, layer, head, tools)),
  ]);
  const grid = make("div", { class: "grid" }, make("span", {}), ...numberRow(data.heads, column, "head"), ...rows);
  const node = make("div", { class: shown ? "board shown" : "board" }, title, grid);
  setVariables(node, { colour: board.colour, ink: inkOn(board.colour), heads: String(data.heads) });
  return node;
}

/** Arrow keys go from cell to cell, and choose it. */
function stepper(root, send) {
  return (event, board, layer, head) => {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const place = board.names[layer + by[0]]?.[head + by[1]];
    if (!place) return;
    root.querySelector(`[data-place="${place}"]`)?.focus();
    send({ kind: board.kind, layer: layer + by[0], head: head + by[1] });
  };
}

export function render({ data, parentElement, setTriggerValue }) {
  const root = kept(parentElement, () => make("div", { class: "head-picker" }));
  const focused = root.getRootNode().activeElement?.dataset;
  const name = make("output", { class: "name" }, data.name);
  const send = (press) => setTriggerValue("press", press);
  const tools = { send, read: (text) => (name.textContent = text), step: stepper(root, send) };
  const said = make("div", { class: "said" }, make("span", { class: "label" }, data.words.label), name);
  const boards = make("div", { class: "boards" }, ...data.boards.map((board) => boardOf(data, board, tools)));
  root.replaceChildren(make("div", { class: "picker", role: "group", "aria-label": data.words.label }, said, boards));
  if (data.shares?.most) root.append(scale(data.shares));
  root.dataset.chosen = data.name;
  mount(parentElement, root);
  const again = focused?.place ? `[data-place="${focused.place}"]` : focused?.kind && `[data-kind="${focused.kind}"]`;
  if (again) root.querySelector(again)?.focus();
  return () => forget(parentElement);
}
