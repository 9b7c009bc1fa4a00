import { alikeLink } from "../../head_links/assets/links_of_head.js";
import { make, setText } from "../../javascript/dom.js";
import { headColour } from "../../javascript/palette.js";
import { appLink } from "../../javascript/visit.js";
import { headName, linkText, measured, mergeNote, pictureTitle } from "./aids.js";
import { paintCells } from "./cells.js";
import { activeUnits } from "./lines.js";
import { hiddenFrom } from "./matrix.js";
import { mergeOf, placeOf } from "./state.js";
import { lockedUnits, shownHead, strongestLinks } from "./transform.js";

const TABLE_ROWS = 10;

/** The side panel: a larger matrix (in the grid), what the pointer reads, and the strongest links. */
export function sidePanel(app) {
  const readout = make("div", { class: "readout", "aria-live": "polite" });
  const preview = make("canvas", { "aria-hidden": "true" });
  const name = make("div", { class: "preview-name" });
  const large = make(
    "div", { class: "preview" }, name,
    make("span", { class: "key-name" }, app.say("key axis")),
    make("span", { class: "query-name" }, app.say("query axis")), preview,
  );
  const scope = make("caption");
  const body = make("tbody");
  const head = make("th", { scope: "col" }, app.say("head column"));
  const weight = make("th", { scope: "col" });
  const table = make(
    "table", { class: "links" }, scope,
    make("thead", {}, make("tr", {},
      make("th", { scope: "col", class: "query-name" }, app.say("query")),
      make("th", { scope: "col", class: "key-name" }, app.say("key")),
      head, weight)),
    body,
  );
  const rows = Array.from({ length: TABLE_ROWS }, () => tableRow());
  body.append(...rows.map((row) => row.node));
  const node = make("aside", { class: "side" }, large, readout, table);

  const show = () => {
    large.hidden = app.state.view !== "grid";
    setText(weight, measured(app, "weight"));
    const focus = focusOf(app);
    if (app.state.view === "grid") {
      setText(name, focus.scope);
      paintCells(preview, focus.series[0].weights, app.rows, app.columns, app.colours, {
        rowScale: app.state.rowScale, locked: lockedUnits(app.state, app.sides),
      });
    }
    table.classList.toggle("single", focus.series.length === 1);
    const links = strongestLinks(focus.series, app.rows, app.columns, TABLE_ROWS, focus.singled);
    setText(scope, app.say("strongest", { scope: focus.scope }));
    rows.forEach((row, index) => row.show(app, links[index] ?? null));
    readout.replaceChildren(...readoutLines(app).map((line) => make("div", {}, line)));
  };
  return { node, show };
}

/** A short title, a head's name alone: the title of the picture names the kind. */
function shortTitle(app) {
  const { layers, view } = app.state;
  const place = placeOf(app.state);
  const one = place.heads.length === 1 && !layers && view !== "compare";
  return one ? headName(app, place.layer, place.heads[0]) : pictureTitle(app);
}

/** The links in the table: of the head, of the cell's row, or of the singled-out tokens. */
function focusOf(app) {
  const { state, payload } = app;
  if (state.view === "grid") {
    const place = placeOf(state);
    const { layer, head } = app.hovered?.layer === undefined
      ? { layer: place.layer, head: place.heads[0] } : app.hovered;
    const weights = shownHead(payload, state, state.kind, layer, head);
    return {
      series: [{ head, weights }],
      singled: lockedUnits(state, app.sides),
      scope: headName(app, layer, head),
    };
  }
  const series = state.view === "matrix" ? [{ head: app.mergedHead, weights: app.merged }] : app.series;
  const active = activeUnits(app);
  if (app.hovered?.row !== undefined) active.rows = new Set([app.hovered.row]);
  const some = active.rows.size + active.columns.size > 0;
  return {
    series,
    singled: active,
    scope: some ? activeNames(app, active) : shortTitle(app),
  };
}

function activeNames(app, active) {
  const queries = [...active.rows].map((row) => app.sides.queries[row]?.name);
  const keys = [...active.columns].map((column) => app.sides.keys[column]?.name);
  const parts = [];
  if (queries.length) parts.push(app.say("of query", { names: queries.join(", ") }));
  if (keys.length) parts.push(app.say("of key", { names: keys.join(", ") }));
  return parts.join("; ");
}

/** What the pointer reads: a cell with the sum of its row, a head's shares, or how to begin. */
function readoutLines(app) {
  const over = app.hovered;
  if (app.state.view === "matrix" && over?.row !== undefined) {
    const weight = app.merged[over.row * app.columns + over.column];
    let sum = 0;
    for (let column = 0; column < app.columns; column++) sum += app.merged[over.row * app.columns + column];
    const hidden = over.column >= (hiddenFrom(app)[over.row] ?? app.columns);
    if (hidden) return [linkText(app, over), app.say("legend hidden")];
    return [
      linkText(app, over),
      measured(app, "cell", { weight: weight.toFixed(2), sum: sum.toFixed(2) }),
      ...sumLines(app),
    ];
  }
  if (app.state.view === "grid") return headLines(app);
  if (app.state.locks.length) return [...sumLines(app), app.say("locked hint")];
  return [app.say(`${app.state.view} lead`)];
}

/** The weight of each singled-out query, summed over the locked keys; no lines for fewer than two keys. */
function sumLines(app) {
  const { heads } = placeOf(app.state);
  const { rows, columns } = lockedUnits(app.state, app.sides);
  if (columns.size < 2) return [];
  const over = app.hovered?.side === "q" ? app.hovered.index : app.hovered?.row;
  const queries = over === undefined ? [...rows] : [over];
  const keys = [...columns].map((column) => app.sides.keys[column].label).join(" + ");
  return queries.map((row) => {
    let sum = 0;
    for (const column of columns) sum += app.merged[row * app.columns + column];
    const said = { query: app.sides.queries[row].name, keys, weight: sum.toFixed(2) };
    const merged = heads.length > 1 || app.state.layers;
    return merged
      ? measured(app, "sum of merged", { ...said, merged: mergeNote(app, mergeName(app)) })
      : measured(app, "sum", said);
  });
}

/** The entropy, sparsity and two largest shares of the head under the pointer, or how to begin. */
function headLines(app) {
  const { statistics } = app.payload.kinds[app.state.kind];
  const place = placeOf(app.state);
  const { layer, head } = app.hovered ?? { layer: place.layer, head: place.heads[0] };
  const habits = Object.entries(statistics)
    .map(([name, values]) => ({ name, value: values[layer][head] }))
    .filter(({ name }) => name !== "entropy" && name !== "sparsity")
    .sort((a, b) => b.value - a.value)
    .slice(0, 2);
  const texts = habits.map(({ name, value }) => `${app.say(`order ${name}`)} ${value.toFixed(2)}`);
  const spread = ["entropy", "sparsity"].map(
    (name) => `${app.say(`order ${name}`)} ${statistics[name][layer][head].toFixed(2)}`,
  );
  if (!app.hovered) return [app.say("grid lead")];
  return [texts.join(" · "), spread.join(" · ")];
}

/** How several heads are merged, on screen or for a sum: "mean" or "max". */
function mergeName(app) {
  return mergeOf(app.state) ?? "mean";
}

/** Show the weight; in the app, it links to other places where its head looks like this. */
function showWeight(app, link, cell, alike) {
  const { offers, headLinks } = app.payload.header;
  const text = link ? link.weight.toFixed(2) : "";
  if (!offers?.head?.alike || !link || link.head === null || app.state.layers) return setText(cell, text);
  const { layer } = app.state.view === "grid" && app.hovered?.layer !== undefined ? app.hovered : placeOf(app.state);
  const [query, key] = [app.sides.queries[link.row].pieces[0], app.sides.keys[link.column].pieces[0]];
  alike.href = alikeLink({ kind: app.state.kind, layer, head: link.head }, offers.head, query, key);
  alike.title = headLinks.alikeLong;
  setText(alike, text);
  cell.replaceChildren(alike);
}

function tableRow() {
  const query = make("td");
  const key = make("td");
  const head = make("td", { class: "number" });
  const weight = make("td", { class: "number" });
  const alike = appLink({ class: "alike" });
  const node = make("tr", {}, query, key, head, weight);
  const show = (app, link) => {
    setText(query, link ? app.sides.queries[link.row].name : "");
    setText(key, link ? app.sides.keys[link.column].label : "");
    setText(head, link ? (link.head === null ? app.say(`${mergeName(app)} short`) : String(link.head + 1)) : "");
    showWeight(app, link, weight, alike);
    node.classList.toggle("empty", !link);
    node.style.setProperty("--head", link ? headColour(app.colours, link.head) : "transparent");
  };
  return { node, show };
}
