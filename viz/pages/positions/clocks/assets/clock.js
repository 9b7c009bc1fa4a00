import { sized } from "../../../../components/javascript/canvas.js";
import { mixed, readable } from "../../../../components/javascript/colours.js";

/* A pair of dimensions as the hand of a clock: its height is the sine, its distance to the right the cosine. */

const SIZE = 84;
const RADIUS = 36;
export const UNCHOSEN = 0.3; // a dimension that was not chosen

/** The colour of the sines (0) or of the cosines (1), readable as text. */
export function ink(colours, which) {
  return readable(colours.heads[2 + which], colours.background, colours.text);
}

export function drawClock(canvas, [sine, cosine], chosen, colours) {
  const context = sized(canvas, SIZE, SIZE);
  const middle = SIZE / 2;
  const [x, y] = [middle + RADIUS * cosine, middle - RADIUS * sine];
  const line = (colour, width, ...points) => {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    for (const [right, down] of points) context.lineTo(right, down);
    context.stroke();
  };
  context.fillStyle = mixed(colours.text, colours.background, 0.9);
  context.beginPath();
  context.arc(middle, middle, RADIUS, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = colours.border;
  context.lineWidth = 1.5;
  context.stroke();
  line(colours.border, 1, [middle - RADIUS, middle], [middle + RADIUS, middle]);
  line(colours.border, 1, [middle, middle - RADIUS], [middle, middle + RADIUS]);
  const shadows = [[[x, y], [x, middle]], [[x, y], [middle, y]]]; // down to its sine, across to its cosine
  shadows.forEach((points, which) => {
    context.globalAlpha = chosen[which] ? 1 : UNCHOSEN;
    line(ink(colours, which), 3, ...points);
  });
  context.globalAlpha = 1;
  line(colours.text, 3, [middle, middle], [x, y]);
  context.fillStyle = colours.text;
  context.beginPath();
  context.arc(x, y, 5, 0, 2 * Math.PI);
  context.fill();
}
