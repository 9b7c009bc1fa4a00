import { pointIn, sized } from "../../../../components/javascript/canvas.js";
import { make } from "../../../../components/javascript/dom.js";

/* The loss at all moments, which are at equal distances, with their steps below. */

const HEIGHT = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 14, 14, 26];

export function curveOf(seek) {
  const node = make("canvas", { class: "curve", role: "img", click: seek });
  return { node };
}

function roomFor(curve, data) {
  const width = Math.max(300, curve.node.parentElement?.clientWidth ?? 300);
  const last = Math.max(1, data.steps.length - 1);
  const most = Math.max(...data.losses) * 1.05;
  const x = (moment) => LEFT + ((width - LEFT - RIGHT) * moment) / last;
  const y = (loss) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - loss / most);
  return { width, last, most, x, y };
}

export function momentAt(curve, data, event) {
  const { width, last } = roomFor(curve, data);
  const along = (pointIn(curve.node, event).x - LEFT) / (width - LEFT - RIGHT);
  return Math.min(last, Math.max(0, Math.round(along * last)));
}

export function drawCurve(curve, data, moment, colours) {
  const at = roomFor(curve, data);
  const context = sized(curve.node, at.width, HEIGHT);
  axes(context, data, at, colours);
  for (const begin of data.runs.slice(1)) upright(context, at, begin, colours.muted);
  for (const mark of data.marks) flag(context, at, mark, colours);
  nameAxis(context, data, at, colours);
  context.strokeStyle = colours.query;
  context.lineWidth = 2;
  context.beginPath();
  data.losses.forEach((loss, number) => context.lineTo(at.x(number), at.y(loss)));
  context.stroke();
  share(context, data.right, at, colours.mean);
  share(context, data.cut, at, colours.key, [6, 4]);
  context.strokeStyle = colours.text;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(at.x(moment), TOP);
  context.lineTo(at.x(moment), HEIGHT - BOTTOM);
  context.stroke();
  context.fillStyle = colours.query;
  context.beginPath();
  context.arc(at.x(moment), at.y(data.losses[moment]), 6, 0, 2 * Math.PI);
  context.fill();
}

function axes(context, data, at, colours) {
  context.font = `16px ${colours.font}`;
  context.textBaseline = "middle";
  context.fillStyle = colours.muted;
  context.strokeStyle = colours.border;
  context.textAlign = "right";
  const unit = at.most > 6 ? 4 : at.most > 2 ? 2 : 0.5;
  for (let loss = 0; loss <= at.most; loss += unit) {
    context.beginPath();
    context.moveTo(LEFT, at.y(loss));
    context.lineTo(at.width - RIGHT, at.y(loss));
    context.stroke();
    context.fillText(String(loss), LEFT - 8, at.y(loss));
  }
  let free = 0;
  data.steps.forEach((step, number) => {
    const text = step.toLocaleString("en");
    const half = context.measureText(text).width / 2;
    const middle = Math.min(at.width - half, at.x(number));
    if (middle - half < free) return;
    context.textAlign = "center";
    context.fillText(text, middle, HEIGHT - 10);
    free = middle + half + 26;
  });
}

/**
 * Write the name of the axis. Losses begin high and end low, so the upper right is free except for
 * flags, over which it is written. With shares, which are in the upper half there, it goes below.
 */
function nameAxis(context, data, at, colours) {
  const text = data.words.axis;
  const above = data.cut.every((value) => value === null);
  const [right, middle] = [at.width - RIGHT, above ? TOP + 14 : HEIGHT - BOTTOM - 28];
  const wide = context.measureText(text).width;
  context.clearRect(right - wide - 4, middle - 10, wide + 8, 20);
  context.fillStyle = colours.muted;
  context.textAlign = "right";
  context.fillText(text, right, middle);
}

/** Draw shares from 0 to 1 over the whole height, at the moments at which they were measured. */
function share(context, shares, at, colour, dash = []) {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.setLineDash(dash);
  context.beginPath();
  shares.forEach((value, number) => {
    if (value !== null) context.lineTo(at.x(number), TOP + (HEIGHT - TOP - BOTTOM) * (1 - value));
  });
  context.stroke();
  context.setLineDash([]);
}

/** Draw an upright line at a moment: where another run begins, or, dashed, something appears. */
function upright(context, at, moment, colour, dash = []) {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(at.x(moment), TOP - 4);
  context.lineTo(at.x(moment), HEIGHT - BOTTOM);
  context.stroke();
  context.setLineDash([]);
}

function flag(context, at, mark, colours) {
  upright(context, at, mark.moment, colours.key, [3, 3]);
  context.fillStyle = colours.key;
  context.fillRect(at.x(mark.moment), TOP - 10, 9, 7);
}
