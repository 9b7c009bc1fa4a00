import { cellUnder, sized, turned } from "../../javascript/canvas.js";
import { contrast, levelOf, rgb } from "../../javascript/colours.js";
import { make } from "../../javascript/dom.js";
import { linkText, pictureTitle } from "./aids.js";
import { paintCells, rowMaximum } from "./cells.js";
import { SLACK } from "./lines.js";
import { toggleLock } from "./token_list.js";
import { lockedUnits, strongestLinks } from "./transform.js";

const LETTERS = 16; // pixels: of the names beside the cells, and of the weights in them

/** One head, or the chosen heads merged, as cells, with a crosshair under the pointer. */
export function matrixView(app) {
  const canvas = make("canvas", { tabindex: "0", role: "img" });
  const node = make("div", { class: "matrix view" }, canvas);
  const cells = document.createElement("canvas");
  const base = document.createElement("canvas");
  let layout = null;

  const cellAt = (event) => {
    const { row, column } = cellUnder(canvas, event, layout);
    const inside = row >= 0 && row < app.rows && column >= 0 && column < app.columns;
    return inside ? { row, column } : null;
  };
  canvas.addEventListener("pointermove", (event) => app.hover(cellAt(event)));
  canvas.addEventListener("pointerleave", () => app.hover(null));
  canvas.addEventListener("click", (event) => {
    const cell = cellAt(event);
    const name = nameUnder(canvas, event, layout, app);
    if (cell) toggleLock(app, "q", cell.row, event.shiftKey);
    if (name) app.offer(name.side, name.index, { left: event.clientX, bottom: event.clientY });
  });
  canvas.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
    if (!event.shiftKey || !(event.key in steps)) return;
    const [down, right] = steps[event.key];
    const from = app.hovered?.row === undefined ? { row: -down, column: -right } : app.hovered;
    const clamp = (value, most) => Math.max(0, Math.min(most - 1, value));
    app.hover({
      row: clamp(from.row + down, app.rows),
      column: clamp(from.column + right, app.columns),
    });
    event.preventDefault();
    event.stopPropagation();
  });

  const draw = () => {
    layout = matrixLayout(app);
    const { left, top, wide, high } = layout;
    canvas.dataset.cells = [left, top, wide, high].join(" ");
    const context = sized(base, layout.width, layout.height);
    const locked = lockedUnits(app.state, app.sides);
    const weights = app.merged;
    paintCells(cells, weights, app.rows, app.columns, app.colours, {
      rowScale: app.state.rowScale, locked,
    });
    drawCells(context, app, layout, cells, locked);
    drawNames(context, app, layout, locked);
    const peak = strongestLinks([{ head: null, weights }], app.rows, app.columns, 1, null)[0];
    const label = [pictureTitle(app), app.say("matrix axes")];
    if (peak) label.push(`${linkText(app, peak)} ${peak.weight.toFixed(2)}`);
    canvas.setAttribute("aria-label", label.join(". "));
    hover();
  };
  const hover = () => {
    const context = sized(canvas, layout.width, layout.height);
    context.drawImage(base, 0, 0, layout.width, layout.height);
    if (app.hovered?.row !== undefined) drawCrosshair(context, app, layout, app.hovered);
  };
  return { node, draw, hover };
}

/** The token whose name is under the pointer, beside its row or over its column; null without. */
function nameUnder(canvas, event, layout, { rows, columns }) {
  const { row, column } = cellUnder(canvas, event, layout);
  if (column < 0 && row >= 0 && row < rows) return { side: "q", index: row };
  return row < 0 && column >= 0 && column < columns ? { side: "k", index: column } : null;
}

/** The room for the names, and cells as large as fit, up to a limit for short sentences. */
export function matrixLayout(app) {
  const width = Math.max(360, app.width);
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${LETTERS}px ${app.colours.font}`;
  const widest = (units) => Math.max(...units.map((unit) => context.measureText(unit.name).width), 30);
  const names = [widest(app.sides.queries), widest(app.sides.keys)];
  const [left, top] = app.paper
    ? names.map((size) => size * SLACK + 46) : [Math.min(names[0] + 46, width * 0.32), Math.min(names[1] + 46, 190)];
  const height = app.height;
  const least = app.paper ? 15 : 4; // on paper every row and column has its name
  const high = Math.max(least, Math.min(34, (height - top - 6) / app.rows));
  const wide = Math.max(least, Math.min(56, high * 1.8, (width - left - 6) / app.columns));
  return { width, height: Math.max(height, top + high * app.rows + 6), left, top, high, wide };
}

function drawCells(context, app, layout, cells, locked) {
  const { left, top, wide, high } = layout;
  context.imageSmoothingEnabled = false;
  context.drawImage(cells, left, top, wide * app.columns, high * app.rows);
  context.fillStyle = hatching(context, app.colours);
  context.beginPath(); // as one shape: between single cells there would be seams
  hiddenFrom(app).forEach((column, row) => {
    const width = (app.columns - column) * wide;
    context.rect(left + column * wide, top + row * high, width, high);
  });
  context.fill();
  context.strokeStyle = app.colours.border;
  context.lineWidth = 1;
  context.strokeRect(left - 0.5, top - 0.5, wide * app.columns + 1, high * app.rows + 1);
  if (wide < 36 || high < 20) return;
  const some = locked.rows.size + locked.columns.size > 0;
  context.font = `${LETTERS}px ${app.colours.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let at = 0; at < app.merged.length; at++) {
    const weight = app.merged[at];
    if (weight < 0.1) continue;
    const [row, column] = [Math.floor(at / app.columns), at % app.columns];
    if (some && !locked.rows.has(row) && !locked.columns.has(column)) continue;
    const scale = app.state.rowScale ? rowMaximum(app.merged, row, app.columns) : 1;
    const level = Math.min(255, Math.round((weight / scale) * 255));
    const behind = rgb(levelOf(app.colours.table, level));
    context.fillStyle = contrast("#ffffff", behind) >= 4 ? "#ffffff" : "#101318";
    context.fillText(weight.toFixed(2), left + (column + 0.5) * wide, top + (row + 0.5) * high);
  }
}

/** The first column that the look-ahead mask hides from each row; empty without a mask. */
export function hiddenFrom({ payload, state, sides }) {
  if (!payload.kinds[state.kind].causal) return [];
  return sides.queries.map(({ pieces }) => {
    const column = sides.keys.findIndex((key) => key.pieces[0] > pieces[pieces.length - 1]);
    return column < 0 ? sides.keys.length : column;
  });
}

function hatching(context, colours) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const ink = tile.getContext("2d");
  ink.fillStyle = colours.panel;
  ink.fillRect(0, 0, 6, 6);
  ink.strokeStyle = colours.border;
  ink.lineWidth = 1.5;
  ink.beginPath();
  for (const shift of [-6, 0, 6]) {
    ink.moveTo(shift - 1, 7);
    ink.lineTo(shift + 7, -1);
  }
  ink.stroke();
  return context.createPattern(tile, "repeat");
}

/** Write the names of the tokens along both sides; only every second, third ... if room is short. */
function drawNames(context, app, layout, locked) {
  const { left, top, wide, high } = layout;
  const { queries, keys } = app.sides;
  context.textBaseline = "middle";
  queries.forEach((unit, row) => {
    if (row % Math.ceil(LETTERS / high) && !locked.rows.has(row)) return;
    context.font = `${locked.rows.has(row) ? "bold " : ""}${LETTERS}px ${app.colours.font}`;
    context.textAlign = "right";
    context.fillStyle = unit.special ? app.colours.muted : app.colours.text;
    context.fillText(fitted(context, unit.name, left - 34), left - 8, top + (row + 0.5) * high);
  });
  keys.forEach((unit, column) => {
    if (column % Math.ceil(LETTERS / wide) && !locked.columns.has(column)) return;
    context.font = `${locked.columns.has(column) ? "bold " : ""}${LETTERS}px ${app.colours.font}`;
    context.fillStyle = unit.special ? app.colours.muted : app.colours.text;
    slanted(context, left + (column + 0.5) * wide, top - 8, () => {
      context.textAlign = "left";
      context.fillText(fitted(context, unit.name, top - 40), 0, 0);
    });
  });
  context.font = `600 ${LETTERS}px ${app.colours.font}`;
  context.textAlign = "left";
  context.fillStyle = app.colours.key;
  context.fillText(app.say("key axis"), left, 12);
  context.fillStyle = app.colours.query;
  slanted(context, 10, top + Math.min(high * app.rows, 300), () =>
    context.fillText(app.say("query axis"), 0, 0),
  );
}

function slanted(context, x, y, draw) {
  turned(context, x, y, -Math.PI / 2, draw);
}

function fitted(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > room) end--;
  return `${text.slice(0, end)}…`;
}

/** Frame the row and the column of a cell and write both names over the axes. */
function drawCrosshair(context, app, layout, { row, column }) {
  const { left, top, wide, high } = layout;
  context.lineWidth = 2;
  context.strokeStyle = app.colours.query;
  context.strokeRect(left, top + row * high, wide * app.columns, high);
  context.strokeStyle = app.colours.key;
  context.strokeRect(left + column * wide, top, wide, high * app.rows);
  const plate = (text, colour, anchor) => {
    context.font = `bold ${LETTERS}px ${app.colours.font}`;
    const width = context.measureText(text).width + 10;
    context.fillStyle = app.colours.background;
    context.fillRect(anchor === "right" ? -width : 0, -11, width, 22);
    context.fillStyle = colour;
    context.textAlign = anchor;
    context.textBaseline = "middle";
    context.fillText(text, anchor === "right" ? -5 : 5, 0);
  };
  context.save();
  context.translate(left - 3, top + (row + 0.5) * high);
  plate(fitted(context, app.sides.queries[row].name, left - 30), app.colours.query, "right");
  context.restore();
  slanted(context, left + (column + 0.5) * wide, top - 3, () =>
    plate(fitted(context, app.sides.keys[column].name, top - 36), app.colours.key, "left"),
  );
}
