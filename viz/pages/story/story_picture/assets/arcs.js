import { make, makeSvg, setText } from "../../../../shared/javascript/dom.js";

const SWING = 600; // milliseconds
const THIN = 1.5;
const THICK = 13; // pixels, for a weight of 1

/** One thick arc from the query to the noun it takes most from, a faint one for every other word. */
export function arcs(stage, lines, told) {
  const faint = makeSvg("g", { class: "faint" });
  const blend = makeSvg("linearGradient", { id: "story-arc", gradientUnits: "userSpaceOnUse", x1: 0, x2: 0 },
    makeSvg("stop", { class: "at-query", offset: 0 }), makeSvg("stop", { class: "at-key", offset: 0.6 }));
  const arc = makeSvg("path", { class: "arc", stroke: "url(#story-arc)" });
  const knot = makeSvg("circle", { class: "knot", r: 8 });
  const layer = makeSvg("svg", { class: "arcs", "aria-hidden": "true" }, blend, faint, arc, knot);
  const labels = makeLabels(told);
  const node = make("div", { class: "drawing" }, layer, ...Object.values(labels));
  let frame = 0;
  let place = null; // between which nouns the arc is at this moment: [noun, noun, share, weight]

  const strongest = (shown) => {
    const weights = told.weights[shown][told.query];
    const [one, other] = told.nouns;
    const noun = weights[one] >= weights[other] ? one : other;
    return { noun, weight: weights[noun] };
  };
  // Words move while another one takes more room, so every frame asks where they are.
  const draw = (shown) => {
    const { from, to } = ends(stage, lines, told, told.query, place.start.noun);
    const goal = ends(stage, lines, told, told.query, place.goal.noun).to;
    const at = { x: mix(to.x, goal.x, place.share), y: mix(to.y, goal.y, place.share) };
    const weight = mix(place.start.weight, place.goal.weight, place.share);
    arc.setAttribute("d", curve(from, at, told.querySide === told.keySide));
    arc.setAttribute("stroke-width", String(THIN + (THICK - THIN) * weight));
    blend.setAttribute("y1", String(from.y));
    blend.setAttribute("y2", String(at.y));
    knot.setAttribute("cx", String(at.x));
    knot.setAttribute("cy", String(at.y));
    drawFaint(faint, stage, lines, told, shown);
    placeLabels(labels, stage, lines, told, shown);
  };
  const rest = (shown) => {
    const goal = strongest(shown);
    place = { start: goal, goal, share: 1 };
    draw(shown);
    node.dataset.to = String(goal.noun);
    node.dataset.moving = "";
  };
  const swing = (shown) => {
    const began = performance.now();
    place = { start: place.share < 0.5 ? place.start : place.goal, goal: strongest(shown), share: 0 };
    node.dataset.moving = "yes";
    const step = (now) => {
      const share = Math.min(1, Math.max(0, (now - began) / SWING));
      if (share === 1) return rest(shown);
      place.share = share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
      draw(shown);
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  };
  const show = (shown, moving) => {
    cancelAnimationFrame(frame);
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (moving && place && !calm) swing(shown);
    else rest(shown);
  };
  return { node, show, moving: () => node.dataset.moving === "yes", leave: () => cancelAnimationFrame(frame) };
}

function mix(a, b, share) {
  return a + (b - a) * share;
}

/** Where an arc begins at its query and ends at its key. */
function ends(stage, lines, { querySide, keySide }, query, key) {
  const side = (of) => (querySide === keySide || of === "french" ? "top" : "bottom");
  return {
    from: edge(stage, lines[querySide].nodes[query], side(querySide)),
    to: edge(stage, lines[keySide].nodes[key], side(keySide)),
  };
}

/** The middle of a word's upper or lower edge, on the stage. */
function edge(stage, word, side) {
  const frame = stage.getBoundingClientRect();
  const box = word.getBoundingClientRect();
  const y = side === "top" ? box.top - 4 : box.bottom + 4;
  return { x: (box.left + box.right) / 2 - frame.left, y: y - frame.top };
}

function curve(from, to, same) {
  if (same) {
    const high = Math.min(from.y, to.y) - 0.35 * Math.abs(from.x - to.x);
    return `M ${from.x} ${from.y} C ${from.x} ${high}, ${to.x} ${high}, ${to.x} ${to.y}`;
  }
  const bend = 0.62 * (to.y - from.y);
  return `M ${from.x} ${from.y} C ${from.x} ${from.y + bend}, ${to.x} ${to.y - bend}, ${to.x} ${to.y}`;
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
  paths.forEach((path, number) => {
    for (const [name, value] of Object.entries(path)) faint.childNodes[number].setAttribute(name, String(value));
  });
}

/** Weights stand at both nouns; query and key are named where they are. */
function makeLabels({ words }) {
  return {
    one: make("span", { class: "weight" }),
    other: make("span", { class: "weight" }),
    query: make("span", { class: "role query" }, words.query),
    key: make("span", { class: "role key" }, words.key),
    hint: make("span", { class: "role hint" }, `${words.hint} ↓`),
  };
}

function placeLabels(labels, stage, lines, told, shown) {
  const weights = told.weights[shown][told.query];
  const keys = lines[told.keySide].nodes;
  const below = told.keySide === "french";
  const put = (node, { x, y }, beyond) => {
    const half = node.offsetWidth / 2;
    const inside = Math.min(Math.max(x, half), Math.max(half, stage.clientWidth - half));
    const top = below ? y + beyond - node.offsetHeight : y - beyond;
    node.style.transform = `translate(${Math.round(inside - half)}px, ${Math.round(top)}px)`;
  };
  const strong = weights[told.nouns[0]] >= weights[told.nouns[1]] ? 0 : 1;
  const tall = labels.one.offsetHeight;
  [labels.one, labels.other].forEach((label, number) => {
    const weight = weights[told.nouns[number]];
    setText(label, weight.toFixed(2));
    label.classList.toggle("strong", number === strong);
    put(label, edge(stage, keys[told.nouns[number]], below ? "bottom" : "top"), tall);
  });
  const noun = edge(stage, keys[told.nouns[strong]], below ? "bottom" : "top");
  put(labels.key, noun, tall + labels.key.offsetHeight);
  const choice = edge(stage, lines.english.nodes[told.switch], "top");
  put(labels.hint, below ? { x: choice.x, y: choice.y - tall } : choice, below ? tall : labels.hint.offsetHeight);
  const query = edge(stage, lines[told.querySide].nodes[told.query], below ? "top" : "bottom");
  put(labels.query, query, below ? labels.query.offsetHeight : 0);
}
