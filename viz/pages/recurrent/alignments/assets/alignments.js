import "./alignments.css";
import { colourAt, gradient, rgb } from "../../../../shared/javascript/colours.js";
import { make, setText } from "../../../../shared/javascript/dom.js";
import { forget, kept, mount } from "../../../../shared/javascript/mount.js";

/** Panels of query x key cells; a cell under the pointer or focus is marked in every panel. */

function cell(data, panel, row, column, point) {
  const weight = panel.weights[row][column];
  const text = `${panel.title}: ${panel.queries[row]} → ${data.keys[column]}: ${weight.toFixed(2)}`;
  return make("td", {
    style: `background: ${rgb(colourAt(data.scale, weight))}`, title: text,
    "data-row": row, "data-column": column,
    mouseenter: () => point(row, column), click: () => point(row, column),
  });
}

function table(data, panel, point) {
  const head = data.keys.map((token, column) =>
    make("th", { scope: "col", "data-column": column }, make("span", {}, token)));
  const rows = panel.queries.map((token, row) =>
    make("tr", {},
      make("th", { scope: "row", "data-row": row }, token),
      ...data.keys.map((_, column) => cell(data, panel, row, column, point))));
  const corner = make("th", { class: "corner", title: `${data.words.query} / ${data.words.key}` });
  return make("table", {}, make("tr", {}, corner, ...head), ...rows);
}

function figure(data, panel, point) {
  const reading = make("p", { class: "reading", "aria-live": "polite" });
  const node = make("figure", {},
    make("figcaption", {}, panel.title),
    make("p", { class: "translation", lang: "fr" }, panel.translation),
    panel.weights ? table(data, panel, point) : null,
    panel.note ? make("p", { class: "note" }, panel.note) : null,
    panel.weights ? reading : null);
  return { node, panel, reading };
}

/** Mark a row and a column in all panels and write the weight there under each. */
function marker(root, data, figures) {
  return (row, column) => {
    root.dataset.row = String(row);
    root.dataset.column = String(column);
    for (const node of root.querySelectorAll("[data-row], [data-column]")) {
      const own = node.dataset;
      const onRow = own.row === undefined || Number(own.row) === row;
      const onColumn = own.column === undefined || Number(own.column) === column;
      node.classList.toggle("marked", onRow && onColumn);
    }
    for (const { panel, reading } of figures) {
      const weight = panel.weights?.[row]?.[column];
      if (weight === undefined) continue;
      setText(reading, `${panel.queries[row]} → ${data.keys[column]}: ${weight.toFixed(2)}`);
    }
  };
}

function legend(data) {
  const bar = make("span", { class: "scale", style: `background: ${gradient(data.scale)}` });
  return make("div", { class: "legend" }, `${data.words.weight} 0`, bar, "1");
}

export function render({ data, parentElement }) {
  const root = kept(parentElement, () => make("div", { class: "alignments" }));
  let mark = () => {};
  const figures = data.panels.map((panel) => figure(data, panel, (row, column) => mark(row, column)));
  mark = marker(root, data, figures);
  root.replaceChildren(make("div", { class: "panels" }, ...figures.map(({ node }) => node)), legend(data));
  mount(parentElement, root);
  return () => forget(parentElement);
}
