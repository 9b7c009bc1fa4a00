import { make, setText } from "../../../../components/javascript/dom.js";
import { edge } from "./places.js";
import { goalOf, strongest } from "./state.js";

const MOST_RISE = 60; // pixels that an arc can rise above the word that differs
const BESIDE = 16; // pixels between a label and the middle of an arc
const APART = 8; // pixels between a weight and the name beside it

/** The labels of an arc: the weights at the words it looks at, and the names of query and key. */
export function makeLabels({ words, arcs }, arc) {
  const last = arc === arcs.at(-1);
  return {
    one: make("span", { class: "weight", "data-arc": arc.kind }),
    other: make("span", { class: "weight", "data-arc": arc.kind }),
    query: make("span", { class: "role query" }, arc === arcs[0] ? words.query : ""),
    key: make("span", { class: last ? "role key" : "role both" }, last ? words.key : words.both),
  };
}

export function placeLabels(all, hint, stage, lines, told, look) {
  all.forEach((labels, place) => placeOf(labels, stage, lines, told, look, place));
  // The hint is placed above anything over the word that differs: its weight, or the arc.
  const { querySide, keySide, query, keys } = told.arcs.at(-1);
  const within = querySide === keySide;
  const strong = strongest(told.arcs.at(-1), look.shown).key;
  const { one, key } = all.at(-1);
  const beside = keys[0] === keys[1]; // the weight stands below the word
  const own = !within && !beside && keySide === "source" && strong === told.switch;
  const from = edge(stage, lines[querySide].nodes[query], "bottom").x;
  const to = edge(stage, lines[keySide].nodes[strong], "bottom").x;
  const choice = edge(stage, lines.source.nodes[told.switch], "top");
  const over = within && (choice.x - from) * (choice.x - to) < 0;
  const arc = over ? Math.min(MOST_RISE, 14 + 0.27 * Math.abs(from - to)) : 0;
  const above = arc + (own ? one.offsetHeight + key.offsetHeight : 0);
  move(hint, stage, choice.x, choice.y - above - hint.offsetHeight);
}

function placeOf(labels, stage, lines, told, look, place) {
  const arc = told.arcs[place];
  const keys = lines[arc.keySide].nodes;
  const within = arc.keySide === arc.querySide; // then the arc runs above the sentence
  const single = arc.keys[0] === arc.keys[1];
  const beside = single && !within && arc.keySide === "source";
  const under = within || beside || arc.keySide === "target";
  const side = under ? "bottom" : "top";
  const { key: goal, weight } = goalOf(told, look, place);
  const weights = look.effect().onKeys[place];
  // An arc that is turned onto a third word has its weight there, and no label at its own words.
  const third = !arc.keys.includes(goal);
  const tall = labels.one.offsetHeight;
  // Where the other arc has a weight below the word, this one stands to its right.
  const others = told.arcs.filter((other) => other !== arc && other.keySide === arc.keySide);
  const aside = (word) => others.some(({ keys: own }) => own.includes(word))
    ? Math.max(BESIDE, labels.one.offsetWidth / 2 + APART)
    : BESIDE;
  const below = (node, { x, y }, beyond) =>
    move(node, stage, x, under ? y + beyond - node.offsetHeight : y - beyond);
  [labels.one, labels.other].forEach((label, at) => {
    const word = third && at === 0 ? goal : arc.keys[at];
    setText(label, (word === goal ? weight : weights[at]).toFixed(2));
    label.hidden = at === 1 && (single || third);
    label.classList.toggle("strong", word === goal);
    const middle = edge(stage, keys[word], side);
    // An arc that comes from below has its weight at its side.
    if (beside) middle.x += aside(word) + label.offsetWidth / 2;
    below(label, middle, tall);
  });
  const noun = edge(stage, keys[goal], side);
  // Beside the weight and not below it, where the scissors of the arc are.
  if (beside) noun.x += aside(goal) + labels.one.offsetWidth + APART + labels.key.offsetWidth / 2;
  below(labels.key, noun, beside ? tall : tall + labels.key.offsetHeight);
  const query = edge(stage, lines[arc.querySide].nodes[arc.query], "bottom");
  const row = within ? tall + labels.key.offsetHeight : 0; // below the labels of a neighbouring key
  move(labels.query, stage, query.x, query.y + row);
}

/** Move the middle of a label's upper edge to a place, but keep the whole label on the stage. */
function move(node, stage, x, y) {
  const half = node.offsetWidth / 2;
  const inside = Math.min(Math.max(x, half), Math.max(half, stage.clientWidth - half));
  node.style.transform = `translate(${Math.round(inside - half)}px, ${Math.round(y)}px)`;
}
