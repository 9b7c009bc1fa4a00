/* Boards of heads, or other parts, that a press switches off; the server answers with new boards. */

import "./lab_board.css";
import { colourAt, rgb } from "../../javascript/colours.js";
import { make, setVariables } from "../../javascript/dom.js";
import { headBoard } from "../../javascript/head_board.js";
import { atEnd, kept, mount } from "../../javascript/mount.js";
import { number } from "../../javascript/numbers.js";
import { tileOf } from "../../javascript/tile.js";

function valueText(value) {
  const size = Math.abs(value);
  return value === null ? "" : number(value, size < 0.0995 ? 3 : size < 99.5 ? 2 : 0);
}

/** The colour of a share of the largest value, by its square root, so that small values are seen. */
function shadeOf(data, share) {
  const root = Math.sign(share) * Math.sqrt(Math.abs(share));
  return rgb(colourAt(data.scale, data.signed ? 0.5 + root / 2 : root));
}

/** The rounded number, with its sign, on a filled cell; the cell's name has the exact number. */
function figureOf(value) {
  if (value === null) return "";
  return Math.round(value) > 0 ? `+${number(value, 0)}` : number(value, 0);
}

function frameOf(data, value) {
  return value === null || !data.most ? null : shadeOf(data, Math.max(-1, Math.min(1, value / data.most)));
}

function legendScale(data) {
  const stops = Array.from({ length: 41 }, (_, at) => at / 40);
  const colours = stops.map((at) => `${shadeOf(data, data.signed ? 2 * at - 1 : at)} ${100 * at}%`);
  return make("span", { class: "scale", style: `background: linear-gradient(90deg, ${colours.join(", ")})` });
}

function cellOf(data, board, layer, head) {
  const sign = board.off[layer][head];
  const value = board.values ? board.values[layer][head] : null;
  const bar = board.bars ? board.bars[layer][head] : undefined;
  const { words } = data;
  const place = board.columns
    ? `${board.title}, ${words.layer} ${layer + 1}, ${board.columns[head][1]}`
    : `${board.title} ${layer + 1}.${head + 1}`;
  const text = [
    place, sign && words.off, value !== null && `${data.legend} ${valueText(value)}`,
    bar !== undefined && `${words.length} ${valueText(bar)}`,
  ];
  const said = text.filter(Boolean).join(": ");
  const picture = board.picture ? tileOf(board.picture, board.off.length, board.off[0].length, layer, head) : null;
  return {
    name: place, said, label: said, picture, bar: bar === undefined ? bar : bar / data.longest,
    ...(board.picture || !board.columns ? { frame: frameOf(data, value) } : { fill: frameOf(data, value), figure: figureOf(value) }),
    off: data.rows ? sign : undefined,
  };
}

function boardOf(data, board, send, read) {
  const { words, rows } = data;
  const title = make(rows ? "button" : "span", {
    class: "title", type: rows && "button", click: rows ? () => send({ kind: board.kind, layer: null, head: null }) : null,
  }, board.title);
  const { node: grid, show } = headBoard({
    layers: board.off.length, heads: board.off[0].length, columns: board.columns, colour: board.colour,
    means: rows ? { layer: `${board.title}, ${words.layer} {layer}, ${words.all}` } : null, switches: rows,
    cellOf: (layer, head) => cellOf(data, board, layer, head), read,
    pick: (layer, head) => send({ kind: board.kind, layer, head }),
  });
  const [layer, head] = board.chosen ?? [];
  show(board.chosen ? { layer, head } : null);
  const axes = board.columns ? words.rows : `${words.rows} ${words.columns}`;
  const node = make(
    "div", { class: board.columns ? `board columns of-${board.columns.length}` : "board" }, title, make("span", { class: "axes" }, axes), grid,
  );
  setVariables(node, { kind: board.colour, columns: String(board.off[0].length) });
  return node;
}

function foot(data, reading) {
  const parts = [];
  if (data.legend && data.most) {
    const low = data.signed ? valueText(-data.most) : "0";
    const [worse, better] = data.ends;
    const text = (words) => make("span", {}, words);
    const [left, right] = data.figures ? [`${worse} ${low}`, `${valueText(data.most)} ${better}`] : [worse, better];
    parts.push(text(data.words.legend), text(left), legendScale(data), text(right), data.words.largest && make("b", {}, data.words.largest));
  }
  return make("div", { class: "foot" }, ...parts, reading);
}

export function render({ data, parentElement, setTriggerValue }) {
  const root = kept(parentElement, () => make("div"));
  const buttons = () => [...root.querySelectorAll("button")];
  const at = buttons().indexOf(root.getRootNode().activeElement);
  const reading = make("span", { class: "reading", "aria-live": "polite" });
  const send = (press) => setTriggerValue("press", press);
  const read = (text) => (reading.textContent = text ?? "");
  const boards = data.boards.map((board) => boardOf(data, board, send, read));
  root.replaceChildren(make("div", { class: "boards" }, ...boards), foot(data, reading));
  mount(parentElement, root);
  if (at >= 0) buttons()[at]?.focus();
  root.dataset.off = String(root.querySelectorAll('[data-switch="off"]').length);
  root.dataset.measured = String(data.most > 0);
  return atEnd(parentElement);
}
