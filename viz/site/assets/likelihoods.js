import { make, makeSvg } from "../../components/javascript/dom.js";
import { number, percent } from "../../components/javascript/numbers.js";
import { filledParts } from "./head_said.js";

const UNMOVED = 5e-4; // a smaller change counts as none: UNSEEN of viz/effect/difference.py
const NAMED = 0.005; // the smallest change that gets a number
const [TALL, LOW, LEFT, COLUMN] = [250, 30, 56, 58]; // pixels: the ground, the top, the axis, a piece

/**
 * Draw the probability of each piece of the translation before, in both models, as
 * viz/effect/likelihood.py does: a ring before, a dot after. Without `likely` nothing is drawn.
 */
export function drawLikelihoods(node, { titles, names, axis, colours }, likely, isAhead) {
  node.hidden = !likely;
  if (!likely) return node.replaceChildren();
  const { pieces, before, after } = likely;
  const title = filledParts(titles[Number(isAhead)], {});
  const told = title.map(([text]) => text).join("");
  const width = LEFT + COLUMN * pieces.length;
  const isMany = pieces.length > 12;
  const size = { viewBox: `0 0 ${width} ${TALL + (isMany ? 90 : 40)}`, width, height: TALL + (isMany ? 90 : 40) };
  const picture = makeSvg(
    "svg", { ...size, role: "img", "aria-label": told },
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
      makeSvg("line", { class: "rule", x1: LEFT, x2: width, y1: heightOf(share), y2: heightOf(share) }),
      makeSvg("text", { x: LEFT - 8, y: heightOf(share) + 5, "text-anchor": "end" }, `${100 * share}%`),
    ]),
    ...pieces.map((piece, at) => column({ piece, at, was: before[at], now: after[at], isMany }, numbered(before, after, at), names, colours)),
  );
  const kinds = after.map((share, at) => kindOf(share - before[at]));
  const legend = ["fall", "rise", "same"].filter((kind) => kinds.includes(kind)).map((kind) =>
    make("span", {}, make("i", { style: `background: ${colours[kind]}` }), names[kind]));
  node.replaceChildren(
    make("p", {}, ...title.map(([text, isBold]) => (isBold ? make("b", {}, text) : text))),
    make("p", { class: "legend" }, make("span", {}, make("i", { class: "ring" }), names.before), ...legend, make("span", {}, axis)),
    make("div", { class: "scrolled", tabindex: "0", role: "group", "aria-label": told }, picture),
  );
}

function column({ piece, at, was, now, isMany }, figure, names, colours) {
  const x = LEFT + COLUMN * (at + 0.5);
  const kind = kindOf(now - was);
  const [from, to] = [heightOf(was), heightOf(now)];
  const name = isMany
    ? makeSvg("text", { x, y: TALL + 22, "text-anchor": "end", transform: `rotate(-45 ${x} ${TALL + 22})` }, piece)
    : makeSvg("text", { x, y: TALL + 26, "text-anchor": "middle" }, piece);
  return makeSvg(
    "g", {},
    makeSvg("title", {}, `${piece}, ${names.before}: ${percent(was)}, ${names[kind]}: ${percent(now)}`),
    makeSvg("line", { x1: x, x2: x, y1: from, y2: to, stroke: colours[kind], "stroke-width": "5" }),
    makeSvg("circle", { class: "before", cx: x, cy: from, r: "6.5" }),
    makeSvg("circle", { class: "after", cx: x, cy: to, r: "6", fill: colours[kind] }),
    figure ? makeSvg("text", { x, y: Math.min(from, to) - 13, "text-anchor": "middle" }, figure) : "",
    name,
  );
}

function heightOf(share) {
  return TALL - (TALL - LOW) * share;
}

function kindOf(change) {
  return Math.abs(change) < UNMOVED ? "same" : change > 0 ? "rise" : "fall";
}

/** A notable change in percentage points, if it is the largest near it; else "". */
export function numbered(before, after, at) {
  const moved = after.map((share, place) => Math.abs(share - before[place]));
  const near = Math.max(2, Math.floor(moved.length / 8));
  const most = Math.max(...moved.slice(Math.max(0, at - near), at + near + 1));
  if (moved[at] < NAMED || moved[at] !== most) return "";
  const change = 100 * (after[at] - before[at]);
  return `${change > 0 ? "+" : ""}${number(change, 1)}`;
}
