/* All heads of a model: a colour shows the role, and its strength the sureness. */

import "./atlas_board.css";
import { luminance, mixed } from "../../../../components/javascript/colours.js";
import { make, setText, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { tileOf } from "../../../../components/javascript/tile.js";

const PALE = 0.72; // the share of the background in the colour of the least sure head

function cellOf(app, board, layer, head) {
  const { data, background } = app;
  const cell = board.cells[layer][head];
  const { colour, quiet } = data.legend[cell.role];
  const { kind } = board;
  const node = make("button", {
    type: "button", class: ["cell", quiet && "quiet", cell.off && "off"].filter(Boolean).join(" "), "data-role": cell.role, "data-place": cell.name,
    "aria-label": `${cell.name}: ${cell.said}`, title: `${cell.name}: ${cell.said}`,
    "aria-pressed": String(kind === data.chosen.kind && layer === data.chosen.layer && head === data.chosen.head),
    click: () => app.send({ kind, layer, head }),
    mouseenter: () => app.read(`${cell.name}: ${cell.said}`), focus: () => app.read(`${cell.name}: ${cell.said}`),
    keydown: (event) => app.step(event, node),
  });
  const inner = make("span", { class: "inner" });
  if (board.picture) inner.append(tileOf(board.picture, board.cells.length, board.cells[0].length, layer, head));
  node.append(inner);
  setVariables(node, { role: mixed(colour, background, PALE * (1 - cell.sure)), line: colour });
  return node;
}

function boardOf(app, board) {
  const layers = board.cells.length;
  const heads = board.cells[0].length;
  const nodes = [make("span")];
  for (let head = 0; head < heads; head += 1) nodes.push(make("span", { class: "number" }, String(head + 1)));
  for (let layer = 0; layer < layers; layer += 1) {
    nodes.push(make("span", { class: "number", title: `${app.data.words.layer} ${layer + 1}` }, String(layer + 1)));
    for (let head = 0; head < heads; head += 1) nodes.push(cellOf(app, board, layer, head));
  }
  const grid = make("div", { class: "grid", "data-heads": heads }, ...nodes);
  setVariables(grid, { heads: String(heads) });
  const title = make("div", { class: "title" }, board.title);
  setVariables(title, { kind: board.colour });
  return make("div", { class: "board" }, title, grid);
}

/** The heads in the chosen order, each with its name and its figure. */
function ordered(app) {
  const boards = new Map(app.data.boards.map((board) => [board.kind, board]));
  const cells = app.data.order.map(([kind, layer, head, figure]) => {
    const node = cellOf(app, boards.get(kind), layer, head);
    const value = figure ? make("b", { class: "name" }, figure) : null;
    return make("span", { class: "named" }, node, make("span", { class: "name" }, node.dataset.place), value);
  });
  return make("div", { class: "ordered" }, ...cells);
}

function legendOf(app, root) {
  const { legend, boards, words } = app.data;
  const every = boards.flatMap((board) => board.cells.flat());
  const entries = legend.flatMap((one, role) => {
    if (one.absent) return [];
    const count = every.filter((cell) => cell.role === role).length;
    const node = make("button", {
      type: "button", class: "entry", "aria-pressed": "false", title: `${one.rule} · ${words.only}`, disabled: !count,
      click: () => {
        const on = root.dataset.only === String(role) ? "" : String(role);
        root.dataset.only = on;
        for (const other of root.querySelectorAll(".entry")) other.setAttribute("aria-pressed", String(other === node && on !== ""));
        for (const cell of root.querySelectorAll(".cell")) cell.classList.toggle("dim", on !== "" && cell.dataset.role !== on);
      },
      mouseenter: () => app.read(one.rule),
    }, make("span", { class: one.quiet ? "swatch quiet" : "swatch" }), `${one.name} `, make("b", {}, String(count)));
    setVariables(node, { role: one.colour });
    return [node];
  });
  return make("div", { class: "legend" }, ...entries);
}

/** Let arrow keys go from head to head, by their places on screen. */
function stepper(root) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  return (event, from) => {
    const by = steps[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const { left, top, width } = from.getBoundingClientRect();
    const far = (node) => {
      const box = node.getBoundingClientRect();
      const [along, across] = by[0] ? [(box.left - left) * by[0], box.top - top] : [(box.top - top) * by[1], box.left - left];
      return along < width / 2 || Math.abs(across) > width ? Infinity : along + 3 * Math.abs(across);
    };
    const cells = [...root.querySelectorAll(".cell")].filter((node) => node !== from);
    const next = cells.reduce((best, node) => (far(node) < far(best) ? node : best), from);
    next.focus();
  };
}

export function render({ data, parentElement, setTriggerValue }) {
  const root = kept(parentElement, () => make("div", { class: "atlas" }));
  const focused = root.getRootNode().activeElement?.dataset?.place;
  const reading = make("div", { class: "reading", "aria-live": "polite" });
  const style = getComputedStyle(parentElement.host ?? document.documentElement);
  const app = {
    data, background: style.getPropertyValue("--st-background-color").trim() || "#ffffff",
    send: (press) => setTriggerValue("press", press), read: (text) => setText(reading, text), step: stepper(root),
  };
  const boards = data.order.length
    ? [ordered(app)]
    : [make("div", { class: "boards" }, ...data.boards.map((board) => boardOf(app, board)))];
  const notes = make("div", { class: "notes" }, ...data.notes.filter(Boolean).map((note) => make("span", {}, note)));
  root.dataset.only = "";
  root.classList.toggle("dark", luminance(app.background) < 0.3);
  root.dataset.heads = String(data.boards.reduce((sum, board) => sum + board.cells.flat().length, 0));
  root.replaceChildren(legendOf(app, root), ...boards, reading, notes);
  mount(parentElement, root);
  const chosen = root.querySelector("[aria-pressed='true'].cell");
  if (chosen) app.read(chosen.getAttribute("aria-label"));
  if (focused) root.querySelector(`[data-place="${focused}"]`)?.focus();
  return atEnd(parentElement);
}
