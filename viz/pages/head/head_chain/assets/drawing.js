import { colourAt, levelOf, lookup, rgb } from "../../../../components/javascript/colours.js";
import { make } from "../../../../components/javascript/dom.js";
import { limited } from "../../../../components/javascript/motion.js";
import { number } from "../../../../components/javascript/numbers.js";

/** The colour of a signed value, full at `most`, as CSS; a lower `strength` fades it under text. */
export function signed(colours, value, most, strength = 1) {
  const position = 0.5 + (most ? (value / most / 2) * strength : 0);
  return rgb(colourAt(colours.diverging, position));
}

/** Paint a matrix {values, most} on a canvas of its size; `faded(row)` is true for pale rows. */
export function paint(canvas, array, colours, faded) {
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const table = lookup(colours.diverging);
  array.values.forEach((value, at) => {
    const level = array.most ? limited(Math.round((value / array.most + 1) * 127.5), 0, 255) : 128;
    image.data.set(levelOf(table, level), at * 4);
    image.data[at * 4 + 3] = faded?.(Math.floor(at / canvas.width)) ? 70 : 255;
  });
  context.putImageData(image, 0, 0);
}

/**
 * A matrix {values, shape, most} as a picture with a pixel per number, which CSS enlarges. `tip` gets
 * its `name`, the place, the number and the row's name under the pointer; `places` has the rows'
 * numbers in a larger matrix.
 */
export function picture(array, colours, { name, rows, places, faded, tip }) {
  const columns = array.shape.at(-1);
  const height = array.values.length / columns;
  const canvas = make("canvas", { class: "matrix", width: columns, height });
  paint(canvas, array, colours, faded);
  const tell = (event) => {
    const column = Math.min(columns - 1, Math.floor((event.offsetX / canvas.clientWidth) * columns));
    const row = Math.min(height - 1, Math.floor((event.offsetY / canvas.clientHeight) * height));
    const value = number(array.values[row * columns + column], 3);
    const place = height > 1 || places ? `${(places?.[row] ?? row) + 1}, ${column + 1}` : `${column + 1}`;
    const who = rows ? ` · ${rows[row]}` : "";
    tip(event, `${name}[${place}] = ${value}${who}`);
  };
  canvas.addEventListener("mousemove", tell);
  canvas.addEventListener("mouseleave", () => tip(null));
  return canvas;
}
