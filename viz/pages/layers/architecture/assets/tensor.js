import { gradient } from "../../../../components/javascript/colours.js";
import { pointIn } from "../../../../components/javascript/canvas.js";
import { fillIn, make, setText } from "../../../../components/javascript/dom.js";
import { number } from "../../../../components/javascript/numbers.js";
import { paintTile } from "../../../../components/javascript/tile.js";

/* A block's output: a row for each piece, with its numbers as colours. */

export function tensorOf() {
  const view = { shown: null, pointer: null };
  view.title = make("h3");
  view.code = make("code");
  view.codeSaid = make("span");
  view.said = make("p", { class: "said" });
  view.columns = make("div", { class: "columns" });
  view.names = make("div", { class: "names" });
  const point = (event) => {
    view.pointer = event;
    read(view, event);
  };
  view.canvas = make("canvas", { role: "img", pointermove: point, pointerleave: () => (view.pointer = null) });
  view.reading = make("span", { class: "reading" });
  view.low = make("span");
  view.high = make("span");
  view.scale = make("i");
  const grid = make("div", { class: "grid", tabindex: "0" },
    make("span"), view.columns, view.names, view.canvas);
  const foot = make("div", { class: "foot" }, view.low, view.scale, view.high, view.reading);
  view.node = make("div", { class: "tensor" },
    view.title, view.said, foot, grid, make("p", { class: "place" }, view.codeSaid, view.code));
  return view;
}

export function drawTensor(view, box, array, data, colours) {
  const { words } = data;
  const [rows, columns] = array.shape;
  const tokens = data.tokens[box.stack];
  Object.assign(view, { shown: { box, array, tokens, words } });
  setText(view.title, `${box.title} · ${box.shape}`);
  setText(view.codeSaid, /\.\d+\./.test(box.site) ? `${words.code} ` : "");
  setText(view.code, box.site);
  setText(view.said, box.said);
  const table = box.signed ? colours.signedTable : colours.table;
  paintTile(view.canvas, array.values, rows, columns, table);
  view.canvas.className = "";
  view.canvas.setAttribute("aria-label", `${box.title}, ${box.shape}`);
  view.names.replaceChildren(...tokens.map((token) => make("span", {}, token)));
  const pieces = box.pieces.map((piece) => make("span", {}, piece));
  const count = fillIn(words.dimension, { count: box.columns });
  const some = box.step > 1 ? `, ${fillIn(words.some, { step: box.step })}` : "";
  view.columns.replaceChildren(...(pieces.length ? pieces : [count + some]));
  view.columns.classList.toggle("upright", pieces.length > 0);
  if (pieces.length) setText(view.said, `${box.said} ${fillIn(words.pieces, { count: box.columns })}`);
  setText(view.low, box.signed ? number(-box.most, 1) : "0");
  setText(view.high, number(box.most, 1));
  view.scale.style.background = gradient(box.signed ? colours.diverging : colours.sequential);
  setText(view.reading, "");
  if (view.pointer) read(view, view.pointer); // a pointer at rest reads on
}

/** Write the number under the pointer, as exactly as its colour shows it. */
function read(view, event) {
  const { box, array, tokens, words } = view.shown;
  const [rows, columns] = array.shape;
  const { x, y } = pointIn(view.canvas, event);
  const row = Math.floor((y / view.canvas.clientHeight) * rows);
  const column = Math.floor((x / view.canvas.clientWidth) * columns);
  if (row < 0 || row >= rows || column < 0 || column >= columns) return;
  const level = array.values[row * columns + column];
  const value = box.most * (box.signed ? (2 * level) / 255 - 1 : level / 255);
  const beyond = { 0: "≤ ", 255: "≥ " }[level] ?? ""; // the scale ends before the largest numbers
  const name = box.pieces[column] ?? column * box.step + 1;
  setText(view.reading, fillIn(words.reading, { row: tokens[row], column: name, value: (box.signed ? beyond : "") + number(value) }));
}
