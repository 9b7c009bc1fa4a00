import { sized } from "../../../../components/javascript/canvas.js";
import { levelOf, rgb } from "../../../../components/javascript/colours.js";

/* The vector of a position: a stripe for each dimension, with marks above the chosen ones. */

const [MARKS, STRIPES] = [9, 38];

export function drawVector(canvas, levels, marked, colours) {
  const width = Math.max(200, canvas.clientWidth);
  const context = sized(canvas, width, MARKS + STRIPES);
  canvas.style.width = "";
  const wide = width / levels.length;
  levels.forEach((level, dimension) => {
    context.fillStyle = rgb(levelOf(colours.signedTable, level));
    context.fillRect(dimension * wide, MARKS, Math.ceil(wide), STRIPES);
  });
  context.fillStyle = colours.text;
  for (const dimension of marked) {
    const x = (dimension + 0.5) * wide;
    context.beginPath();
    context.moveTo(x - 5, 0);
    context.lineTo(x + 5, 0);
    context.lineTo(x, MARKS - 1);
    context.fill();
  }
}
