/* The board of layers x heads on which a head is chosen, the same on every page. */

import "./head_board.css";
import { inkOn } from "./colours.js";
import { fillIn, make, setVariables } from "./dom.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * A board of `layers` and `heads`, or of other `columns`, each a [name, full name, short name]: the
 * short name stands where the board is narrow.
 * `cellOf(layer, head)` describes a cell: its `name`, the text `said` under the pointer, and a `label`
 * for screen readers. It may have a `picture`, a `bar` from 0 to 1, and the colour of a `frame` or
 * of a `fill`, on which a `figure` is written. If cells are `switches`, `off` is a sign on a cell that is off, "" on a cell that is on.
 * `means` may have texts for `all`, for a `layer` and for a `head`: then the numbers at the edge can
 * be chosen, and null for a layer or a head is the mean over all. `pick(layer, head)` is called with
 * the place of a press or, unless cells are switches, of an arrow key; `read(text)` with the text
 * under the pointer, or null when the pointer has left. Returns the node, and a function that shows
 * what is chosen.
 */
export function headBoard({ layers, heads, columns, cellOf, means, switches, colour, pick, read }) {
  const places = new Map();
  const press = { pick, read, columns, step: stepper(places, switches ? () => {} : pick) };
  const nodes = [];
  for (let row = -1; row < layers; row += 1) {
    for (let column = -1; column < heads; column += 1) {
      const [layer, head] = [row < 0 ? null : row, column < 0 ? null : column];
      const edge = layer === null || head === null;
      const node = edge ? edgeOf(layer, head, means ?? {}, press) : cell(layer, head, cellOf(layer, head), press);
      if (node.localName === "button") places.set(`${layer} ${head}`, { node, layer, head });
      nodes.push(node);
    }
  }
  const node = make("div", { class: columns ? "head-board named" : "head-board" }, ...nodes);
  setVariables(node, { board: colour, "on-board": inkOn(colour, "#111111"), heads: String(heads), parts: String(heads / 3) });
  const numbers = nodes.filter((one) => one.classList.contains("place-number"));
  return { node, show: (chosen) => mark(places, numbers, chosen, switches) };
}

function button(layer, head, { name, said, label }, { pick, read, step }, more) {
  return make("button", {
    type: "button", "data-place": name, title: said, "aria-label": label, ...more,
    click: () => pick(layer, head), keydown: (event) => step(event, layer, head),
    mouseenter: () => read(said), mouseleave: () => read(null), focus: () => read(said), blur: () => read(null),
  });
}

function cell(layer, head, told, press) {
  const { said, label, picture, bar, frame, fill, figure, off, struck } = told;
  const spoken = { ...told, label: label === said ? said : `${said}: ${label}` };
  const node = button(layer, head, spoken, press, { class: "cell" });
  if (picture) node.append(picture);
  if (bar !== undefined) node.append(make("span", { class: "bar", style: `width: ${Math.round(100 * bar)}%` }));
  if (figure) node.append(make("span", { class: figure === "0" ? "figure none" : "figure" }, figure));
  if (off || struck) {
    node.classList.add("struck");
    node.append(make("span", { class: "sign" }, off || struck));
  }
  if (off !== undefined) node.dataset.switch = off === "" ? "on" : "off";
  setVariables(node, { frame, fill, "on-fill": fill && inkOn(fill) });
  return node;
}

/** The number of a layer or a head; a button if it can be chosen as a mean. */
function edgeOf(layer, head, means, press) {
  const which = layer === null && head === null ? "all" : layer === null ? "head" : "layer";
  const [usual, long, short] = which === "head" && press.columns ? press.columns[head] : [];
  const number = which === "all" ? "" : String((layer ?? head) + 1);
  const more = { class: "place-number", "data-side": which, "data-number": number, title: long ?? null };
  if (usual) return make("span", more, make("span", { class: "usual" }, usual), make("span", { class: "short" }, short));
  if (!means[which]) return make("span", more, number);
  const said = fillIn(means[which], { layer: layer + 1, head: head + 1 });
  const node = button(layer, head, { name: said, said, label: said }, press, more);
  node.append(which === "all" ? "x̄" : number);
  return node;
}

/** Let arrow keys go from place to place, and `pick` each place. */
function stepper(places, pick) {
  const shift = (from, by) => (from ?? -1) + by;
  return (event, layer, head) => {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const [row, column] = [shift(layer, by[0]), shift(head, by[1])];
    const next = places.get(`${row < 0 ? null : row} ${column < 0 ? null : column}`);
    if (!next || row < -1 || column < -1) return;
    next.node.focus();
    pick(next.layer, next.head);
  };
}

/**
 * Mark what is chosen: a place, a mean (null), or some `heads` of a layer. The Tab key enters the
 * board at the mark, or else at its first head.
 */
function mark(places, numbers, chosen, switches) {
  const within = (own, asked) => asked === null || own === asked;
  let entered = places.get("0 0").node;
  for (const { node, layer, head } of places.values()) {
    const on = chosen !== null && layer === chosen.layer && head === chosen.head;
    const inside = chosen !== null && layer !== null && head !== null;
    const among = inside && (chosen.heads ? chosen.heads.includes(head) : within(head, chosen.head));
    const averaged = among && within(layer, chosen.layer);
    node.setAttribute("aria-pressed", String(switches ? node.dataset.switch === "off" : on));
    node.classList.toggle("chosen", on);
    node.tabIndex = -1;
    if (on) entered = node;
    node.classList.toggle("averaged", averaged && !on);
  }
  entered.tabIndex = 0;
  for (const number of numbers) {
    const at = number.dataset.side === "layer" ? chosen?.layer : chosen?.head;
    number.classList.toggle("on", number.dataset.number === String((at ?? NaN) + 1));
  }
}
