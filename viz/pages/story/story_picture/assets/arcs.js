import { make, makeSvg } from "../../../../components/javascript/dom.js";
import { isCalm, limited, smooth } from "../../../../components/javascript/motion.js";
import { faintArcs } from "./faint.js";
import { glide } from "./glide.js";
import { makeLabels, placeLabels } from "./labels.js";
import { curve, ends } from "./places.js";
import { goalOf } from "./state.js";

const SWING = 600; // milliseconds
const GROW = 650; // milliseconds for each arc; they grow one after the other
const THIN = 1.5;
const THICK = 13; // pixels, for a weight of 1

/**
 * Thick arcs, from a query to the word that it takes most from, and faint arcs for all other words
 * of the translation. `cuts` are the buttons on the arcs, `grips` the handles at their ends, and
 * `lineGrips` those of the faint arcs. When a window draws arcs for the first time, they grow from their beginning.
 */
export function arcs(stage, lines, told, look, cuts, { grips, lineGrips }) {
  const faint = faintArcs(stage, lines, told, look, lineGrips);
  const thick = told.arcs.map((arc, number) => thickArc(stage, lines, arc, number));
  const drawn = thick.flatMap(({ nodes }) => nodes);
  const layer = makeSvg("svg", { class: "arcs", "aria-hidden": "true" }, faint.node, ...drawn);
  const labels = told.arcs.map((arc) => makeLabels(told, arc));
  const hint = make("span", { class: "role hint" }, `${told.words.hint} ↓`);
  const held = [...lineGrips, ...grips].filter(Boolean).map((grip) => grip.node);
  const node = make("div", { class: "drawing" }, layer, ...labels.flatMap(Object.values), hint, ...held);
  let stop = () => {};
  let ways = null; // for every arc: the words from and to which it swings, and its progress
  let grown = told.arcs.length; // the number of arcs that have grown, plus the share of the next arc

  const draw = () => {
    thick.forEach((arc, place) => {
      const { middle, end } = arc.draw(ways[place], limited(grown - place), look.stateOf(place));
      cuts[place]?.place(middle);
      grips[place]?.put(end);
    });
    faint.draw(grown < told.arcs.length);
    placeLabels(labels, hint, stage, lines, told, look);
  };
  const rest = () => {
    ways = resting(told, look);
    grown = told.arcs.length;
    draw();
    node.dataset.to = String(ways.at(-1).goal.key);
    node.dataset.moving = "";
  };
  const move = (milliseconds, step) => {
    node.dataset.moving = "yes";
    stop = glide(milliseconds, (share) => {
      if (share === 1) return rest();
      step(smooth(share));
      draw();
    });
  };
  const swing = () => {
    ways = onward(ways, told, look);
    move(SWING, (share) => ways.forEach((way) => (way.share = share)));
  };
  const grow = () => {
    rest();
    grown = 0;
    draw();
    move(GROW * told.arcs.length, (share) => (grown = share * told.arcs.length));
  };
  const show = (moving) => {
    stop();
    const first = !window.headlightDrawn;
    window.headlightDrawn = true;
    if (isCalm()) rest();
    else if (first) grow();
    else if (moving) swing();
    else rest();
  };
  return { node, show, moving: () => node.dataset.moving === "yes", leave: () => stop() };
}

/** The ways of arcs at rest: each arc is at the word that it goes to. */
function resting(told, look) {
  return told.arcs.map((_arc, place) => {
    const goal = goalOf(told, look, place);
    return { start: goal, goal, share: 1 };
  });
}

/** The ways of arcs that begin to swing from their current place. */
function onward(ways, told, look) {
  return ways.map(({ start, goal, share }, place) => ({
    start: share < 0.5 ? start : goal, goal: goalOf(told, look, place), share: 0,
  }));
}

/** A thick arc. Words move while a neighbour changes its width, so each frame measures their places. */
function thickArc(stage, lines, arc, number) {
  const within = arc.querySide === arc.keySide;
  const name = `story-arc-${number}`;
  const blend = makeSvg(
    "linearGradient", { id: name, gradientUnits: "userSpaceOnUse", x1: 0, x2: 0 },
    makeSvg("stop", { class: "at-query", offset: 0 }), makeSvg("stop", { class: "at-key", offset: 0.6 }),
  );
  const path = makeSvg("path", { class: "arc", "data-arc": arc.kind, stroke: `url(#${name})` });
  const knot = makeSvg("circle", { class: "knot", "data-arc": arc.kind, r: 8 });
  const strike = makeSvg("path", { class: "strike", d: "M -7 -7 L 7 7 M 7 -7 L -7 7" });
  const draw = ({ start, goal, share }, grown, { cut, loose }) => {
    const { from, to } = ends(stage, lines, arc, arc.query, start.key);
    const last = ends(stage, lines, arc, arc.query, goal.key).to;
    const at = loose ?? { x: mix(to.x, last.x, share), y: mix(to.y, last.y, share) };
    const width = cut ? 4 : THIN + (THICK - THIN) * mix(start.weight, goal.weight, share);
    const line = curve(from, at, within);
    set(path, { d: line.d, "stroke-width": width });
    path.classList.toggle("cut", cut);
    // While an arc grows, only a part of its length is drawn.
    if (grown < 1) set(path, { pathLength: 1, "stroke-dasharray": `${grown} 2` });
    else for (const unset of ["pathLength", "stroke-dasharray"]) path.removeAttribute(unset);
    set(blend, { y1: from.y, y2: Math.abs(at.y - from.y) < 1 ? at.y - 1 : at.y });
    if (within) set(blend, { x1: from.x, x2: at.x, y1: 0, y2: 0 });
    set(knot, { cx: at.x, cy: at.y });
    knot.classList.toggle("cut", cut);
    set(strike, { transform: `translate(${at.x} ${at.y})` });
    for (const end of [knot, strike]) end.style.visibility = grown < 1 ? "hidden" : "";
    strike.style.display = cut ? "" : "none";
    return { middle: line.middle, end: at };
  };
  return { nodes: [blend, path, knot, strike], draw };
}

function mix(a, b, share) {
  return a + (b - a) * share;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}
