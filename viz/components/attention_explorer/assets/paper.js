import { paperColours } from "../../javascript/palette.js";
import { lockedUnits } from "./transform.js";

/**
 * The explorer as it goes to paper: in the light colours, with room for every name, nothing under
 * the pointer; where tokens are kept, only these on their side.
 */
export function onPaper(app) {
  const locked = lockedUnits(app.state, app.sides);
  const rows = chosen(locked.rows, app.rows);
  const columns = chosen(locked.columns, app.columns);
  const cut = (weights) =>
    Float32Array.from(rows.flatMap((row) => columns.map((column) => weights[row * app.columns + column])));
  return {
    ...app,
    paper: true,
    some: rows.length < app.rows || columns.length < app.columns,
    colours: paperColours(app.payload.header.colours, app.colours.font),
    hovered: null,
    state: { ...app.state, locks: [] },
    sides: {
      queries: rows.map((row) => app.sides.queries[row]),
      keys: columns.map((column) => app.sides.keys[column]),
    },
    rows: rows.length,
    columns: columns.length,
    cut,
    merged: cut(app.merged),
    series: app.series.map((one) => ({ ...one, weights: cut(one.weights) })),
  };
}

function chosen(locked, count) {
  return locked.size ? [...locked].sort((a, b) => a - b) : Array.from({ length: count }, (_, at) => at);
}
