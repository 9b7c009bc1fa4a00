import { pointIn, sized } from "../../../../components/javascript/canvas.js";
import { mixed } from "../../../../components/javascript/colours.js";
import { UNCHOSEN, ink } from "./clock.js";

/* The sine and the cosine of a pair over all positions, and the position that moves along them. */

const HEIGHT = 84;
const [SIDE, EDGE] = [8, 10];
const MOST_DOTS = 80;


function roomFor(canvas, last) {
  const width = Math.max(200, canvas.parentElement?.firstChild === canvas ? canvas.clientWidth : 200);
  return { width, x: (position) => SIDE + ((width - 2 * SIDE) * position) / Math.max(1, last) };
}

/** The whole position under the pointer. */
export function positionAt(canvas, last, event) {
  const share = (pointIn(canvas, event).x - SIDE) / (canvas.clientWidth - 2 * SIDE);
  return Math.max(0, Math.min(last, Math.round(share * last)));
}

export function drawWaves(canvas, { values, at, last, end, fine, chosen, zone }, now, colours) {
  const { width, x } = roomFor(canvas, last);
  const context = sized(canvas, width, HEIGHT);
  canvas.style.width = ""; // as wide as its column
  const y = (value) => HEIGHT / 2 - value * (HEIGHT / 2 - EDGE);
  context.fillStyle = mixed(colours.text, colours.background, 0.9);
  context.fillRect(0, 0, x(Math.min(last, end + 0.5)), HEIGHT);
  context.strokeStyle = colours.border;
  context.lineWidth = 1;
  for (const value of [-1, 0, 1]) {
    context.beginPath();
    context.moveTo(0, y(value));
    context.lineTo(width, y(value));
    context.stroke();
  }
  [0, 1].forEach((which) => {
    context.globalAlpha = chosen[which] ? 1 : UNCHOSEN;
    context.strokeStyle = ink(colours, which);
    context.fillStyle = context.strokeStyle;
    context.lineWidth = 2;
    context.beginPath();
    for (let step = 0; 2 * step < values.length; step++) context.lineTo(x(step / fine), y(values[2 * step + which]));
    context.stroke();
    if (last >= MOST_DOTS) return;
    for (let position = 0; position <= last; position++) {
      dot(context, x(position), y(values[2 * position * fine + which]), 2.5);
    }
  });
  context.globalAlpha = 1;
  context.strokeStyle = colours.text;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x(at), 0);
  context.lineTo(x(at), HEIGHT);
  context.stroke();
  [0, 1].filter((which) => chosen[which]).forEach((which) => {
    context.fillStyle = ink(colours, which);
    dot(context, x(at), y(now[which]), 7);
    context.strokeStyle = colours.background;
    context.stroke();
  });
  if (zone) nameZone(context, zone, x(end + 0.5), colours);
}

/** Name the zone of the sentence's positions, if there is room for the words. */
function nameZone(context, zone, width, colours) {
  context.font = `16px ${colours.font}`;
  if (context.measureText(zone).width > width - 8) return;
  context.lineWidth = 4;
  context.strokeStyle = colours.background;
  context.strokeText(zone, 4, HEIGHT - 6);
  context.fillStyle = colours.text;
  context.fillText(zone, 4, HEIGHT - 6);
}

function dot(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
