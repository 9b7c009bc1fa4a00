import "./alignments.css";
import { colourAt, gradient, rgb } from "../../javascript/colours.js";
import { make, setText, setVariables } from "../../javascript/dom.js";
import { currentColours } from "../../javascript/palette.js";
import { atEnd, kept, mount } from "../../javascript/mount.js";
import { list } from "./list.js";

/**
 * Panels of query x key cells. The cell under the pointer is marked in every panel: its row, and its
 * place in the source. That is a piece, or a word if the models cut the source differently.
 */

function cell(data, panel, row, column, point) {
  const weight = panel.weights[row][column];
  const text = `${panel.title}: ${panel.says[row]} → ${panel.keys[column]}: ${weight.toFixed(2)}`;
  const place = panel.places[column];
  return make("td", {
    class: column === panel.bracketed && "bracketed", style: `background: ${rgb(colourAt(data.scale, weight))}`, title: text,
    "data-row": row, "data-column": place,
    mouseenter: () => point(row, place), click: () => point(row, place),
  });
}

function table(data, panel, point) {
  const head = panel.keys.map((token, column) =>
    make("th", { scope: "col", class: column === panel.bracketed && "bracketed", "data-column": panel.places[column] }, make("span", {}, token)));
  const rows = panel.queries.map((token, row) =>
    make("tr", {},
      make("th", { scope: "row", "data-row": row }, token),
      ...panel.keys.map((_, column) => cell(data, panel, row, column, point))));
  const [query, key] = data.words.corner;
  const corner = make("td", { class: "corner", title: `${data.words.query} / ${data.words.key}` },
    data.listed ? null : make("span", { class: "key" }, `${key} →`), data.listed ? null : make("span", { class: "query" }, `${query} ↓`));
  return make("table", {}, make("tr", {}, corner, ...head), ...rows);
}

function figure(data, panel, point) {
  const reading = make("p", { class: "reading", "aria-live": "polite" });
  const node = make("figure", { tabindex: "0" }, // so that arrow keys scroll a wide panel
    make("figcaption", {}, panel.title, panel.measured ? make("span", { class: "measured" }, panel.measured) : null),
    panel.weights ? null : make("p", { class: "translation", lang: data.language }, panel.translation),
    panel.weights ? table(data, panel, point) : null,
    panel.note ? make("p", { class: "note" }, panel.note) : null,
    panel.weights ? reading : null);
  return { node, panel, reading };
}

/** Return a function that marks a row and a place in all panels and writes the weight under each. */
function marker(root, figures) {
  return (row, place) => {
    root.dataset.row = String(row);
    root.dataset.column = String(place);
    for (const node of root.querySelectorAll("[data-row], [data-column]")) {
      const own = node.dataset;
      const onRow = own.row === undefined || Number(own.row) === row;
      const onColumn = own.column === undefined || Number(own.column) === place;
      node.classList.toggle("marked", onRow && onColumn);
    }
    for (const { panel, reading } of figures) {
      const weights = panel.weights?.[row];
      if (!weights) continue;
      const columns = weights.map((_, column) => column).filter((column) => panel.places[column] === place);
      const key = columns.map((column) => panel.keys[column]).join("");
      const weight = columns.reduce((sum, column) => sum + weights[column], 0);
      setText(reading, `${panel.says[row]} → ${key}: ${weight.toFixed(2)}`);
    }
  };
}

function legend(data) {
  const bar = make("span", { class: "scale", style: `background: ${gradient(data.scale)}` });
  return make("div", { class: "legend" }, `${data.words.weight} 0`, bar, "1");
}

/** Tell the style sheet how wide the names of the rows are, and how many columns there are. */
function measure(root, data) {
  const names = [...root.querySelectorAll("figure:not([hidden]) th[scope=row]")];
  const size = names.length ? Number.parseFloat(getComputedStyle(names[0]).fontSize) : 1;
  const widest = Math.max(0, ...names.map((name) => name.offsetWidth + 1));
  const keys = Math.max(1, ...data.panels.map((panel) => panel.keys.length));
  setVariables(root, { names: `${widest / size}em`, keys: String(keys) });
}

export function render({ data, parentElement }) {
  const root = kept(parentElement, () => make("div", { class: "alignments" }));
  let mark = () => {};
  const figures = data.panels.map((panel) => figure(data, panel, (row, column) => mark(row, column)));
  mark = marker(root, figures);
  const panels = make("div", { class: "panels" }, ...figures.map(({ node }) => node));
  if (data.listed) {
    root.replaceChildren(list(root, data, figures), make("div", { class: "large" }, axes(data), panels, legend(data)));
  } else root.replaceChildren(legend(data), panels);
  root.classList.toggle("listed", data.listed !== null);
  mount(parentElement, root);
  const { query, key } = currentColours(root, data.palette);
  setVariables(root, { query, key });
  measure(root, data);
  return atEnd(parentElement);
}

/** The names of a large panel's axes; below panels side by side, a sentence names the axes. */
function axes(data) {
  return make("p", { class: "axes" },
    make("span", { class: "query" }, `${data.words.query} ↓`), make("span", { class: "key" }, `${data.words.key} →`));
}
