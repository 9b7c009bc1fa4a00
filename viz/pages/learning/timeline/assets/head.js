import { cellUnder, sized, turned, zoomOf } from "../../../../components/javascript/canvas.js";
import { levelOf, rgb } from "../../../../components/javascript/colours.js";
import { tokenText } from "../../../../components/javascript/tokens.js";

/* One head in large: a row for each query, a column for each key. */

const [LOW, HIGH] = [{ most: 16, side: 290 }, { most: 21, side: 360 }];
const LOW_SCREEN = 740; // CSS pixels: a projector's 720

/** True where the head and the curve must be low to be seen whole. */
export function isLow(canvas) {
  return window.innerHeight / zoomOf(canvas) < LOW_SCREEN;
}

function spread(context, { queries, keys }, words) {
  const { most, side } = isLow(context.canvas) ? LOW : HIGH;
  const cell = Math.max(9, Math.min(most, Math.floor(side / Math.max(queries.length, keys.length))));
  const size = cell > 15 ? 16 : 10;
  context.font = `${size}px ${words}`;
  const widest = (texts) => Math.max(...texts.map((text) => context.measureText(tokenText(text)).width));
  const left = Math.ceil(widest(queries)) + 34;
  const above = Math.ceil(widest(keys));
  const top = above + 36;
  const width = Math.max(left + keys.length * cell + 10, left + 170);
  return { cell, size, left, top, width, height: top + Math.max(queries.length * cell, 170) + 4 };
}

/** Draw the weights of a head, with frames around the `read` cell and the `link`, unless these are null. */
export function drawHead(canvas, weights, tokens, words, colours, read, link) {
  const at = spread(canvas.getContext("2d"), tokens, colours.font);
  const context = sized(canvas, at.width, at.height);
  Object.assign(canvas.dataset, { left: String(at.left), top: String(at.top), cell: String(at.cell) });
  labels(context, tokens, words, colours, at);
  weights.values.forEach((level, number) => {
    const [row, column] = [Math.floor(number / weights.keys), number % weights.keys];
    context.fillStyle = rgb(levelOf(colours.table, level));
    context.fillRect(at.left + column * at.cell, at.top + row * at.cell, at.cell - 1, at.cell - 1);
  });
  context.strokeStyle = colours.border;
  context.lineWidth = 1;
  context.strokeRect(at.left - 1, at.top - 1, weights.keys * at.cell + 1, weights.queries * at.cell + 1);
  const frame = (row, first, last, colour, line) => {
    context.strokeStyle = colour;
    context.lineWidth = line;
    const wide = (last - first + 1) * at.cell + 1;
    context.strokeRect(at.left + first * at.cell - 1, at.top + row * at.cell - 1, wide, at.cell + 1);
  };
  if (link) frame(...link, colours.key, 3);
  if (read) frame(read.row, read.column, read.column, colours.text, 2);
}

function labels(context, { queries, keys }, words, colours, { cell, size, left, top }) {
  context.font = `${size}px ${colours.font}`;
  context.fillStyle = colours.text;
  context.textBaseline = "middle";
  context.textAlign = "right";
  queries.forEach((text, row) => context.fillText(tokenText(text), left - 7, top + (row + 0.5) * cell));
  context.textAlign = "left";
  keys.forEach((text, column) => {
    const x = left + (column + 0.5) * cell;
    turned(context, x, top - 6, -Math.PI / 2, () => context.fillText(tokenText(text), 0, 0));
  });
  context.font = `600 16px ${colours.font}`;
  context.fillStyle = colours.key;
  context.fillText(words.key, left, 10);
  context.fillStyle = colours.query;
  context.textAlign = "center";
  const middle = top + Math.max(queries.length * cell, 170) / 2;
  turned(context, 9, middle, -Math.PI / 2, () => context.fillText(words.query, 0, 0));
}

/** The cell under the pointer, or null. */
export function cellAt(canvas, event, { queries, keys }) {
  const [left, top, cell] = ["left", "top", "cell"].map((name) => Number(canvas.dataset[name]));
  const { row, column } = cellUnder(canvas, event, { left, top, wide: cell, high: cell });
  return row >= 0 && column >= 0 && row < queries && column < keys ? { row, column } : null;
}
