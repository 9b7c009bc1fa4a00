/*
 * A row of attention. A dragged bar takes weight from all other bars, or gives weight to them, in
 * proportion; the arc above is turned onto one key.
 */

import "./weight_bars.css";
import { make, setText, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { number } from "../../../../components/javascript/numbers.js";
import { arc } from "./arc.js";

const MANY = 10; // more names than this stand upright where there is little room

/** The weights with one weight set; all others keep their proportions, and the sum is 1. */
function moved(weights, place, value) {
  const set = Math.max(0, Math.min(1, value));
  const rest = weights.reduce((sum, weight, at) => sum + (at === place ? 0 : weight), 0);
  const others = weights.length - 1;
  if (!others) return [1];
  const share = (weight) => (rest > 1e-9 ? (weight / rest) * (1 - set) : (1 - set) / others);
  return weights.map((weight, at) => (at === place ? set : share(weight)));
}

function column(view, place) {
  const { data } = view;
  const fill = make("div", { class: "fill" });
  const own = make("div", { class: "own" });
  const output = make("output");
  setVariables(own, { share: `${100 * data.own[place]}%` });
  const track = make("div", {
    class: "track", role: "slider", tabindex: "0", title: data.keys[place], "aria-label": data.keys[place],
    "aria-valuemin": "0", "aria-valuemax": "1", "aria-orientation": "vertical",
  }, fill, own);
  const drag = (event) => {
    const box = track.getBoundingClientRect();
    view.set(place, (box.bottom - event.clientY) / box.height);
  };
  track.addEventListener("pointerdown", (event) => {
    track.setPointerCapture(event.pointerId);
    view.held = place;
    drag(event);
  });
  track.addEventListener("pointermove", (event) => view.held === place && drag(event));
  track.addEventListener("pointerup", () => {
    view.held = null;
    view.send();
  });
  track.addEventListener("dblclick", () => {
    view.set(place, 1);
    view.send();
  });
  track.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 0.05, ArrowDown: -0.05, Home: -1, End: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    view.set(place, view.weights[place] + step);
    view.send();
  });
  const show = () => {
    const weight = view.weights[place];
    setVariables(fill, { share: `${100 * weight}%` });
    setText(output, number(weight, 2));
    track.setAttribute("aria-valuenow", weight.toFixed(2));
  };
  return { node: make("div", { class: "column" }, output, track, make("label", {}, data.keys[place])), show };
}

export function render({ data, parentElement, setTriggerValue }) {
  const root = kept(parentElement, () => make("div", { class: "weights" }));
  const focused = root.getRootNode().activeElement;
  const at = [...root.querySelectorAll("[role=slider]")].indexOf(focused);
  const view = { data, weights: data.weights, held: null };
  const columns = data.keys.map((_, place) => column(view, place));
  const nodes = columns.map((one) => one.node);
  const alone = (place) => data.weights.map((_, key) => Number(key === place));
  const above = data.turned && arc(data, nodes, () => view.weights, {
    aim: (place) => view.show(place === null ? data.weights : alone(place)),
    drop: (place) => setTriggerValue("turned", place),
  });
  view.show = (weights) => {
    view.weights = weights;
    columns.forEach((one) => one.show());
  };
  view.set = (place, value) => {
    view.show(moved(view.weights, place, value));
    above?.show();
  };
  view.send = () => setTriggerValue("weights", view.weights.map((weight) => Number(weight.toFixed(4))));
  const note = make("div", { class: "note" }, make("span", {}, data.axis), make("span", { class: "outlined" }, data.legend));
  const bars = make("div", { class: columns.length > MANY ? "columns many" : "columns" }, ...nodes);
  root.replaceChildren(make("div", { class: "scrolled" }, above?.node ?? "", bars), note);
  setVariables(root, { kind: data.colour });
  view.show(data.weights);
  mount(parentElement, root);
  above?.show(); // after the columns have their places
  if (at >= 0) root.querySelectorAll("[role=slider]")[at]?.focus();
  return atEnd(parentElement);
}
