import { make, setText } from "../../../../components/javascript/dom.js";
import { edge } from "./places.js";

const MOST_RISE = 60; // pixels

/** Weights stand at both nouns; query and key are named where they are. */
export function makeLabels({ words }) {
  return {
    one: make("span", { class: "weight" }),
    other: make("span", { class: "weight" }),
    query: make("span", { class: "role query" }, words.query),
    key: make("span", { class: "role key" }, words.key),
    hint: make("span", { class: "role hint" }, `${words.hint} ↓`),
  };
}

export function placeLabels(labels, stage, lines, told, shown) {
  const weights = told.weights[shown][told.query];
  const keys = lines[told.keySide].nodes;
  const within = told.keySide === told.querySide; // then the arc runs above the sentence
  const under = within || told.keySide === "target";
  const side = under ? "bottom" : "top";
  const put = (node, { x, y }, beyond, below = under) => {
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
    label.hidden = number === 1 && told.nouns[0] === told.nouns[1];
    label.classList.toggle("strong", number === strong);
    put(label, edge(stage, keys[told.nouns[number]], side), tall);
  });
  const noun = edge(stage, keys[told.nouns[strong]], side);
  put(labels.key, noun, tall + labels.key.offsetHeight);
  const query = edge(stage, lines[told.querySide].nodes[told.query], "bottom");
  const row = within ? tall + labels.key.offsetHeight : 0; // below those of a key beside it
  put(labels.query, query, row + labels.query.offsetHeight, true);
  // The hint stands above what is above the word that differs: its weight, or the arc.
  const own = !under && told.nouns[strong] === told.switch ? tall + labels.key.offsetHeight : 0;
  const arc = within ? Math.min(MOST_RISE, 14 + 0.27 * Math.abs(query.x - noun.x)) : 0;
  const choice = edge(stage, lines.source.nodes[told.switch], "top");
  put(labels.hint, choice, own + arc + labels.hint.offsetHeight, false);
}
