import { pointIn, sized } from "../../../../components/javascript/canvas.js";
import { fillIn, make } from "../../../../components/javascript/dom.js";
import { isLow } from "./head.js";

/* The loss at all moments, which are at equal distances, with their steps below. How often il or elle
   is right has an axis of its own on the right, and the gap that a cut leaves is filled. */

const [HIGH_PLOT, LOW_PLOT] = [152, 118];
const [LEFT, BARE, NAMES, BOTTOM] = [34, 14, 26, 46];
const [TIER, APART, ASIDE] = [28, 4, 24]; // of flags: a line's height, the gap, how far from its line one may stand
const SHARES = [0, 0.5, 1];

export function curveOf(seek) {
  const canvas = make("canvas", { class: "curve", role: "img", click: seek });
  const flags = make("div", { class: "flags" });
  return { canvas, flags, node: make("div", { class: "plot" }, canvas, flags) };
}

/** The places of the flags, in as many lines above each other as they need, each close to its own line. */
function places(curve, data, { width, x }) {
  const free = [];
  return [...curve.flags.children].map((flag, number) => {
    const [wide, line] = [flag.offsetWidth, x(data.marks[number].moment)];
    const leftIn = (start) => Math.max(start, line - wide);
    let tier = free.findIndex((start) => leftIn(start) <= Math.min(line + ASIDE, width - wide));
    if (tier < 0) tier = free.push(0) - 1;
    const left = leftIn(free[tier]);
    free[tier] = left + wide + APART;
    return { flag, left, tier };
  });
}

function roomFor(curve, data) {
  const width = Math.max(300, curve.node.parentElement?.clientWidth ?? 300);
  const last = Math.max(1, data.steps.length - 1);
  const most = Math.max(...data.losses) * 1.05;
  const right = data.cut.every((value) => value === null) ? BARE : 52;
  const x = (moment) => LEFT + ((width - LEFT - right) * moment) / last;
  const flags = places(curve, data, { width, x });
  const top = NAMES + TIER * Math.max(0, ...flags.map(({ tier }) => tier + 1));
  const foot = top + (isLow(curve.canvas) ? LOW_PLOT : HIGH_PLOT);
  const yOfShare = (value) => top + (foot - top) * (1 - value);
  const y = (loss) => yOfShare(loss / most);
  return { width, right, last, most, x, y, yOfShare, flags, top, foot };
}

export function momentAt(curve, data, event) {
  const { width, right, last } = roomFor(curve, data);
  const along = (pointIn(curve.canvas, event).x - LEFT) / (width - LEFT - right);
  return Math.min(last, Math.max(0, Math.round(along * last)));
}

export function drawCurve(curve, data, moment, colours) {
  const at = roomFor(curve, data);
  const context = sized(curve.canvas, at.width, at.foot + BOTTOM);
  axes(context, data, at, colours);
  runs(context, data, at, colours);
  gap(context, data, at, colours);
  hoist(context, data, at, moment, colours);
  nameAxes(context, data, at, colours);
  context.strokeStyle = colours.query;
  context.lineWidth = 2;
  context.beginPath();
  data.losses.forEach((loss, number) => context.lineTo(at.x(number), at.y(loss)));
  context.stroke();
  share(context, data.right, at, colours.mean);
  share(context, data.cut, at, colours.key, [6, 4]);
  context.font = `600 16px ${colours.font}`;
  nameShare(context, data.words.asItIs, data.right, at, colours.mean);
  nameShare(context, data.decided ? data.words.linkCutHalf : data.words.linkCut, data.cut, at, colours.key);
  context.strokeStyle = colours.text;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(at.x(moment), at.top);
  context.lineTo(at.x(moment), at.foot);
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
    for (const value of SHARES) context.fillText(`${100 * value}%`, at.width - at.right + 8, at.yOfShare(value));
  }
  let free = 0;
  data.steps.forEach((step, number) => {
    const text = step.toLocaleString("en");
    const half = context.measureText(text).width / 2;
    const middle = Math.min(at.width - half, at.x(number));
    if (middle - half < free) return;
    context.textAlign = "center";
    context.fillText(text, middle, at.foot + 14);
    free = middle + half + 26;
  });
}

/** Write the names of the axes above their ends, in the colours of their lines. */
function nameAxes(context, data, at, colours) {
  context.font = `600 16px ${colours.font}`;
  context.textAlign = "left";
  context.fillStyle = colours.query;
  context.fillText(data.words.axis, 0, 10);
  context.textAlign = "center";
  context.fillStyle = colours.muted;
  context.fillText(data.words.steps, (LEFT + at.width - at.right) / 2, at.foot + 35);
  if (at.right === BARE) return;
  context.textAlign = "right";
  context.fillStyle = colours.mean;
  const first = data.steps[data.cut.findIndex((value) => value !== null)].toLocaleString("en");
  const text = fillIn(data.words.rightAxis, { step: first });
  const free = at.width - context.measureText(data.words.axis).width - 20;
  if (context.measureText(text).width <= free) context.fillText(text, at.width, 10);
}

/** Draw a line where each later run begins, with the run's number where there is room. */
function runs(context, data, at, colours) {
  context.font = `16px ${colours.font}`;
  context.textAlign = "left";
  data.runs.forEach((begin, number) => {
    if (number) upright(context, at, begin, at.top - 4, colours.border);
    const text = fillIn(data.words.run, { number: number + 1 });
    const next = data.runs[number + 1] ?? begin; // the last moment is the mean of several runs
    context.fillStyle = colours.muted;
    if (at.x(next) - at.x(begin) > context.measureText(text).width + 10) context.fillText(text, at.x(begin) + 6, at.foot - 22);
  });
}

/** Fill the area between the usual share and the share under the cut. */
function gap(context, data, at, colours) {
  const known = data.cut.flatMap((value, number) => (value === null ? [] : [number]));
  context.fillStyle = colours.key;
  context.globalAlpha = 0.14;
  context.beginPath();
  for (const number of known) context.lineTo(at.x(number), at.yOfShare(data.right[number]));
  for (const number of known.toReversed()) context.lineTo(at.x(number), at.yOfShare(data.cut[number]));
  context.fill();
  context.globalAlpha = 1;
}

/** Write a name and the last share below the end of a line of shares. */
function nameShare(context, text, shares, at, colour) {
  const last = shares.findLast((value) => value !== null);
  if (last === undefined) return;
  context.textAlign = "right";
  context.fillStyle = colour;
  context.fillText(fillIn(text, { share: `${Math.round(100 * last)}%` }), at.width - at.right - 8, at.yOfShare(last) + 18);
}

/** Draw shares from 0 to 1 over the whole height, at the moments at which they were measured. */
function share(context, shares, at, colour, dash = []) {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.setLineDash(dash);
  context.beginPath();
  shares.forEach((value, number) => {
    if (value !== null) context.lineTo(at.x(number), at.yOfShare(value));
  });
  context.stroke();
  context.setLineDash([]);
}

/** Draw an upright line at a moment, from `top`: where another run begins or (dashed) something appears. */
function upright(context, at, moment, top, colour, dash = []) {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(at.x(moment), top);
  context.lineTo(at.x(moment), at.foot);
  context.stroke();
  context.setLineDash([]);
}

/** Put each flag into its place, and draw the line from it down to its moment. */
function hoist(context, data, at, moment, colours) {
  at.flags.forEach(({ flag, left, tier }, number) => {
    const mark = data.marks[number];
    const top = at.top - TIER * (tier + 1);
    Object.assign(flag.style, { left: `${left}px`, top: `${top}px` });
    flag.setAttribute("aria-pressed", String(mark.moment === moment));
    upright(context, at, mark.moment, top + TIER - APART, mark.told ? colours.key : colours.border, [3, 3]);
  });
}
