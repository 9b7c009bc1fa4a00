import { colourAt, gradient, rgb } from "../../components/javascript/colours.js";
import { fillIn, make, makeSvg } from "../../components/javascript/dom.js";
import { number } from "../../components/javascript/numbers.js";
import { filledParts } from "./head_said.js";
import { themeNow } from "./lab.js";
import { headNamed, lookAt, shownToken } from "./lab_picker.js";

const LEAST_RANGE = 0.05; // as in viz/effect/difference.py
const MOST_LETTERS = 22; // of a label
const CELLS = { side: 30, letter: 8, slanted: 5.7 }; // pixels: a cell, and a letter of a name

/**
 * Draw how a change of the model moves the attention of a head: the heads that moved most, to press,
 * and the weights after minus before. It says so where the head is shown because it `isMost` moved.
 * Nothing is drawn of an unchanged model.
 */
export function drawDifference(page, view, isMost = false) {
  const { lab, message: { difference: shown }, difference: node } = page;
  const words = lab.difference;
  node.hidden = !shown;
  if (!shown) return node.replaceChildren();
  const name = headNamed(lab, view);
  const [title, purpose] = words.moved;
  const note = isMost ? make("p", { class: "told" }, fillIn(words.shown, { head: name, why: words.why })) : "";
  const buttons = shown.moved.map(({ share, ...head }) =>
    make("button", { type: "button", title: purpose, click: () => lookAt(page, view, head) }, `${headNamed(lab, head)} · ${Math.round(100 * share)}%`));
  const moved = buttons.length ? make("p", { class: "moved" }, `${title} `, ...buttons) : "";
  const heading = make("p", {}, ...filledParts(words.title, {}).map(([text, isBold]) => (isBold ? make("b", {}, text) : text)));
  if (!shown.change) return node.replaceChildren(note, moved, heading, make("p", { class: "told" }, words[shown.off ? "off" : "same"]));
  const most = Math.max(LEAST_RANGE, ...shown.change.flat().map(Math.abs));
  const label = fillIn(words.change, { head: name });
  const picture = changedCells(shown, words, { label, most, isAfter: view.kind !== "encoder" });
  node.replaceChildren(
    note, moved, heading,
    make("div", { class: "scrolled", tabindex: "0", role: "group", "aria-label": label }, picture),
    changeLegend(words, most, label),
  );
}

function changeLegend({ scale }, most, label) {
  const bar = make("span", { class: "bar", style: `background: ${gradient(scale[themeNow()])}` });
  return make("p", { class: "legend" }, make("span", {}, label), make("span", {}, number(-most, 2)), bar, make("span", {}, `+${number(most, 2)}`));
}

/** The cells (query, key) with their names; a cell says its numbers when it is pointed at. */
function changedCells({ change, queries, keys }, words, { label, most, isAfter }) {
  const [queryWord, keyWord, changeWord] = words.cell;
  const { side } = CELLS;
  const letters = (tokens) => Math.max(...tokens.map((token) => shortened(token).length));
  const [left, top] = [44 + CELLS.letter * letters(queries), 48 + CELLS.slanted * letters(keys)];
  const [width, height] = [left + side * keys.length + CELLS.slanted * letters(keys), top + side * queries.length + 8];
  const scale = words.scale[themeNow()];
  const at = (place) => side * (place + 0.5);
  const cell = (value, row, column) => value === null ? "" : makeSvg(
    "rect", {
      x: left + side * column, y: top + side * row, width: side - 1, height: side - 1,
      fill: rgb(colourAt(scale, 0.5 + value / most / 2)), "data-cell": `${row} ${column}`,
    },
    makeSvg("title", {}, `${queryWord}: ${shownToken(queries[row])}, ${keyWord}: ${shownToken(keys[column])}, ${changeWord}: ${value > 0 ? "+" : ""}${number(value, 3)}`),
  );
  const [after, query, key] = words.axes;
  const slanted = (token, column) => {
    const [x, y] = [left + at(column), top - 10];
    return makeSvg("text", { x, y, transform: `rotate(-45 ${x} ${y})` }, shortened(token));
  };
  return makeSvg(
    "svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
    makeSvg("text", { class: "axis", x: left, y: 18 }, key),
    makeSvg("text", { class: "axis", x: 18, y: top + at(queries.length / 2), transform: `rotate(-90 18 ${top + at(queries.length / 2)})`, "text-anchor": "middle" }, isAfter ? after : query),
    ...keys.map(slanted),
    ...queries.map((token, row) => makeSvg("text", { x: left - 8, y: top + at(row) + 5, "text-anchor": "end" }, shortened(token))),
    ...change.flatMap((values, row) => values.map((value, column) => cell(value, row, column))),
  );
}

function shortened(token) {
  const text = shownToken(token);
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS - 1)}…`;
}
