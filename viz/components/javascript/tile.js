import { levelOf } from "./colours.js";
import { make } from "./dom.js";

let before = { image: null, tile: null };

/** The miniature of a head, cut from the image of its whole board, which miniatures.py draws. */
export function tileOf(image, layers, heads, layer, head) {
  if (image !== before.image) {
    const tile = make("span", { class: "tile", "aria-hidden": "true" });
    // In one shared rule, not a CSS variable: else a browser would read the whole image for each tile.
    tile.style.backgroundImage = `url(${image})`;
    tile.style.backgroundSize = `${100 * heads}% ${100 * layers}%`;
    before = { image, tile };
  }
  const share = (place, count) => `${count > 1 ? (100 * place) / (count - 1) : 0}%`;
  const node = before.tile.cloneNode();
  node.style.backgroundPosition = `${share(head, heads)} ${share(layer, layers)}`;
  return node;
}

/** A miniature of levels from 0 to 255 (rows x columns), painted with a table of colours. */
export function paintedTile(weights, rows, columns, table) {
  const canvas = make("canvas", { class: "tile", "aria-hidden": "true" });
  paintTile(canvas, weights, rows, columns, table);
  return canvas;
}

export function paintTile(canvas, weights, rows, columns, table) {
  Object.assign(canvas, { width: columns, height: rows });
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  for (let at = 0; at < rows * columns; at++) {
    image.data.set(levelOf(table, weights[at]), at * 4);
    image.data[at * 4 + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}
