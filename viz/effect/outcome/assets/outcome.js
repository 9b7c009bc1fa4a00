/* Both translations, and the probabilities of some words: bars move from before to after, numbers do not. */

import "./outcome.css";
import { make, setVariables } from "../../../components/javascript/dom.js";
import { isCalm, smooth } from "../../../components/javascript/motion.js";
import { atEnd, kept, mount } from "../../../components/javascript/mount.js";
import { percent } from "../../../components/javascript/numbers.js";

const MOVES = 900; // milliseconds from one probability to the other

const LONG = 75; // letters: a longer translation has smaller ones, so that what is below stays in view

const isLong = (line) => line.reduce((sum, [space, word]) => sum + space.length + word.length, 0) > LONG;
const sameWords = (data) => !data.lines.flat().some(([, , changed]) => changed);
const nameOf = (bar) => `${bar.lead}${bar.text}`;

/** A translation under its name. If it is foreseen to stay the same, it is written once. */
function lineOf(data, which) {
  const name = which === 0 ? data.words.before : data.words.after;
  const words = data.lines[which].map(([space, word, changed]) =>
    make("span", {}, space, changed ? make("mark", {}, word) : word));
  const same = which === 1 && sameWords(data);
  if (which === 0 && data.foreseen && sameWords(data)) return null;
  const node = make(
    "div", { class: `line ${which === 0 ? "before" : "after"}${same ? " unchanged" : ""}${data.empty[which] ? " empty" : ""}` },
    make("span", { class: "name" }, name), make("span", { class: "text" }, ...words),
  );
  setVariables(node, { mark: data.colours[which] });
  return node;
}

/** One bar; `at(share)` draws it that far on its way from `from` to `after`. Grey is unchanged. */
function gauge(data, { lead, text, before, after, rest }, from) {
  const fill = make("div", { class: "fill" });
  const value = make("b", {}, percent(after));
  const moved = data.changed && percent(before) !== percent(after);
  const was = moved ? make("s", {}, percent(before)) : null;
  const tick = moved ? make("div", { class: "was", style: `left: calc(${100 * before}% - 1px)` }) : null;
  if (moved && !rest) setVariables(fill, { fill: data.colours[after < before ? 0 : 1] });
  const at = (share) => (fill.style.width = `${100 * (from + (after - from) * share)}%`);
  const nodes = [
    make("span", { class: rest ? "word rest" : "word" }, make("span", { class: "lead" }, lead), text),
    make("div", { class: "track" }, fill, tick),
    make("span", { class: "value" }, was, value),
  ];
  return { nodes, at };
}

function play(state, gauges) {
  cancelAnimationFrame(state.frame);
  const draw = (share) => gauges.forEach((one) => one.at(share));
  if (isCalm()) return draw(1);
  const start = performance.now();
  const step = (now) => {
    const share = Math.min(1, Math.max(0, (now - start) / MOVES));
    draw(smooth(share));
    state.root.dataset.moving = String(share < 1);
    if (share < 1) state.frame = requestAnimationFrame(step);
  };
  draw(0);
  state.frame = requestAnimationFrame(step);
}

export function render({ data, parentElement }) {
  const state = kept(parentElement, () => ({ root: make("div", { class: "outcome" }), shown: new Map(), frame: 0, told: "" }));
  const told = JSON.stringify(data);
  mount(parentElement, state.root);
  if (told !== state.told) {
    state.told = told;
    const gauges = data.bars.map((bar) => gauge(data, bar, state.shown.get(nameOf(bar)) ?? bar.before));
    // What follows all other pieces is of another step, and no further share of the same one.
    const next = gauges[data.bars.findIndex(({ rest }) => rest) + 1];
    if (next !== gauges[0]) next?.nodes.forEach((node) => node.classList.add("apart"));
    // What is only foreseen did not happen: the next change begins where nothing is changed.
    state.shown = new Map(data.foreseen ? [] : data.bars.map((bar) => [nameOf(bar), bar.after]));
    state.root.classList.toggle("foreseen", data.foreseen !== "");
    state.root.classList.toggle("long", data.lines.some(isLong));
    const logs = data.changed ? data.logs.join(" → ") : data.logs[0];
    state.root.replaceChildren(
      make("div", { class: "lines" }, ...[lineOf(data, 0), lineOf(data, 1)].filter(Boolean)),
      make("div", { class: "gauges" }, make("span", { class: "likely" }, data.words.likely), ...gauges.flatMap((one) => one.nodes)),
      make("div", { class: "said", "aria-live": "polite" }, data.said, make("span", { class: "log" }, `${data.words.log} ${logs}`)),
    );
    play(state, gauges);
  }
  return atEnd(parentElement, () => cancelAnimationFrame(state.frame));
}
