/* A matrix of links on a canvas. A click or a stroke forbids or allows links, and is sent at its end.
A matrix that is too wide scrolls, while the names of the queries stay. */

import "./mask_board.css";
import { cellUnder, pointIn, sized, turned, zoomOf } from "../../../../components/javascript/canvas.js";
import { gradient, levelOf, lookup, readable, rgb } from "../../../../components/javascript/colours.js";
import { offerAt } from "../../../../components/javascript/focus.js";
import { fillIn, make } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";

const CELL = 24;
const SMALL = 18; // for more than 45 pieces; rotated letters of 14 pixels just pass one another
const ON_STAGE = 17; // the least height that letters for a class allow
const ABOVE = 244; // the height of all that is above the cells on stage

function create() {
  const canvas = make("canvas", { tabindex: "0", role: "application" });
  const reading = make("div", { class: "reading", "aria-live": "polite" });
  const foot = make("div", { class: "foot" });
  const scroll = make("div", { class: "scroll" }, canvas);
  const root = make("div", { class: "wrap" }, scroll, reading, foot);
  const board = { root, scroll, canvas, reading, foot, focus: [0, 0], stroke: null, hover: null, shown: -1 };
  listen(board);
  scroll.addEventListener("scroll", () => draw(board));
  const sizes = new ResizeObserver(() => {
    board.shown = -1; // the size has changed: scroll again
    if (root.isConnected) fit(board);
    else sizes.disconnect();
  });
  board.watch = () => sizes.observe(scroll);
  return board;
}

/** The sizes and places of the parts, in CSS pixels. */
function layout(board, context) {
  const { queries, keys } = board.data;
  const style = getComputedStyle(board.canvas);
  const onStage = style.getPropertyValue("--least");
  const usual = Math.max(queries.length, keys.length) > 45 ? SMALL : CELL;
  const cell = onStage ? cellOnStage(board) : usual;
  const size = onStage || cell === CELL ? 16 : 14;
  const slant = onStage || cell < CELL ? Math.PI / 3 : Math.PI / 4;
  context.font = `${size}px ${style.fontFamily}`;
  const widest = (texts) => Math.max(...texts.map((text) => context.measureText(text).width));
  const left = Math.ceil(widest(queries)) + 34;
  const wide = onStage ? wideOnStage(board, cell, left + Math.ceil(widest(keys) * 0.5) + 16) : cell;
  const top = Math.ceil(widest(keys) * Math.sin(slant)) + (onStage ? 34 : 42);
  const width = left + Math.max(keys.length * wide, 150) + Math.ceil(widest(keys) * Math.cos(slant)) + 24;
  const height = top + Math.max(queries.length * cell, 170) + 2;
  return { cell, wide, size, slant, left, top, width, height };
}

/** The size of a cell at which a class sees most of the board. */
function cellOnStage({ canvas, data }) {
  const room = (window.innerHeight / zoomOf(canvas) - ABOVE) / data.queries.length;
  return Math.max(ON_STAGE, Math.min(CELL, Math.floor(room)));
}

/** The width of a cell at which a class sees all names of the keys apart. */
function wideOnStage({ canvas, data }, cell, beside) {
  const room = (canvas.parentElement.clientWidth - beside) / data.keys.length;
  return Math.max(cell, Math.min(1.6 * cell, Math.floor(room)));
}

function isForbidden(board, row, column) {
  const { stroke, data } = board;
  if (stroke?.cells.has(`${row},${column}`)) return stroke.forbid;
  return Boolean(data.forbidden[row][column]);
}

function draw(board) {
  const { canvas, data } = board;
  const context = canvas.getContext("2d");
  const place = (board.place = layout(board, context));
  for (const side of ["left", "top", "cell", "wide"]) canvas.dataset[side] = String(place[side]);
  sized(canvas, place.width, place.height);
  board.ink = getComputedStyle(canvas).color;
  keyNames(board, context, place);
  for (let row = 0; row < data.queries.length; row++) {
    for (let column = 0; column < data.keys.length; column++) {
      drawCell(board, context, place, row, column);
    }
  }
  queryNames(board, context, place);
}

/** The columns that are hidden from all rows, such as those of a hidden word. */
function hiddenFromAll(rows) {
  return [...(rows[0] ?? []).keys()].filter((column) => rows.every((row) => row[column]));
}

/** Draw in the available room; scroll once to the last column that is hidden, would be, or is padding. */
function fit(board) {
  draw(board);
  const { scroll, data, place } = board;
  if (!scroll.clientWidth) return; // a question covers the board
  const columns = hiddenFromAll(data.masked);
  const last = Math.max(...columns, data.keys.lastIndexOf("<pad>"));
  if (last !== board.shown && last >= 0) {
    scroll.scrollLeft = place.left + (last + 1) * place.wide + 8 - scroll.clientWidth;
  }
  board.shown = last;
}

function keyNames(board, context, { wide, size, slant, left, top }) {
  const { keys, words, keyColour } = board.data;
  const style = getComputedStyle(board.canvas);
  const family = style.fontFamily;
  const paper = style.getPropertyValue("--st-background-color") || "#ffffff";
  const [, column] = board.hover ?? [-1, -1];
  context.textBaseline = "middle";
  context.fillStyle = board.ink;
  context.textAlign = "left";
  keys.forEach((text, at) => {
    context.font = `${at === column ? "700 " : ""}${size}px ${family}`;
    turned(context, left + (at + 0.55) * wide, top - 6, -slant, () => context.fillText(text, 0, 0));
  });
  context.font = `600 16px ${family}`;
  context.fillStyle = readable(keyColour, paper, board.ink);
  const more = keysToTheRight(board, left, wide);
  board.root.dataset.more = String(more);
  const text = more ? `${words.key} · ${fillIn(words.more, { count: more })}` : words.key;
  context.fillText(text, left + board.scroll.scrollLeft, 10);
}

/** The number of keys that are out of view, beyond the right edge. */
function keysToTheRight({ data, scroll }, left, wide) {
  if (!scroll.clientWidth) return 0;
  const seen = Math.floor((scroll.scrollLeft + scroll.clientWidth - left) / wide);
  return Math.max(0, data.keys.length - seen);
}

/** The names of the rows, above the cells that scroll under them. */
function queryNames(board, context, { cell, size, left, top, height }) {
  const { queries, words, queryColour } = board.data;
  const style = getComputedStyle(board.canvas);
  const family = style.fontFamily;
  const paper = style.getPropertyValue("--st-background-color") || "#ffffff";
  const [row] = board.hover ?? [-1, -1];
  const from = board.scroll.scrollLeft;
  context.fillStyle = paper;
  if (from > 0) context.fillRect(from, 0, left, height);
  context.fillStyle = board.ink;
  context.textAlign = "right";
  queries.forEach((text, at) => {
    context.font = `${at === row ? "700 " : ""}${size}px ${family}`;
    context.fillText(text, from + left - 8, top + (at + 0.5) * cell);
  });
  context.font = `600 16px ${family}`;
  context.textAlign = "center";
  context.fillStyle = readable(queryColour, paper, board.ink);
  const middle = top + Math.max(queries.length * cell, 170) / 2;
  turned(context, from + 9, middle, -Math.PI / 2, () => context.fillText(words.query, 0, 0));
}

function drawCell(board, context, { cell, wide, left, top }, row, column) {
  const { data } = board;
  const [x, y, across, side] = [left + column * wide, top + row * cell, wide - 2, cell - 2];
  context.fillStyle = rgb(levelOf(board.table, data.weights[row][column]));
  context.fillRect(x, y, across, side);
  context.strokeStyle = board.ink;
  context.globalAlpha = 0.25;
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, across - 1, side - 1);
  context.globalAlpha = 1;
  if (isForbidden(board, row, column)) cross(context, x, y, across, side);
  else if (data.masked[row][column]) hatch(context, x, y, across, side, board.ink, 0.5);
  const [focusRow, focusColumn] = board.hover ?? [-1, -1];
  if (focusRow === row && focusColumn === column) {
    context.strokeStyle = board.ink;
    context.lineWidth = 2;
    context.strokeRect(x, y, across, side);
  }
}

function cross(context, x, y, across, side) {
  context.fillStyle = "#c44601";
  context.fillRect(x, y, across, side);
  x += (across - side) / 2;
  context.strokeStyle = "#ffffff";
  context.lineWidth = 2.5;
  const inset = side * 0.26;
  context.beginPath();
  context.moveTo(x + inset, y + inset);
  context.lineTo(x + side - inset, y + side - inset);
  context.moveTo(x + side - inset, y + inset);
  context.lineTo(x + inset, y + side - inset);
  context.stroke();
}

function hatch(context, x, y, across, side, ink, strength) {
  context.save();
  context.beginPath();
  context.rect(x, y, across, side);
  context.clip();
  context.strokeStyle = ink;
  context.globalAlpha = strength;
  context.lineWidth = 2;
  for (let at = -side; at < across; at += 6) {
    context.beginPath();
    context.moveTo(x + at, y + side);
    context.lineTo(x + at + side, y);
    context.stroke();
  }
  context.restore();
}

/** The row and the column under the pointer; column −1 is left of the visible cells. */
function under({ canvas, scroll, place }, event) {
  const { cell, wide, left, top } = place;
  const found = cellUnder(canvas, event, { left, top, wide, high: cell });
  const named = pointIn(canvas, event).x < scroll.scrollLeft + left;
  return named ? { ...found, column: -1 } : found;
}

function cellAt(board, event) {
  const { row, column } = under(board, event);
  const { queries, keys } = board.data;
  const inside = row >= 0 && row < queries.length && column >= 0 && column < keys.length;
  return inside ? [row, column] : null;
}

/** Open the menu of a token whose name beside the cells was clicked. */
function offerName(board, event) {
  const { row, column } = under(board, event);
  const { queries, keys, sides } = board.data;
  const box = { left: event.clientX, bottom: event.clientY };
  if (column < 0 && row >= 0 && row < queries.length) offerAt(box, sides.query, row, queries[row]);
  else if (row < 0 && column >= 0 && column < keys.length) offerAt(box, sides.key, column, keys[column]);
}

function point(board, at) {
  board.hover = at;
  if (at) board.focus = at;
  board.reading.textContent = at ? describe(board, ...at) : "";
  draw(board);
}

function describe(board, row, column) {
  const { queries, keys, weights, masked, words } = board.data;
  const link = `${queries[row]} → ${keys[column]}`;
  if (isForbidden(board, row, column)) return `${link}: ${words.forbidden}`;
  if (masked[row][column]) return `${link}: ${words.masked}`;
  const weight = `${link}: ${words.weight} ${(weights[row][column] / 255).toFixed(2)}`;
  return weight;
}

function paint(board, [row, column]) {
  if (!board.data.masked[row][column]) board.stroke.cells.add(`${row},${column}`);
}

function begin(board, at) {
  board.stroke = { forbid: !board.data.forbidden[at[0]][at[1]], cells: new Set() };
  paint(board, at);
}

function finish(board) {
  const { stroke } = board;
  if (!stroke) return;
  const cells = [...stroke.cells].map((text) => text.split(",").map(Number));
  if (cells.length) board.send({ forbid: stroke.forbid, cells });
  else board.stroke = null;
}

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function press(board, event) {
  const { queries, keys } = board.data;
  if (MOVES[event.key]) {
    const [down, right] = MOVES[event.key];
    const row = Math.max(0, Math.min(queries.length - 1, board.focus[0] + down));
    const column = Math.max(0, Math.min(keys.length - 1, board.focus[1] + right));
    point(board, [row, column]);
  } else if (event.key === " " || event.key === "Enter") {
    begin(board, board.focus);
    finish(board);
  } else return;
  event.preventDefault();
}

function listen(board) {
  const { canvas } = board;
  let drawing = false;
  const end = () => {
    if (drawing) finish(board);
    drawing = false;
  };
  canvas.addEventListener("pointerdown", (event) => {
    const at = cellAt(board, event);
    if (!at) return;
    canvas.setPointerCapture(event.pointerId);
    drawing = true;
    begin(board, at);
    point(board, at);
  });
  canvas.addEventListener("pointermove", (event) => {
    const at = cellAt(board, event);
    if (drawing && at) paint(board, at);
    if (String(at) !== String(board.hover)) point(board, at);
  });
  canvas.addEventListener("click", (event) => offerName(board, event));
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => drawing || point(board, null));
  canvas.addEventListener("focus", () => point(board, board.focus));
  canvas.addEventListener("keydown", (event) => press(board, event));
}

function legend(board) {
  const { words, scale } = board.data;
  const bar = make("span", { class: "scale", style: `background: ${gradient(scale)}` });
  const entry = (kind) => make("span", {}, make("span", { class: `swatch ${kind}` }), words[kind]);
  const parts = [make("span", {}, bar, words.legend), entry("masked"), entry("forbidden")];
  board.foot.replaceChildren(...parts, make("span", { class: "help" }, words.help));
}

export function render({ data, parentElement, setTriggerValue }) {
  const board = kept(parentElement, create);
  mount(parentElement, board.root);
  Object.assign(board, { data, stroke: null, table: lookup(data.scale) });
  board.send = (stroke) => setTriggerValue("stroke", stroke);
  board.focus = [
    Math.min(board.focus[0], data.queries.length - 1),
    Math.min(board.focus[1], data.keys.length - 1),
  ];
  board.canvas.setAttribute("aria-label", data.name);
  legend(board);
  point(board, board.hover && board.focus);
  board.watch();
  fit(board);
  const forbidden = data.forbidden.flat().reduce((sum, value) => sum + value, 0);
  board.canvas.dataset.forbidden = String(forbidden);
  return atEnd(parentElement);
}
