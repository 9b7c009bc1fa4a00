import { cellUnder, sized, turned } from "../../../../components/javascript/canvas.js";
import { fillIn, make, setText } from "../../../../components/javascript/dom.js";
import { tokenText } from "../../../../components/javascript/tokens.js";
import { placeName, shade } from "./parts.js";
import { attentionRow, shownBranch } from "./scene.js";
import { goTo } from "./view.js";

const CELL = { most: 34, least: 9 };

/** The cross-attention of the whole translation, with a row for each step; the current step is marked. */
export function makeAlignment(app) {
  const { words } = app;
  const title = make("b", {});
  const value = make("span", { class: "small", "aria-live": "off" });
  const canvas = make("canvas", { tabindex: "-1" });
  const node = make(
    "div", {},
    make("div", { class: "row" }, title, make("span", { class: "small" }, words["alignment hint"]), value),
    make("div", { class: "scroll", tabindex: "0" }, canvas),
  );
  let grid = null;
  const at = (event) => grid && cellAt(canvas, event, grid);
  canvas.addEventListener("click", (event) => at(event) && goTo(app, at(event).row + 1));
  canvas.addEventListener("mousemove", (event) => setText(value, cellText(app, grid, at(event))));
  canvas.addEventListener("mouseleave", () => setText(value, ""));
  const update = () => {
    const attends = app.scene.sizes.cross[0] > 0;
    const name = attends ? words["alignment title"] : words["no cross"];
    setText(title, fillIn(name, { place: placeName(app) }));
    grid = layGrid(app, node.clientWidth || 900);
    drawAlignment(app, canvas, grid);
    canvas.dataset.row = app.view.step;
  };
  return { node, update };
}

function layGrid(app, width) {
  const branch = shownBranch(app.scene, app.view);
  const rows = branch.steps.length;
  const columns = app.scene.source.length;
  const context = document.createElement("canvas").getContext("2d");
  const cell = Math.max(CELL.least, Math.min(CELL.most, (width - 200) / columns));
  const size = Math.max(9, Math.min(16, cell - 2));
  context.font = `${size}px ${app.colours.font}`;
  const widest = (tokens) =>
    Math.max(...tokens.map((token) => context.measureText(tokenText(token)).width));
  const takes = branch.steps.map(({ chosen }) => tokenText(chosen ? chosen[1] : "…"));
  const rowNames = takes.map((word) => fillIn(app.words.writing, { word }));
  const left = Math.max(150, widest(rowNames) + 34);
  const top = Math.max(70, widest(app.scene.source) * 0.75 + 44);
  return { rows, columns, cell, size, left, top, rowNames, branch };
}

/** The cell under the pointer, or null; over the name of a row its column is negative. */
function cellAt(canvas, event, grid) {
  const { left, top, cell } = grid;
  const { row, column } = cellUnder(canvas, event, { left, top, wide: cell, high: cell });
  return row >= 0 && row < grid.rows && column < grid.columns ? { row, column } : null;
}

function cellText(app, grid, cell) {
  if (!cell || cell.column < 0) return "";
  const weight = attentionRow(app.scene, grid.branch, "cross", app.view, cell.row)[cell.column];
  const query = grid.rowNames[cell.row];
  const key = tokenText(app.scene.source[cell.column]);
  return fillIn(app.words.weight, { query, key, weight: weight.toFixed(2) });
}

function drawAlignment(app, canvas, grid) {
  const { colours, scene, view } = app;
  const { rows, columns, cell, left, top } = grid;
  const [width, height] = [left + columns * cell + 60, top + rows * cell + 4];
  const context = sized(canvas, width, height);
  const gap = cell > 14 ? 1 : 0;
  for (let row = 0; row < rows; row++) {
    const weights = attentionRow(scene, grid.branch, "cross", view, row);
    weights.forEach((weight, column) => {
      context.fillStyle = shade(colours, weight).back;
      context.fillRect(left + column * cell, top + row * cell, cell - gap, cell - gap);
    });
  }
  context.strokeStyle = colours.border;
  context.strokeRect(left - 0.5, top - 0.5, columns * cell + 1, rows * cell + 1);
  labelAlignment(app, context, grid);
  context.strokeStyle = colours.query;
  context.lineWidth = 3;
  context.strokeRect(left - 2, top + (view.step - 1) * cell - 2, columns * cell + 3, cell + 3);
}

function labelAlignment(app, context, grid) {
  const { colours, scene, view, words } = app;
  const { cell, left, top, size } = grid;
  const font = (weight, pixels) => `${weight} ${pixels}px ${colours.font}`;
  context.textBaseline = "middle";
  context.textAlign = "right";
  grid.rowNames.forEach((name, row) => {
    context.font = font(row === view.step - 1 ? 700 : 400, size);
    context.fillStyle = row === view.step - 1 ? colours.query : colours.text;
    context.fillText(name, left - 8, top + (row + 0.5) * cell);
  });
  context.textAlign = "left";
  context.fillStyle = colours.text;
  context.font = font(400, size);
  scene.source.forEach((token, column) => {
    const name = tokenText(token);
    turned(context, left + (column + 0.5) * cell, top - 6, -Math.PI / 4, () => context.fillText(name, 0, 0));
  });
  context.font = font(600, 16);
  context.fillStyle = colours.key;
  context.fillText(words.key, left, 10);
  context.fillStyle = colours.query;
  context.fillText(words.query, 0, top - 14);
}
