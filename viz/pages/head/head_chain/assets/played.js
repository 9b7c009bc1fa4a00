import { make } from "../../../../components/javascript/dom.js";
import { limited, smooth } from "../../../../components/javascript/motion.js";
import { paint, picture } from "./drawing.js";
import { weightOf } from "./rows.js";

const RISEN = 0.6; // the share of a key's time in which its products rise; then q moves on
const COMING = "0.08"; // the opacity of parts that are still to come

/**
 * The six links of the chain as functions of a share (0 before a link, 1 after it) and of a flag,
 * true while the link plays. Everything in between is computed from the same numbers.
 */
export function playedLinks(root, s, show) {
  return [project(root), slide(root, s, show), shrink(root, s), normalise(root, s), pour(root, s), hand(root)];
}

function reveal(nodes, share) {
  const path = share < 1 ? `inset(0 ${((1 - share) * 100).toFixed(1)}% 0 0)` : "";
  for (const node of nodes) node.style.clipPath = path;
}

function fade(nodes, share) {
  const opacity = share < 1 ? String(Math.max(Number(COMING), share)) : "";
  for (const node of nodes) node.style.opacity = opacity;
}

/** Link 1: q, k and v appear, out of x and the weights. */
function project(root) {
  const made = root.querySelectorAll(".own, canvas.k, canvas.v");
  return (share) => reveal(made, share);
}

/** Link 2: the query moves over the keys; at each key, products rise, and their sum is the score. */
function slide(root, s, show) {
  const grid = root.querySelector(".comparison");
  const strip = make(
    "div", { class: "sliding", "aria-hidden": "true" }, picture(s.arrays.q, s.colours, { name: "q", tip: s.tip }),
  );
  strip.style.gridArea = `5 / 3 / span ${s.shown.length} / span 1`;
  grid.append(strip);
  const [dots, products] = [columnOf(root, "dots"), root.querySelector(".glance")];
  let shown = null;
  return (share, on) => {
    const count = s.shown.length;
    const at = Math.min(count - 1, Math.floor(share * count));
    const within = share * count - at;
    strip.hidden = !on;
    strip.style.transform = `translateY(calc(${at + smooth((within - RISEN) / (1 - RISEN))} * var(--row)))`;
    dots.forEach((node, row) => fade([node], row < at ? 1 : row === at ? limited(within / RISEN) : 0));
    fade([products], share > 0 ? 1 : 0);
    products.style.setProperty("--rise", String(on ? smooth(within / RISEN) : 1));
    if (on && shown !== at) show(s.shown[at]);
    shown = on ? at : null;
  };
}

/**
 * Link 3: each score's bar begins as long as the dot product and shrinks by the divisor; its number is
 * the score from the start. Then the mask is added.
 */
function shrink(root, s) {
  const scores = columnOf(root, "scores");
  const masks = root.querySelectorAll(".comparison .mask");
  const { dots, scores: scaled } = s.arrays;
  const away = () => scores[0].offsetLeft - columnOf(root, "dots")[0].offsetLeft;
  return (share, on) => {
    const gone = smooth(share / 0.8);
    const left = on ? (gone - 1) * away() : 0;
    scores.forEach((node, row) => {
      const key = s.shown[row];
      const value = dots.values[key] + (scaled.values[key] - dots.values[key]) * gone;
      node.classList.toggle("measured", on);
      node.style.setProperty("--long", `${(Math.abs(value) / dots.most) * 100}%`);
      node.style.transform = on ? `translateX(${left}px)` : "";
    });
    fade(scores, share > 0 ? 1 : 0);
    fade(masks, (share - 0.8) / 0.2);
  };
}

/** Link 4: bars of the exponentials, with the largest as 1; divided by their sum they are the weights. */
function normalise(root, s) {
  const weights = columnOf(root, "weights");
  const bars = weights.map((node) => node.querySelector("i"));
  const { values } = s.arrays.weights;
  const most = Math.max(...values);
  const sum = root.querySelectorAll(".comparison :is(.sum, .rest)");
  return (share, on) => {
    const grown = smooth(share * 2) * (1 + (most - 1) * smooth(share * 2 - 1));
    bars.forEach((bar, row) => {
      const value = values[s.shown[row]];
      bar.style.width = `${(on ? (value / most) * grown : value) * 100}%`;
    });
    fade(weights, share > 0 ? 1 : 0);
    fade(sum, share);
  };
}

/**
 * Link 5: add the weighted values to z one by one (folded keys together); larger weights take
 * longer.
 */
function pour(root, s) {
  const grid = root.querySelector(".mixture");
  const [values, z] = [grid.querySelector("canvas.v"), grid.querySelector("canvas.z")];
  const { v, weights, z: whole } = s.arrays;
  const width = whole.values.length;
  const drop = picture(whole, s.colours, { name: "z", tip: s.tip });
  const strip = make("div", { class: "sliding pouring", "aria-hidden": "true" }, drop);
  strip.style.gridArea = `5 / 2 / span ${s.shown.length + 1} / span 1`;
  grid.append(strip);
  const groups = [...s.shown.map((at) => [at]), ...(s.rest.length ? [s.rest] : [])];
  const times = groups.map((keys) => 0.3 / groups.length + 0.7 * weightOf(s, keys));
  const own = (row) => {
    const sum = new Float32Array(width);
    for (const key of groups[row]) {
      for (let i = 0; i < width; i++) sum[i] += v.values[key * width + i] * weights.values[key];
    }
    return sum;
  };
  return (share, on) => {
    const { at, within } = placeIn(times, share);
    const sum = new Float32Array(width);
    for (let row = 0; row <= at; row++) {
      own(row).forEach((value, i) => (sum[i] += row < at ? value : value * smooth(within * 2 - 1)));
    }
    strip.hidden = !on;
    if (on) paint(drop, { ...whole, values: own(at) }, s.colours);
    const way = z.offsetTop - values.offsetTop;
    const gone = smooth(within);
    strip.style.transform = `translateY(calc(${at * (1 - gone)} * var(--row) + ${way * gone}px))`;
    paint(z, on ? { ...whole, values: sum } : whole, s.colours);
    reveal([z], share > 0 ? 1 : 0);
  };
}

/** The part that a share of the whole time falls into, and the share within that part. */
function placeIn(times, share) {
  let left = share * times.reduce((sum, time) => sum + time, 0);
  for (let at = 0; at < times.length - 1; at++) {
    if (left < times[at]) return { at, within: left / times[at] };
    left -= times[at];
  }
  return { at: times.length - 1, within: limited(left / times.at(-1)) };
}

/** Link 6: z appears among the other heads, then W_O, and then the output of both. */
function hand(root) {
  const [first, ...others] = root.querySelector(".ending").children;
  const before = others.slice(0, 2); // the heads side by side
  const matrix = others.slice(2, 4);
  const out = others.slice(4);
  return (share) => {
    fade([first], share > 0 ? 1 : 0);
    fade(before, smooth(share / 0.35));
    fade(matrix, smooth((share - 0.3) / 0.35));
    reveal(out, limited((share - 0.65) / 0.35));
  };
}

function columnOf(root, step) {
  return [...root.querySelectorAll(`[data-step="${step}"]`)];
}
