import { make, setText } from "../../../../components/javascript/dom.js";
import { segmented } from "../../../../components/javascript/segmented.js";
import { slider } from "./parts.js";
import { range } from "./scene.js";
import { ask } from "./view.js";

const TEMPERATURES = steps(0.1, 0.95, 0.05).concat(steps(1, 3, 0.1));
const TOP_KS = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 0];
const TOP_PS = steps(0.05, 1, 0.05);
const PENALTIES = steps(0, 2, 0.1);
const SEEDS = 1000;
const STRATEGIES = ["greedy", "beam", "sampling"];

function steps(from, to, by) {
  const count = Math.round((to - from) / by) + 1;
  return range(count).map((at) => Number((from + at * by).toFixed(2)));
}

/** The choice of the strategy and its settings. */
export function makeControls(app) {
  const { words } = app;
  const strategy = segmented(
    words.strategy,
    STRATEGIES.map((name) => [name, words[name], words[`${name} hint`]]),
    (name) => name !== app.view.strategy && ask(app, { strategy: name, node: null }),
  );
  const beam = beamControls(app);
  const sampling = samplingControls(app);
  const node = make("div", { class: "row controls" }, strategy.node, beam.node, sampling.node);
  const update = () => {
    const { view } = app;
    strategy.show(view.strategy);
    for (const part of [beam, sampling]) part.node.hidden = part.name !== view.strategy;
    for (const [name, one] of Object.entries({ ...beam.fields, ...sampling.fields })) {
      one.show(view[name]);
    }
  };
  return { node, update };
}

function beamControls(app) {
  const { words } = app;
  const settle = (name) => (value) => ask(app, { [name]: value, node: null });
  const fields = {
    width: slider(words.width, "", steps(1, 8, 1), String, () => {}, settle("width")),
    penalty: slider(
      words.penalty, words["penalty hint"], PENALTIES, (value) => value.toFixed(1), () => {},
      settle("penalty"),
    ),
  };
  const node = make("div", { class: "row" }, fields.width.node, fields.penalty.node);
  return { name: "beam", fields, node };
}

/** While a slider moves, the bars follow from the logits; when it rests, the model samples anew. */
function samplingControls(app) {
  const { words } = app;
  const field = (name, values, write) =>
    slider(
      words[name], words[`${name} hint`], values, write,
      (value) => {
        app.view[name] = value;
        app.drawOdds();
      },
      (value) => ask(app, { [name]: value }),
    );
  const count = (value) => (value === 0 ? words.all : String(value));
  const seed = make("output", { class: "seed" });
  const roll = make(
    "button",
    { type: "button", class: "plain", click: () => ask(app, { seed: (app.view.seed % SEEDS) + 1 }) },
    words.roll,
  );
  const fields = {
    temperature: field("temperature", TEMPERATURES, (value) => String(value)),
    top_k: field("top_k", TOP_KS, count),
    top_p: field("top_p", TOP_PS, (value) => value.toFixed(2)),
    seed: { show: (value) => setText(seed, String(value)) },
  };
  const node = make(
    "div",
    { class: "row" },
    fields.temperature.node,
    fields.top_k.node,
    fields.top_p.node,
    make("span", { class: "field" }, make("span", {}, words.seed), seed, roll),
  );
  return { name: "sampling", fields, node };
}
