import { make } from "../../javascript/dom.js";
import { named } from "../../javascript/tokens.js";
import { headName, isOff, subjectName } from "./aids.js";
import { cellRead, weightText } from "./comparison.js";
import { placeOf } from "./state.js";
import { lockedUnits, shownHead, strongestLinks } from "./transform.js";
import { effectOf } from "./trials.js";

const SPREAD = 0.2; // if all weights are below this, no key stands out, and the line says so

/** A line about the head on screen: what the singled-out query looks at, or else the strongest link. */
export function saidLine(app) {
  const node = make("p", { class: "said", "aria-live": "polite" });
  const show = () => {
    if (app.state.view === "compare") node.replaceChildren(...compared(app));
    else {
      const found = strongestHere(app);
      const turn = app.trials.shown(found?.row);
      if (turn?.isAimed) node.replaceChildren(...triedLine(app, turn), ...effectOf(app, turn));
      else node.replaceChildren(...(found ? sentence(app, found) : []), ...(turn ? effectOf(app, turn) : []));
    }
    node.dataset.said = node.textContent;
  };
  return { node, show };
}

/** The first piece of the query and of the key that the line is about; {} if there is no link. */
export function saidLink(app) {
  const found = saidPlace(app);
  if (!found) return {};
  return { query: app.sides.queries[found.row].pieces[0], key: app.sides.keys[found.column].pieces[0] };
}

/** The row and the column of the link that the line is about; null without one. */
export function saidPlace(app) {
  return app.state.view === "compare" ? null : strongestHere(app);
}

/** The name of the head or heads that the line is about, their weights, and whether it is one that is off. */
function subject(app) {
  const { state, payload } = app;
  const { layer, heads } = placeOf(state);
  const over = app.hovered?.head === undefined ? null : app.hovered;
  if (state.view === "grid") {
    const place = over ?? { layer, head: heads.includes(state.focused) ? state.focused : heads[0] };
    const weights = shownHead(payload, state, state.kind, place.layer, place.head);
    return { name: headName(app, place.layer, place.head), weights, off: isOff(app, place.layer, place.head) };
  }
  const off = heads.length === 1 && !state.layers && isOff(app, layer, heads[0]);
  return { name: subjectName(app), weights: app.merged, off };
}

function strongestHere(app) {
  const { name, weights, off } = subject(app);
  const row = rowOf(app);
  const series = [{ head: null, weights }];
  const { queries, keys } = app.sides;
  const content = (unit) => !unit.special && /[\p{L}\p{N}]/u.test(unit.label);
  const among = (singled, passes) => strongestLinks(series, app.rows, app.columns, 1, singled, passes)[0];
  const link = row === null
    ? among(null, (at, column) => content(queries[at]) && content(keys[column])) ?? among(null)
    : among({ rows: new Set([row]), columns: new Set() });
  return link ? { ...link, name, off } : null;
}

/** The row that is singled out: under the pointer, or else locked last; null without such a row. */
function rowOf(app) {
  const over = app.hovered;
  if (over?.row !== undefined) return over.row;
  if (over?.side === "q") return over.index;
  const last = app.state.locks.findLast((lock) => lock.side === "q");
  if (!last) return null;
  return [...lockedUnits({ ...app.state, locks: [last] }, app.sides).rows][0] ?? null;
}

/** The line about one cell of the comparison: both weights and their difference. */
function compared(app) {
  const { rows, columns, first, second, difference, names } = app.compared;
  const cell = cellRead(app, app.compared);
  const at = cell.row * columns.length + cell.column;
  const query = rows[cell.row];
  const writes = query.writes || query.next !== null;
  return filled(app, writes ? "said compare writing" : "said compare", {
    key: make("span", { class: "key-name" }, named(columns[cell.column].label)),
    word: make("span", { class: "query-name" }, named(query.writes ? query.label : (query.next ?? query.label))),
    one: names[0], other: names[1],
    first: make("b", {}, weightText(first[at])),
    second: make("b", {}, weightText(second[at])),
    difference: make("b", {}, weightText(difference[at], true)),
  });
}

/** The parts of a text of the app, with nodes in the place of its {names}. */
function filled(app, form, parts) {
  return app.say(form).split(/\{(\w+)\}/).map((part, at) => (at % 2 ? parts[part] : part));
}

/** The line while an end is dragged: where the head, or all cross heads, would look. */
function triedLine(app, { kind, row, column }) {
  const query = app.sides.queries[row];
  const parts = {
    head: make("b", {}, subjectName(app)),
    key: make("span", { class: "key-name" }, named(app.sides.keys[column].label)),
    word: make("span", { class: "query-name" }, named(query.writes ? query.label : (query.next ?? query.label))),
  };
  return filled(app, `trial ${kind}`, parts);
}

function sentence(app, { name, off, row, column, weight }) {
  const query = app.sides.queries[row];
  const writes = query.writes || query.next !== null;
  const word = query.writes ? query.label : (query.next ?? query.label);
  const how = off ? " off" : app.state.taken ? " taken" : weight < SPREAD ? " spread" : "";
  const form = `said${how}${writes ? " writing" : ""}`;
  const parts = {
    head: make("b", {}, name),
    key: make("span", { class: "key-name" }, named(app.sides.keys[column].label)),
    weight: make("b", {}, weight.toFixed(2)),
    word: make("span", { class: "query-name" }, named(word)),
  };
  return filled(app, form, parts);
}
