import "./add_norm.css";
import { gradient, levelOf, rgb } from "../../../../components/javascript/colours.js";
import { pointIn } from "../../../../components/javascript/canvas.js";
import { fillIn, make, setText, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { number } from "../../../../components/javascript/numbers.js";
import { currentColours } from "../../../../components/javascript/palette.js";
import { paintTile } from "../../../../components/javascript/tile.js";

/* Vectors below each other with their signs, as a sum on paper. A slider moves the stretch with numbers. */

function create() {
  const view = { first: null };
  view.range = make("input", { type: "range", min: "0", step: "1", input: () => go(view, Number(view.range.value)) });
  view.said = make("span", { class: "said", "aria-live": "polite" });
  view.scale = make("i");
  view.below = make("span");
  view.above = make("span");
  const legend = make("span", { class: "legend" }, view.below, view.scale, view.above);
  view.rows = make("div", { class: "rows" });
  const head = make("div", { class: "head" }, make("label", {}, view.said, view.range), legend);
  view.root = make("div", { class: "addnorm", role: "group" }, head, view.rows);
  return view;
}

function level(view, value) {
  const share = Math.max(-1, Math.min(1, value / view.data.most));
  return Math.round(((share + 1) / 2) * 255);
}

function rowOf(view, { sign, name, note, slim, vector }) {
  const press = (at) => view.send({ dimension: view.first + at });
  const cells = Array.from({ length: view.data.stretch }, (_, at) => make("button", { type: "button", class: "cell", click: () => press(at) }));
  const canvas = make("canvas", { "aria-hidden": "true" });
  const lens = make("span", { class: "lens" });
  const seek = (event) => {
    if (event.type === "pointermove" && !event.buttons) return;
    const at = (pointIn(canvas, event).x / canvas.clientWidth) * vector.length;
    go(view, Math.round(at - view.data.stretch / 2));
  };
  const row = make("div", { class: slim ? "row slim" : "row" },
    make("b", { class: "sign" }, sign),
    make("div", { class: "name" }, make("b", {}, name), note ? make("span", {}, note) : null),
    slim ? null : make("div", { class: "stripes", pointerdown: seek, pointermove: seek }, canvas, lens),
    make("div", { class: "cells" }, ...cells));
  return { row, slim, cells, vector, canvas, lens };
}

/** Show the stretch that begins at a dimension, counted from 0. */
function go(view, first) {
  const { stretch } = view.data;
  const all = view.drawn[0].vector.length;
  view.first = Math.max(0, Math.min(all - stretch, first));
  view.range.value = String(view.first);
  const words = fillIn(view.data.words.stretch, { first: view.first + 1, last: view.first + stretch, all });
  setText(view.said, words);
  view.range.setAttribute("aria-valuetext", words);
  for (const { slim, cells, vector, lens } of view.drawn) {
    cells.forEach((cell, at) => {
      paintCell(view, cell, vector[view.first + at], slim);
      cell.title = fillIn(view.data.words.press, { dimension: view.first + at + 1 });
      cell.setAttribute("aria-pressed", String(view.first + at === view.data.chosen));
    });
    setVariables(lens, { from: `${(100 * view.first) / all}%`, width: `${(100 * stretch) / all}%` });
  }
}

function paintCell(view, cell, value, slim) {
  setText(cell, number(value));
  if (!slim) cell.style.borderColor = rgb([...levelOf(view.colours.signedTable, level(view, value))]);
}

export function render({ data, parentElement, setTriggerValue }) {
  const view = kept(parentElement, create);
  view.send = (press) => setTriggerValue("press", press);
  const same = view.data && view.data.rows[0].vector.length === data.rows[0].vector.length;
  const first = same && view.first !== view.data.first ? view.first : data.first;
  view.data = data;
  mount(parentElement, view.root);
  view.colours = currentColours(view.root, data.palette, view.colours);
  view.drawn = data.rows.map((row) => rowOf(view, row));
  view.rows.replaceChildren(...view.drawn.map(({ row }) => row));
  for (const { canvas, vector } of view.drawn) {
    paintTile(canvas, vector.map((value) => level(view, value)), 1, vector.length, view.colours.signedTable);
  }
  view.root.setAttribute("aria-label", data.words.label);
  view.range.max = String(data.rows[0].vector.length - data.stretch);
  view.scale.style.background = gradient(view.colours.diverging);
  setText(view.below, data.words.below);
  setText(view.above, data.words.above);
  setVariables(view.root, { count: String(data.stretch) });
  go(view, first);
  return atEnd(parentElement);
}
