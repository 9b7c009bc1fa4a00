import { fillIn } from "../../javascript/dom.js";
import { tokenText, withCharacters } from "../../javascript/tokens.js";
import { stackOf } from "./payload.js";
import { mergeOf, placeOf } from "./state.js";

/**
 * The rows or columns of a kind after the reading aids: each unit is a piece or a word. A row of the
 * decoder is a piece and the next piece, which it predicts; a merged row is all rows that write a
 * word. The row of the begin token stays when special tokens are hidden: it predicts the first word.
 */
function unitsOf(payload, state, kind, side) {
  const stack = payload.header[stackOf(kind, side)];
  const predicts = side === "q" && kind !== "encoder" && stack.predicted.length > 0;
  const units = [];
  stack.tokens.forEach((token, index) => {
    const silent = predicts ? stack.predictedSpecial[index] : true;
    if (state.hide !== "off" && stack.special[index] && silent) return;
    const last = units[units.length - 1];
    const writes = predicts && state.words;
    const word = (writes ? stack.predictedWords : stack.words)[index];
    const text = tokenText(writes ? stack.predicted[index] : token);
    if (state.words && last && last.word === word) {
      last.label += text;
      last.pieces.push(index);
    } else {
      const special = (writes ? stack.predictedSpecial : stack.special)[index];
      units.push({ label: text, word, pieces: [index], special, writes });
    }
  });
  for (const unit of units) nameUnit(payload.header.words, unit, stack, state, predicts);
  return units;
}

/** Name a unit for readers, with the word or piece that it writes, and a note if it is masked. */
function nameUnit(words, unit, stack, state, predicts) {
  const end = unit.pieces[unit.pieces.length - 1];
  if (state.words) unit.label = withCharacters(unit.label.replace(/^·(?=.)/, ""));
  unit.next = predicts && !unit.writes ? tokenText(stack.predicted[end]) : null;
  unit.masked = unit.pieces.every((piece) => stack.masked[piece]);
  unit.name = unit.next === null ? unit.label : `${unit.label} → ${unit.next}`;
  if (unit.writes) unit.name = fillIn(words.writing, { word: unit.label });
  if (unit.masked) unit.name = fillIn(words.masked, { word: unit.name });
}

/** The rows and columns on screen: without hidden tokens, perhaps with pieces merged into words. */
export function sidesOf(payload, state, kind) {
  const key = `${kind} ${state.hide !== "off"} ${state.words}`;
  if (!payload.sides.has(key)) {
    payload.sides.set(key, {
      queries: unitsOf(payload, state, kind, "q"),
      keys: unitsOf(payload, state, kind, "k"),
    });
  }
  return payload.sides.get(key);
}

/**
 * One head's weights on screen: summed over the keys of a word, averaged over its queries. If asked
 * for what is taken, each is multiplied by the length of its value, as a share of the longest one.
 */
function headMatrix(payload, state, kind, layer, head) {
  const key = `head ${kind} ${layer} ${head} ${state.hide} ${state.words} ${state.taken}`;
  return payload.matrices(key, () => {
    const { queries, keys } = sidesOf(payload, state, kind);
    const { heads, queries: Q, keys: K, weights, lengths } = payload.kinds[kind];
    const at = layer * heads + head;
    const raw = weights.subarray(at * Q * K, (at + 1) * Q * K);
    const factor = (index) => (state.taken && lengths ? lengths[at * K + index] / 255 : 1);
    const out = new Float32Array(queries.length * keys.length);
    queries.forEach((query, row) => {
      for (const piece of query.pieces) {
        const scale = rowScale(raw, piece * K, keys, state.hide === "renormalise");
        const share = scale / query.pieces.length;
        keys.forEach((unit, column) => {
          let sum = 0;
          for (const index of unit.pieces) sum += raw[piece * K + index] * factor(index);
          out[row * keys.length + column] += sum * share;
        });
      }
    });
    return out;
  });
}

function rowScale(raw, start, keys, renormalise) {
  if (!renormalise) return 1 / 255;
  let kept = 0;
  for (const unit of keys) for (const index of unit.pieces) kept += raw[start + index];
  return kept ? 1 / kept : 0;
}

/** Merge matrices into one: the mean, or the maximum, of each cell. */
function mergedMatrix(matrices, merge) {
  if (matrices.length === 1) return matrices[0];
  const out = new Float32Array(matrices[0].length);
  for (const matrix of matrices) {
    for (let i = 0; i < out.length; i++) {
      out[i] = merge === "max" ? Math.max(out[i], matrix[i]) : out[i] + matrix[i] / matrices.length;
    }
  }
  return out;
}

/** Keep the strongest weights of each row that together make up `percent` of its sum. */
function strongestOfRows(matrix, columns, percent) {
  if (percent >= 100) return matrix;
  const out = new Float32Array(matrix.length);
  for (let start = 0; start < matrix.length; start += columns) {
    const order = Array.from({ length: columns }, (_, column) => column);
    order.sort((a, b) => matrix[start + b] - matrix[start + a]);
    const sum = order.reduce((total, column) => total + matrix[start + column], 0);
    let kept = 0;
    for (const column of order) {
      if (kept >= (sum * percent) / 100 - 1e-6) break;
      out[start + column] = matrix[start + column];
      kept += matrix[start + column];
    }
  }
  return out;
}

/** The weights of one head after all reading aids. */
export function shownHead(payload, state, kind, layer, head) {
  const key = `shown ${kind} ${layer} ${head} ${state.hide} ${state.words} ${state.mass} ${state.taken}`;
  return payload.matrices(key, () =>
    strongestOfRows(
      headMatrix(payload, state, kind, layer, head),
      sidesOf(payload, state, kind).keys.length,
      state.mass,
    ),
  );
}

/** The chosen heads, of this layer or of all layers, merged into one, after all reading aids. */
export function shownMerged(payload, state) {
  const { layer, heads } = placeOf(state);
  const { keys } = sidesOf(payload, state, state.kind);
  const every = Array.from({ length: payload.kinds[state.kind].layers }, (_, at) => at);
  const all = (state.layers ? every : [layer]).flatMap((at) =>
    heads.map((head) => headMatrix(payload, state, state.kind, at, head)),
  );
  return strongestOfRows(mergedMatrix(all, state.merge), keys.length, state.mass);
}

/** The weights that the lines show: a series for each chosen head, or one merged series (head null). */
export function seriesOf(payload, state) {
  const { layer, heads } = placeOf(state);
  if (mergeOf(state)) return [{ head: null, weights: shownMerged(payload, state) }];
  return heads.map((head) => ({
    head,
    weights: shownHead(payload, state, state.kind, layer, head),
  }));
}

/** Visit each cell of the singled-out rows and columns once, or all cells if nothing is singled out. */
export function eachCell(rows, columns, singled, visit) {
  const all = !singled || singled.rows.size + singled.columns.size === 0;
  for (let row = 0; row < rows; row++) {
    if (all || singled.rows.has(row)) for (let column = 0; column < columns; column++) visit(row, column);
    else for (const column of singled.columns) visit(row, column);
  }
}

/** The `count` strongest links among the singled-out cells that pass, strongest first. */
export function strongestLinks(series, rows, columns, count, singled, passes = null) {
  const best = [];
  for (const { head, weights } of series) {
    eachCell(rows, columns, singled, (row, column) => {
      const weight = weights[row * columns + column];
      if (weight < 0.005 || (best.length === count && weight <= best[count - 1].weight)) return;
      if (passes && !passes(row, column)) return;
      let at = best.length;
      while (at > 0 && best[at - 1].weight < weight) at--;
      best.splice(at, 0, { head, row, column, weight });
      if (best.length > count) best.pop();
    });
  }
  return best;
}

/** The rows and columns of the locked tokens, as sets; empty when nothing is locked. */
export function lockedUnits(state, sides) {
  const find = (side, units) =>
    new Set(
      units.flatMap((unit, index) =>
        state.locks.some((lock) => lock.side === side && unit.pieces.includes(lock.index))
          ? [index]
          : [],
      ),
    );
  return { rows: find("q", sides.queries), columns: find("k", sides.keys) };
}
