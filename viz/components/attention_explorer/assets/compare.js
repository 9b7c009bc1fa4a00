import { cellUnder, sized, turned } from "../../javascript/canvas.js";
import { gradient } from "../../javascript/colours.js";
import { make, setText } from "../../javascript/dom.js";
import { csvCell, escaped } from "../../javascript/writing.js";
import { paintLevels } from "./cells.js";
import { compareChoice } from "./compare_choice.js";
import { cellRead, comparison, weightText } from "./comparison.js";
import { SLACK } from "./lines.js";

const GAP = 17;
const STACKED = 560; // pixels; on a narrower page the three matrices are stacked

/** Two matrices and their difference; the cell under the pointer is framed in all three. */
export function compareView(app) {
  const choice = compareChoice(app);
  const panels = ["first", "second", "difference"].map((name) => panel(app, name));
  const strip = make("span", { class: "strip", "aria-hidden": "true" });
  const legend = make(
    "div", { class: "legend" },
    make("span", {}, app.say("legend difference")), "−1", strip, "+1",
  );
  const node = make(
    "div", { class: "compare view" }, choice.node,
    make("p", { class: "explain axes" }, app.say("matrix axes")),
    make("div", { class: "panels" }, ...panels.map((one) => one.node)), legend,
  );
  const draw = () => {
    app.compared = comparison(app);
    choice.show();
    strip.style.background = gradient(app.colours.diverging);
    const layout = compareLayout(app, app.compared);
    for (const one of panels) one.draw(layout);
    hover();
  };
  const hover = () => {
    const cell = cellRead(app, app.compared);
    for (const one of panels) one.hover(cell, app.hovered !== null);
    node.dataset.cell = `${cell.row} ${cell.column}`;
  };
  return { node, draw, hover, drop: choice.drop };
}

/** The room for the names and the size of a cell, equal in all three matrices. */
function compareLayout(app, { rows, columns }, width = app.width) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `16px ${app.colours.font}`;
  const widest = (slots) => Math.max(...slots.map(({ text }) => context.measureText(text).width), 30);
  const [longest, highest] = [widest(rows), widest(columns)];
  const least = app.paper ? 15 : 3; // on paper every row and column has its name
  const beside = app.paper ? longest * SLACK + 14 : Math.min(longest + 14, 150);
  const third = (width - beside - 2 * GAP - 10) / 3;
  const narrow = !app.paper && (width < STACKED || third - 2 < least * columns.length);
  const left = narrow ? Math.min(beside, width * 0.34) : beside;
  const top = app.paper ? highest * SLACK + 14 : Math.min(highest + 14, 130);
  const room = narrow ? width - left : third;
  const wide = Math.max(least, Math.min(34, (room - 2) / columns.length));
  const high = Math.max(least, Math.min(28, Math.max(wide, 15), (app.height - top) / Math.min(rows.length, 40)));
  return { narrow, left, top, wide, high, room };
}

function panel(app, name) {
  const caption = make("figcaption", {});
  const value = make("b", { class: "value-read" });
  const canvas = make("canvas", { role: "img" });
  const cells = document.createElement("canvas");
  const node = make("figure", { "data-panel": name }, make("div", { class: "caption-row" }, caption, value), canvas);
  let own = null;
  canvas.addEventListener("pointermove", (event) => {
    const { row, column } = cellUnder(canvas, event, own);
    const { rows, columns } = app.compared;
    const inside = row >= 0 && row < rows.length && column >= 0 && column < columns.length;
    app.hover(inside ? { row, column } : null);
  });
  canvas.addEventListener("pointerleave", () => app.hover(null));
  const draw = (layout) => {
    const { rows, columns, names } = app.compared;
    const named = layout.narrow || name === "first"; // of three matrices side by side, only one names the rows
    own = { ...layout, left: named ? layout.left : 1 };
    own.width = own.left + layout.wide * columns.length + 2;
    own.height = layout.top + layout.high * rows.length + 2;
    node.style.maxWidth = `${own.left + layout.room}px`; // long captions wrap, so all three fit in a row
    setText(caption, { first: names[0], second: names[1], difference: app.say("difference") }[name]);
    paintPanel(cells, app, name);
    canvas.dataset.cells = [own.left, own.top, own.wide, own.high].join(" ");
    canvas.setAttribute("aria-label", caption.textContent);
  };
  const hover = (cell, pointed) => {
    const { columns } = app.compared;
    const weight = app.compared[name][cell.row * columns.length + cell.column];
    setText(value, weightText(weight, name === "difference"));
    drawPanel(app, canvas, cells, own, cell, pointed);
  };
  return { node, draw, hover };
}

/** Paint one of the three matrices, with a pixel per cell. */
function paintPanel(cells, app, name) {
  const { rows, columns } = app.compared;
  const signed = name === "difference";
  const table = signed ? app.colours.signedTable : app.colours.table;
  const levels = Array.from(app.compared[name], (weight) =>
    Number.isNaN(weight) ? -1 : Math.round(signed ? (weight + 1) * 127.5 : weight * 255));
  paintLevels(cells, levels, rows.length, columns.length, table, app.colours.border);
}

function drawPanel(app, canvas, cells, own, cell, pointed) {
  const { rows, columns } = app.compared;
  const { left, top, wide, high } = own;
  const context = sized(canvas, own.width, own.height);
  context.imageSmoothingEnabled = false;
  context.drawImage(cells, left, top, wide * columns.length, high * rows.length);
  context.strokeStyle = app.colours.border;
  context.strokeRect(left - 0.5, top - 0.5, wide * columns.length + 1, high * rows.length + 1);
  context.textBaseline = "middle";
  const write = (slot, chosen, room) => {
    context.font = `${chosen ? "bold " : ""}16px ${app.colours.font}`;
    context.fillStyle = slot.special ? app.colours.muted : app.colours.text;
    let { text } = slot;
    while (text.length > 1 && context.measureText(text).width > room) text = `${text.slice(0, -2)}…`;
    context.fillText(text, 0, 0);
  };
  columns.forEach((slot, at) => {
    if (at !== cell.column && at % Math.ceil(16 / wide)) return;
    turned(context, left + (at + 0.5) * wide, top - 5, -Math.PI / 2, () => write(slot, at === cell.column, top - 8));
  });
  context.textAlign = "right";
  if (left > 1) rows.forEach((slot, at) => {
    if (at !== cell.row && at % Math.ceil(16 / high)) return;
    turned(context, left - 6, top + (at + 0.5) * high, 0, () => write(slot, at === cell.row, left - 8));
  });
  context.textAlign = "left";
  context.lineWidth = 2;
  context.strokeStyle = app.colours.text;
  context.strokeRect(left + cell.column * wide, top + cell.row * high, wide, high);
  if (!pointed) return;
  context.lineWidth = 1;
  context.strokeStyle = app.colours.query;
  context.strokeRect(left, top + cell.row * high, wide * columns.length, high);
  context.strokeStyle = app.colours.key;
  context.strokeRect(left + cell.column * wide, top, wide, high * rows.length);
}

/** The three matrices of the comparison for a saved picture: parts of an SVG, its width and height. */
export function svgCompare(app, least) {
  app.compared = comparison(app);
  const { rows, columns, names } = app.compared;
  const { left, top, wide, high } = compareLayout(app, app.compared, least - 32);
  const text = (x, y, words, rest) =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="14" fill="${app.colours.text}" ${rest}>${escaped(words)}</text>`;
  const parts = [];
  ["first", "second", "difference"].forEach((name, at) => {
    const x = 16 + left + at * (wide * columns.length + GAP);
    const canvas = document.createElement("canvas");
    paintPanel(canvas, app, name);
    const size = `width="${(wide * columns.length).toFixed(1)}" height="${(high * rows.length).toFixed(1)}"`;
    parts.push(
      text(x, 14, [names[0], names[1], app.say("difference")][at], 'font-weight="600"'),
      `<image x="${x.toFixed(1)}" y="${top + 24}" ${size} preserveAspectRatio="none" ` +
        `style="image-rendering:pixelated" href="${canvas.toDataURL("image/png")}"/>`,
    );
    columns.forEach((unit, column) => {
      const [across, down] = [x + (column + 0.5) * wide + 4, top + 18];
      parts.push(text(across, down, unit.text, `transform="rotate(-90 ${across.toFixed(1)} ${down})"`));
    });
  });
  rows.forEach((unit, row) => parts.push(
    text(16 + left - 8, top + 24 + (row + 0.5) * high + 5, unit.text, 'text-anchor="end"')));
  const width = Math.max(least, 32 + left + 3 * wide * columns.length + 2 * GAP);
  return { parts, width, height: top + 32 + high * rows.length };
}

/** The numbers of the comparison as CSV, a line for each cell that both matrices have. */
export function csvCompare(app) {
  const { rows, columns, first, second, difference, names } = comparison(app);
  const lines = [["query", "key", ...names, "difference"].map(csvCell).join(",")];
  difference.forEach((value, at) => {
    if (Number.isNaN(value)) return;
    const slots = [rows[Math.floor(at / columns.length)], columns[at % columns.length]];
    const numbers = [first[at], second[at], value].map((number) => number.toFixed(4));
    lines.push([...slots.map(({ label }) => csvCell(label)), ...numbers].join(","));
  });
  return `\ufeff${lines.join("\r\n")}\r\n`;
}
