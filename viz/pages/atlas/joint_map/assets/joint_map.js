/* Queries and keys of a head on one map; the dot under the pointer shows its real strongest links. */

import "./joint_map.css";
import { make, makeSvg, setText, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";

const TALL = 500;
const EDGE = 34; // pixels between the outermost dots and the frame
const SMALL = 3.5;
const LARGE = 7;
const LETTER = 8; // pixels, about the width of a letter

/** The places of the dots in a picture of this width, with the same unit in both directions. */
function placesOf(dots, wide) {
  const span = ["x", "y"].map((axis) => {
    const values = dots.map((dot) => dot[axis]);
    return [Math.min(...values), Math.max(...values)];
  });
  const room = [wide - 2 * EDGE, TALL - 2 * EDGE];
  const unit = Math.min(...span.map(([low, high], axis) => room[axis] / Math.max(high - low, 1e-9)));
  const [x, y] = span.map(([low, high]) => (low + high) / 2);
  return dots.map((dot) => [wide / 2 + unit * (dot.x - x), TALL / 2 - unit * (dot.y - y)]);
}

function shapeOf(isKey, size, x = 0, y = 0, className = "dot") {
  return isKey
    ? makeSvg("rect", { class: className, x: x - size, y: y - size, width: 2 * size, height: 2 * size })
    : makeSvg("circle", { class: className, cx: x, cy: y, r: size });
}

function lineBetween([x1, y1], [x2, y2], weight) {
  return makeSvg("line", { class: "line", x1, y1, x2, y2, "stroke-width": 0.5 + 4 * weight });
}

/** Hide names that would cover another name, until the pointer is on their dot. */
function withoutCrowd(names) {
  const taken = [];
  for (const [node, x, y, width] of names) {
    const crowded = taken.some(([left, top, other]) =>
      Math.abs(x - left) < (width + other) / 2 && Math.abs(y - top) < 15);
    node.classList.toggle("crowded", crowded);
    if (!crowded) taken.push([x, y, width]);
  }
}

function nodeOf(app, dot, [x, y], number) {
  const listens = { "data-dot": number, mouseenter: () => app.point(number), mouseleave: () => app.point(null) };
  const shape = shapeOf(dot.key, dot.own ? LARGE : SMALL, x, y);
  const name = makeSvg("text", { class: "name", x, y: y - 11 }, dot.token);
  const node = makeSvg("g", dot.own
    ? { ...listens, class: "own", tabindex: "0", role: "img", "aria-label": dot.said, focus: () => app.point(number), blur: () => app.point(null) }
    : listens, shape, name);
  if (!dot.own) name.classList.add("crowded");
  setVariables(node, { colour: dot.colour });
  return node;
}

/** Return a function that draws only one dot's links, with the dots that they lead to. */
function pointer(app, svg, nodes, places) {
  const lines = makeSvg("g", {});
  svg.append(lines);
  return (number) => {
    for (const node of svg.querySelectorAll(".meant")) node.classList.remove("meant");
    const dot = number === null ? null : app.data.dots[number];
    svg.classList.toggle("pointed", dot !== null);
    svg.dataset.lines = String(dot ? dot.links.length : 0);
    setText(app.reading, dot ? dot.said : app.data.words.hint);
    lines.replaceChildren(...(dot?.links ?? []).map(([to, weight]) => lineBetween(places[number], places[to], weight)));
    if (dot) for (const at of [number, ...dot.links.map(([to]) => to)]) nodes[at].classList.add("meant");
  };
}

function picture(app, wide) {
  const { dots, axes, words } = app.data;
  const places = placesOf(dots, wide);
  const nodes = dots.map((dot, number) => nodeOf(app, dot, places[number], number));
  const resting = makeSvg("g", { class: "resting" }, ...dots.flatMap((dot, number) => {
    if (!dot.own || dot.key || !dot.links.length) return [];
    const [[to, weight]] = dot.links;
    return [lineBetween(places[number], places[to], weight)];
  }));
  const titles = axes ? [
    makeSvg("text", { class: "axis", x: wide / 2, y: TALL - 8, "text-anchor": "middle" }, axes[0]),
    makeSvg("text", { class: "axis", x: -TALL / 2, y: 18, transform: "rotate(-90)", "text-anchor": "middle" }, axes[1]),
  ] : [];
  const svg = makeSvg("svg", {
    class: "plane", width: wide, height: TALL, viewBox: `0 0 ${wide} ${TALL}`, role: "group", "aria-label": words.label,
  }, ...titles, resting, ...nodes);
  withoutCrowd(dots.flatMap((dot, number) =>
    dot.own ? [[nodes[number].lastChild, ...places[number], LETTER * dot.token.length]] : []));
  app.point = pointer(app, svg, nodes, places);
  svg.dataset.dots = String(dots.length);
  return svg;
}

function legendOf({ legend, scale, words }) {
  const shapes = [[false, words.query], [true, words.key]].map(([isKey, name]) => make("span", {},
    makeSvg("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, shapeOf(isKey, 5, 0, 0, "shape")), name));
  const colours = legend.map(([name, colour]) => {
    const swatch = make("span", { class: "swatch" });
    setVariables(swatch, { colour });
    return make("span", {}, swatch, name);
  });
  const ramps = [];
  if (scale) {
    const ramp = make("span", { class: "ramp" });
    setVariables(ramp, { ramp: `linear-gradient(90deg, ${scale.colours.join(", ")})` });
    ramps.push(make("span", {}, scale.low, ramp, scale.high));
  }
  return make("div", { class: "legend" }, ...shapes, ...colours, ...ramps);
}

export function render({ data, parentElement }) {
  const root = kept(parentElement, () => make("div", { class: "map" }));
  const app = { data, reading: make("div", { class: "reading", "aria-live": "polite" }, data.words.hint), point: () => {} };
  const place = make("div", { class: "place" });
  root.replaceChildren(app.reading, place, legendOf(data));
  mount(parentElement, root);
  let before = 0;
  const draw = () => {
    const wide = Math.max(300, Math.floor(place.clientWidth));
    if (wide === before) return;
    before = wide;
    place.replaceChildren(picture(app, wide));
  };
  draw();
  const sizes = new ResizeObserver(draw);
  sizes.observe(place);
  return atEnd(parentElement, () => sizes.disconnect());
}
