/* Boards of layers x heads as tables of buttons; a press is sent, the server draws anew. */

import "./head_board.css";
import { colourAt, gradient, rgb } from "../../../../components/javascript/colours.js";
import { make, setVariables } from "../../../../components/javascript/dom.js";
import { forget, kept, mount } from "../../../../components/javascript/mount.js";
import { number } from "../../../../components/javascript/numbers.js";

function ink([red, green, blue]) {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#111111" : "#fafafa";
}

function valueText(value) {
  return value === null ? "" : number(value, Math.abs(value) < 0.0995 ? 3 : 2);
}

function cellColour(data, value) {
  if (value === null || !data.most) return null;
  const share = Math.max(-1, Math.min(1, value / data.most));
  return colourAt(data.scale, data.signed ? 0.5 + share / 2 : share);
}

function cell(data, board, layer, head, send, read) {
  const sign = board.off[layer][head];
  const value = board.values ? board.values[layer][head] : null;
  const { words } = data;
  const place = board.columns
    ? `${board.title}, ${words.layer} ${layer + 1}, ${board.columns[head][1]}`
    : `${board.title} ${layer + 1}.${head + 1}`;
  const text = [place, sign && words.off, value !== null && `${data.legend} ${valueText(value)}`];
  const label = text.filter(Boolean).join(": ");
  const button = make("button", {
    class: "cell", type: "button", title: label, "aria-label": label, "aria-pressed": String(Boolean(sign)),
    click: () => send({ kind: board.kind, layer, head }),
    mouseenter: () => read(label), focus: () => read(label),
  });
  const colour = cellColour(data, value);
  setVariables(button, {
    cell: colour ? rgb(colour) : "transparent", ink: colour ? ink(colour) : "var(--st-text-color)",
  });
  const [chosenLayer, chosenHead] = board.chosen ?? [];
  button.classList.toggle("chosen", chosenLayer === layer && chosenHead === head);
  if (sign) button.append(make("span", {}, sign));
  return make("td", {}, button);
}

function table(data, board, send, read) {
  const { words } = data;
  const tag = data.rows ? "button" : "span";
  const press = (layer) => (data.rows ? () => send({ kind: board.kind, layer, head: null }) : null);
  const title = make(tag, { class: "title", click: press(null) }, board.title);
  setVariables(title, { kind: board.colour });
  const corner = make("span", { class: "heads" }, board.columns ? "" : words.heads);
  const heads = board.off[0].map((_, head) => {
    const [short, long] = board.columns?.[head] ?? [String(head + 1), ""];
    return make("th", { scope: "col", title: long }, short);
  });
  const top = make("tr", {}, make("th", { class: "corner" }, words.layer), ...heads);
  const rows = board.off.map((row, layer) => {
    const label = `${board.title}, ${words.layer} ${layer + 1}, ${words.all}`;
    const name = make(tag, { class: "layer", "aria-label": label, click: press(layer) }, String(layer + 1));
    const cells = row.map((_, head) => cell(data, board, layer, head, send, read));
    return make("tr", {}, make("th", { scope: "row" }, name), ...cells);
  });
  return make("table", { class: board.columns ? "board" : "board heads-only" }, make("caption", {}, title, corner), top, ...rows);
}

function foot(data, reading) {
  const parts = [];
  if (data.legend && data.most) {
    const bar = make("span", { class: "scale", style: `background: ${gradient(data.scale)}` });
    const low = data.signed ? valueText(-data.most) : "0";
    const [worse, better] = data.ends;
    const text = (words) => make("span", {}, words);
    parts.push(text(data.legend), text(`${worse} ${low}`), bar, text(`${valueText(data.most)} ${better}`));
  }
  return make("div", { class: "foot" }, ...parts, reading);
}

function focusedAt(root) {
  const buttons = [...root.querySelectorAll("button")];
  return buttons.indexOf(root.getRootNode().activeElement);
}

export function render({ data, parentElement, setTriggerValue }) {
  const root = kept(parentElement, () => make("div"));
  const at = focusedAt(root);
  const reading = make("span", { class: "reading", "aria-live": "polite" });
  const send = (press) => setTriggerValue("press", press);
  const read = (text) => (reading.textContent = text);
  const boards = data.boards.map((board) => table(data, board, send, read));
  root.replaceChildren(make("div", { class: "boards" }, ...boards), foot(data, reading));
  mount(parentElement, root);
  if (at >= 0) root.querySelectorAll("button")[at]?.focus();
  root.dataset.off = String(root.querySelectorAll('[aria-pressed="true"]').length);
  return () => forget(parentElement);
}
