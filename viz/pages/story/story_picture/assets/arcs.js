import { make, makeSvg } from "../../../../components/javascript/dom.js";
import { isCalm } from "../../../../components/javascript/motion.js";
import { makeLabels, placeLabels } from "./labels.js";
import { curve, ends } from "./places.js";

const SWING = 600; // milliseconds
const THIN = 1.5;
const THICK = 13; // pixels, for a weight of 1

/** One thick arc from the query to the noun it takes most from, a faint one for every other word. */
export function arcs(stage, lines, told) {
  const faint = makeSvg("g", { class: "faint" });
  const thick = thickArc(stage, lines, told);
  const layer = makeSvg("svg", { class: "arcs", "aria-hidden": "true" }, faint, ...thick.nodes);
  const labels = makeLabels(told);
  const node = make("div", { class: "drawing" }, layer, ...Object.values(labels));
  let frame = 0;
  let way = null; // from which noun to which the arc is on its way, and how far

  const draw = (shown) => {
    thick.draw(way);
    drawFaint(faint, stage, lines, told, shown);
    placeLabels(labels, stage, lines, told, shown);
  };
  const rest = (shown) => {
    const goal = strongest(told, shown);
    way = { start: goal, goal, share: 1 };
    draw(shown);
    node.dataset.to = String(goal.noun);
    node.dataset.moving = "";
  };
  const swing = (shown) => {
    const began = performance.now();
    way = { start: way.share < 0.5 ? way.start : way.goal, goal: strongest(told, shown), share: 0 };
    node.dataset.moving = "yes";
    const step = (now) => {
      const share = Math.min(1, Math.max(0, (now - began) / SWING));
      if (share === 1) return rest(shown);
      way.share = share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
      draw(shown);
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  };
  const show = (shown, moving) => {
    cancelAnimationFrame(frame);
    const calm = isCalm();
    if (moving && way && !calm) swing(shown);
    else rest(shown);
  };
  const moving = () => node.dataset.moving === "yes";
  return { node, show, moving, leave: () => cancelAnimationFrame(frame) };
}

/** The noun that the query takes most from in a sentence. */
function strongest(told, shown) {
  const weights = told.weights[shown][told.query];
  const [one, other] = told.nouns;
  const noun = weights[one] >= weights[other] ? one : other;
  return { noun, weight: weights[noun] };
}

/** Words move while another one takes more room, so every frame asks where they are. */
function thickArc(stage, lines, told) {
  const blend = makeSvg(
    "linearGradient", { id: "story-arc", gradientUnits: "userSpaceOnUse", x1: 0, x2: 0 },
    makeSvg("stop", { class: "at-query", offset: 0 }), makeSvg("stop", { class: "at-key", offset: 0.6 }),
  );
  const arc = makeSvg("path", { class: "arc", stroke: "url(#story-arc)" });
  const knot = makeSvg("circle", { class: "knot", r: 8 });
  const draw = ({ start, goal, share }) => {
    const { from, to } = ends(stage, lines, told, told.query, start.noun);
    const last = ends(stage, lines, told, told.query, goal.noun).to;
    const at = { x: mix(to.x, last.x, share), y: mix(to.y, last.y, share) };
    const width = THIN + (THICK - THIN) * mix(start.weight, goal.weight, share);
    set(arc, { d: curve(from, at, told.querySide === told.keySide), "stroke-width": width });
    set(blend, { y1: from.y, y2: at.y });
    set(knot, { cx: at.x, cy: at.y });
  };
  return { nodes: [blend, arc, knot], draw };
}

function mix(a, b, share) {
  return a + (b - a) * share;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

function drawFaint(faint, stage, lines, told, shown) {
  if (told.querySide === told.keySide) return;
  const paths = told.weights[shown].flatMap((weights, query) => {
    if (query === told.query) return [];
    const weight = Math.max(...weights);
    const { from, to } = ends(stage, lines, told, query, weights.indexOf(weight));
    return [{ d: curve(from, to, false), "stroke-width": 1 + 3 * weight, opacity: 0.22 * weight }];
  });
  while (faint.childNodes.length < paths.length) faint.append(makeSvg("path"));
  paths.forEach((path, number) => set(faint.childNodes[number], path));
}
