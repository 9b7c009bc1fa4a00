import { pointIn, sized } from "../../../../components/javascript/canvas.js";
import { make } from "../../../../components/javascript/dom.js";

/* The loss at all moments, which are at equal distances, with their steps below. How often il or elle
   is right has an axis of its own on the right. */

const HEIGHT = 132;
const [LEFT, BARE, TOP, BOTTOM] = [34, 14, 34, 26];
const SHARES = [0, 0.5, 1];

export function curveOf(seek) {
  const node = make("canvas", { class: "curve", role: "img", click: seek });
  return { node };
}

function roomFor(curve, data) {
  const width = Math.max(300, curve.node.parentElement?.clientWidth ?? 300);
  const last = Math.max(1, data.steps.length - 1);
  const most = Math.max(...data.losses) * 1.05;
  const right = data.cut.every((value) => value === null) ? BARE : 52;
  const x = (moment) => LEFT + ((width - LEFT - right) * moment) / last;
  const y = (loss) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - loss / most);
  return { width, right, last, most, x, y };
}

export function momentAt(curve, data, event) {
  const { width, right, last } = roomFor(curve, data);
  const along = (pointIn(curve.node, event).x - LEFT) / (width - LEFT - right);
  return Math.min(last, Math.max(0, Math.round(along * last)));
}

export function drawCurve(curve, data, moment, colours) {
  const at = roomFor(curve, data);
  const context = sized(curve.node, at.width, HEIGHT);
  axes(context, data, at, colours);
  for (const begin of data.runs.slice(1)) upright(context, at, begin, colours.muted);
  let free = 0;
  data.marks.forEach((mark, number) => { free = flag(context, at, mark, String(number + 1), free, colours); });
  nameAxes(context, data, at, colours);
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
    context.lineTo(at.width - at.right, at.y(loss));
    context.stroke();
    context.fillText(String(loss), LEFT - 8, at.y(loss));
  }
  if (at.right > BARE) {
    context.textAlign = "left";
    for (const value of SHARES) context.fillText(`${100 * value}%`, at.width - at.right + 8, yOfShare(value));
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

/** Write the names of the axes above their ends, in the colours of their lines. */
function nameAxes(context, data, at, colours) {
  context.textAlign = "left";
  context.fillStyle = colours.query;
  context.fillText(data.words.axis, 0, 10);
  if (at.right === BARE) return;
  context.textAlign = "right";
  context.fillStyle = colours.mean;
  context.fillText(data.words.rightAxis, at.width, 10);
}

function yOfShare(value) {
  return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value);
}

/** Draw shares from 0 to 1 over the whole height, at the moments at which they were measured. */
function share(context, shares, at, colour, dash = []) {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.setLineDash(dash);
  context.beginPath();
  shares.forEach((value, number) => {
    if (value !== null) context.lineTo(at.x(number), yOfShare(value));
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

/** Draw a numbered flag, right of what is taken up to `free` where there is room; return its end. */
function flag(context, at, mark, number, free, colours) {
  upright(context, at, mark.moment, colours.key, [3, 3]);
  const side = 18;
  const left = Math.min(at.width - side, Math.max(free, at.x(mark.moment)));
  context.fillStyle = colours.key;
  context.fillRect(left, TOP - 5, side, side);
  context.fillStyle = "#fff";
  context.textAlign = "center";
  context.font = `600 16px ${colours.font}`;
  context.fillText(number, left + side / 2, TOP - 5 + side / 2);
  return left + side + 1;
}
