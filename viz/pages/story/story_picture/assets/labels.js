import { make, setText } from "../../../../shared/javascript/dom.js";
import { edge } from "./places.js";

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
