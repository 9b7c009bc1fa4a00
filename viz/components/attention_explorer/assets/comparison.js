import { headName, isOff } from "./aids.js";
import { placeOf } from "./state.js";
import { shownHead, sidesOf } from "./transform.js";

/**
 * Two heads of a kind, or one head on two sentences, cell by cell: both weights, and the first minus
 * the second. Numbers are NaN where a sentence has no such row or column.
 */
export function comparison(app) {
  const { state, payload } = app;
  const { layer } = placeOf(state);
  const head = state.focused;
  const two = state.beside === "sentence";
  const place = two ? { layer, head } : besideOf(app);
  const one = matrixOf(payload, state, { layer, head });
  const other = matrixOf(two ? payload.other : payload, state, place);
  const written = (word) => app.say("writing", { word });
  const rows = slots(one.sides.queries, other.sides.queries, written);
  const columns = slots(one.sides.keys, other.sides.keys, written);
  const first = spread(one, rows, columns, 0);
  const second = spread(other, rows, columns, 1);
  const names = two
    ? [app.say("this sentence"), app.say("other sentence")]
    : [comparedName(app, { layer, head }), comparedName(app, place)];
  return { rows, columns, first, second, difference: first.map((weight, at) => weight - second[at]), names };
}

/** The name of a head, and whether it is switched off. */
export function comparedName(app, { layer, head }) {
  const name = headName(app, layer, head);
  return isOff(app, layer, head) ? app.say("head off", { head: name }) : name;
}

/** The head to compare with the chosen head: by default the next head. */
export function besideOf({ state, payload }) {
  const { layers, heads } = payload.kinds[state.kind];
  const { layer } = placeOf(state);
  const { beside } = state;
  if (beside?.layer < layers && beside.head < heads) return beside;
  return { layer, head: (state.focused + 1) % heads };
}

function matrixOf(payload, state, { layer, head }) {
  const sides = sidesOf(payload, state, state.kind);
  return { sides, weights: shownHead(payload, state, state.kind, layer, head) };
}

function spread({ sides, weights }, rows, columns, side) {
  const out = new Float32Array(rows.length * columns.length).fill(Number.NaN);
  rows.forEach((row, at) => {
    columns.forEach((column, across) => {
      const [query, key] = [row.places[side], column.places[side]];
      if (query === null || key === null) return;
      out[at * columns.length + across] = weights[query * sides.keys.length + key];
    });
  });
  return out;
}

/** Pair the units of two sentences: equal words with each other, all words between in order. */
function slots(first, second, written) {
  const found = [];
  const add = (a, b) => {
    const [one, other] = [first[a] ?? null, second[b] ?? null];
    const { special, writes } = one ?? other;
    const both = (name) => {
      const [mine, theirs] = [one?.[name] ?? null, other?.[name] ?? null];
      return mine === null || theirs === null || mine === theirs ? (mine ?? theirs) : `${mine} / ${theirs}`;
    };
    const [label, next] = [both("label"), both("next")];
    const text = next === null ? label : `${label} → ${next}`;
    const places = [one && a, other && b];
    found.push({ places, label, next, special, writes, text: writes ? written(label) : text });
  };
  let [a, b] = [0, 0];
  for (const [toA, toB] of [...common(first, second), [first.length, second.length]]) {
    const [ownA, ownB] = [toA - a, toB - b];
    for (let at = 0; at < Math.max(ownA, ownB); at++) {
      add(at < ownA ? a + at : -1, at < ownB ? b + at : -1);
    }
    if (toA < first.length) add(toA, toB);
    [a, b] = [toA + 1, toB + 1];
  }
  return found;
}

/** The places, in both, of the longest list of units that they share in the same order. */
function common(first, second) {
  const [n, m] = [first.length, second.length];
  const length = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  for (let a = n - 1; a >= 0; a--) {
    for (let b = m - 1; b >= 0; b--) {
      length[a][b] = first[a].label === second[b].label
        ? length[a + 1][b + 1] + 1 : Math.max(length[a + 1][b], length[a][b + 1]);
    }
  }
  const places = [];
  for (let a = 0, b = 0; a < n && b < m;) {
    if (first[a].label === second[b].label) places.push([a++, b++]);
    else if (length[a + 1][b] >= length[a][b + 1]) a++;
    else b++;
  }
  return places;
}

/** The cell to read: the cell under the pointer, or else the cell with the largest difference. */
export function cellRead(app, { rows, columns, difference }) {
  const over = app.hovered;
  if (over?.row < rows.length && over.column < columns.length) return over;
  let best = 0;
  difference.forEach((value, at) => {
    if (Math.abs(value) > Math.abs(difference[best] || 0)) best = at;
  });
  return { row: Math.floor(best / columns.length), column: best % columns.length };
}

/** A weight as text; a difference has a sign, and a missing cell is a dash. */
export function weightText(weight, signed = false) {
  if (Number.isNaN(weight)) return "–";
  const sign = weight < -0.005 ? "−" : signed && weight > 0.005 ? "+" : "";
  return `${sign}${Math.abs(weight).toFixed(2)}`;
}
