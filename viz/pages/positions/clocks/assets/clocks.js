import "./clocks.css";
import { gradient } from "../../../../components/javascript/colours.js";
import { fillIn, make, setText, setVariables } from "../../../../components/javascript/dom.js";
import { inflateMessage } from "../../../../components/javascript/message.js";
import { isCalm } from "../../../../components/javascript/motion.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { currentColours } from "../../../../components/javascript/palette.js";
import { tokenText } from "../../../../components/javascript/tokens.js";
import { drawClock, ink } from "./clock.js";
import { drawVector } from "./vector.js";
import { drawWaves, positionAt } from "./waves.js";

/* A position moves along the words: each pair of dimensions turns like the hand of a clock. */

const REST = 0.6; // the share of a position's time in which nothing moves
const SECONDS = 9; // milliseconds for the words of a sentence, and again for the later positions

function create() {
  const view = { at: 0, timer: null, sent: null };
  view.play = make("button", { type: "button", class: "play", click: () => toggle(view) });
  view.range = make("input", {
    type: "range", min: "0", step: "1", class: "range", input: () => go(view, Number(view.range.value)),
  });
  view.said = make("strong", { class: "said" });
  view.chips = make("div", { class: "chips" });
  view.rows = make("div", { class: "rows" });
  view.added = make("span");
  const scale = make("span", { class: "scale", "aria-hidden": "true" }, "−1", make("i"), "1");
  view.vector = make("canvas", { class: "vector", role: "img" });
  view.root = make(
    "div", { class: "clocks" },
    make("div", { class: "bar" }, view.play, view.chips),
    make("div", { class: "along" }, view.range, view.said), view.rows,
    make("div", { class: "added" }, view.added, scale), view.vector,
  );
  const sizes = new ResizeObserver(() => (view.root.isConnected ? draw(view) : sizes.disconnect()));
  view.watch = () => sizes.observe(view.root);
  return view;
}

function take(view, { header, arrays }) {
  const before = view.data;
  halt(view);
  view.data = header;
  view.arrays = arrays;
  view.last = header.length - 1;
  view.end = Math.min(view.last, header.tokens.length - 1); // the last position of the sentence
  view.word = header.opens; // that of its last word
  view.at = before && before.length === header.length ? view.at : view.word;
  view.range.max = String(view.last);
  view.range.setAttribute("aria-label", header.words.position);
  view.vector.setAttribute("aria-label", header.words.vector);
  view.chips.replaceChildren(...header.tokens.map((token, at) => make(
    "button", { type: "button", class: "chip", click: () => go(view, at) }, tokenText(token),
  )));
  view.pairs = header.pairs.map((pair) => rowOf(view, pair));
  view.rows.replaceChildren(...view.pairs.map(({ node }) => node));
}

function rowOf(view, pair) {
  const { words } = view.data;
  const waves = make("canvas", {
    class: "waves", role: "img", "aria-label": words.curves,
    click: (event) => seek(view, waves, event), mousemove: (event) => event.buttons && seek(view, waves, event),
  });
  const clock = make("canvas", { class: "clock", role: "img", "aria-label": words.clock });
  const [sine, cosine] = pair.dimensions;
  const name = make("b", {}, fillIn(words.dimensions, { sine, cosine }));
  const values = ["sine", "cosine"].map((which) => make("span", { class: which }));
  const side = make("div", { class: "side" }, name, make("span", {}, pair.wave), make("span", { class: "values" }, ...values));
  const node = make("div", { class: "row" }, waves, clock, side);
  return { node, waves, clock, values, pair };
}

function seek(view, canvas, event) {
  go(view, positionAt(canvas, view.last, event));
}

/** Go to a position by hand, which stops the playing. */
function go(view, at) {
  halt(view);
  view.at = at;
  draw(view);
}

/** Play along the words when the page is first seen, unless the reader's system asks for no motion. */
function open(view) {
  if (window.clocksWereSeen || isCalm()) return;
  window.clocksWereSeen = true;
  view.at = 0;
  start(view, view.word);
}

function toggle(view) {
  if (view.timer) halt(view);
  else {
    if (view.at >= view.last) view.at = 0;
    start(view, view.at < view.word ? view.word : view.last);
  }
  draw(view);
}

/** Move by the clock to a position: a slow browser skips frames and does not fall behind. */
function start(view, to) {
  const [from, began] = [view.at, performance.now()];
  const whole = to === view.word ? view.word : view.last - view.word;
  const tick = (now) => {
    const past = Math.max(0, now - began) / 1000; // the time of a frame may be before the start
    view.at = Math.min(to, resting(from + (past * Math.max(1, whole)) / SECONDS));
    view.timer = view.at < to ? requestAnimationFrame(tick) : null;
    draw(view);
  };
  view.timer = requestAnimationFrame(tick);
}

/** Rest on each whole position, and move on in the last part of its time. */
function resting(at) {
  const whole = Math.floor(at);
  const moved = Math.max(0, (at - whole - REST) / (1 - REST));
  return whole + moved * moved * (3 - 2 * moved);
}

/** Stop at a whole position. */
function halt(view) {
  if (view.timer) cancelAnimationFrame(view.timer);
  view.at = Math.round(view.at);
  view.timer = null;
}

function draw(view) {
  if (!view.data) return;
  const { data, root } = view;
  const colours = currentColours(root, data.palette, view.colours);
  view.colours = colours;
  setVariables(root, { query: colours.query, border: colours.border, sine: ink(colours, 0), cosine: ink(colours, 1), ramp: gradient(colours.diverging) });
  const { words } = data;
  const position = Math.floor(view.at + 1e-9);
  const token = data.tokens[position];
  const piece = token === undefined ? null : `“${tokenText(token)}”`;
  setText(view.play, view.timer ? `❚❚ ${words.pause}` : `▶ ${words.play}`);
  setText(view.said, fillIn(piece ? words.at : words.beyond, { position, piece }));
  setText(view.added, fillIn(piece ? words.added : words.row, { piece, count: words.count }));
  view.range.step = view.timer ? "any" : "1";
  view.range.value = String(view.at);
  view.range.setAttribute("aria-valuetext", view.said.textContent);
  [...view.chips.children].forEach((chip, at) => {
    if (at === position) chip.setAttribute("aria-current", "true");
    else chip.removeAttribute("aria-current");
  });
  const size = data.length * data.fine - data.fine + 1;
  view.pairs.forEach((row, number) => {
    const values = view.arrays.pairs.values.subarray(2 * size * number, 2 * size * (number + 1));
    const pairAt = (at) => values.subarray(2 * Math.round(at * data.fine)).subarray(0, 2);
    const drawn = { values, at: view.at, last: view.last, end: view.end, fine: data.fine, chosen: row.pair.chosen };
    if (number === view.pairs.length - 1) drawn.zone = words.sentence;
    drawWaves(row.waves, drawn, pairAt(view.at), colours);
    drawClock(row.clock, pairAt(view.at), row.pair.chosen, colours);
    pairAt(position).forEach((value, which) => setText(row.values[which], value.toFixed(2).replace("-", "−")));
  });
  const { shape, values } = view.arrays.table;
  const marked = data.pairs.flatMap(({ dimensions, chosen }) => dimensions.filter((_one, which) => chosen[which]));
  drawVector(view.vector, values.subarray(position * shape[1], (position + 1) * shape[1]), marked, colours);
  Object.assign(root.dataset, { position: String(position), playing: String(Boolean(view.timer)), ready: "true" });
}

export function render({ data, parentElement }) {
  const view = kept(parentElement, create);
  const show = () => {
    mount(parentElement, view.root);
    view.watch();
    draw(view);
  };
  if (view.data) show(); // before it has its size, showing it would move everything below
  if (view.sent !== data) {
    view.sent = data;
    inflateMessage(data).then((message) => {
      if (view.sent !== data) return;
      take(view, message);
      open(view);
      show();
    });
  }
  return atEnd(parentElement, () => halt(view));
}
