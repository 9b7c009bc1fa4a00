import { channels, levelOf } from "../../javascript/colours.js";

/**
 * Paint weights with a pixel per cell; CSS or drawImage enlarges it. With `rowScale` each row is
 * scaled to its maximum. Cells outside the locked rows and columns are faded.
 */
export function paintCells(canvas, weights, rows, columns, colours, { rowScale, locked }) {
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
  }
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const back = channels(colours.background);
  const some = locked && locked.rows.size + locked.columns.size > 0;
  for (let row = 0; row < rows; row++) {
    const scale = rowScale ? 255 / rowMaximum(weights, row, columns) : 255;
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const level = Math.min(255, Math.round(weights[at] * scale));
      const faded = some && !locked.rows.has(row) && !locked.columns.has(column);
      for (let channel = 0; channel < 3; channel++) {
        const value = colours.table[level * 3 + channel];
        image.data[at * 4 + channel] = faded ? value * 0.25 + back[channel] * 0.75 : value;
      }
      image.data[at * 4 + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}

/** Paint one pixel per cell: `levels` index the colour `table`; negative levels get the colour `nothing`. */
export function paintLevels(canvas, levels, rows, columns, table, nothing) {
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const none = channels(nothing);
  levels.forEach((level, at) => image.data.set([...(level < 0 ? none : levelOf(table, level)), 255], at * 4));
  context.putImageData(image, 0, 0);
}

export function rowMaximum(weights, row, columns) {
  let most = 1e-6;
  for (let at = row * columns; at < (row + 1) * columns; at++) most = Math.max(most, weights[at]);
  return most;
}
