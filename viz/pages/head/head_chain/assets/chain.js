import "./parts.css";
import { pointIn } from "../../../../components/javascript/canvas.js";
import { gradient } from "../../../../components/javascript/colours.js";
import { fillIn, make, setVariables } from "../../../../components/javascript/dom.js";
import { offerToken } from "../../../../components/javascript/focus.js";
import { readMessage } from "../../../../components/javascript/message.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { number } from "../../../../components/javascript/numbers.js";
import { picture, signed } from "./drawing.js";
import { glance, queryName, tell } from "./lens.js";
import { player } from "./player.js";
import { chooseRows, folding, restWeight, rowsOf } from "./rows.js";
import "./chain.css";

function place(node, row, column, rows = 1, columns = 1) {
  node.style.gridArea = `${row} / ${column} / span ${rows} / span ${columns}`;
  return node;
}

/** The numbers, words and colours that all drawing functions need, and the tip at the pointer. */
function scene(message, parent) {
  const { header } = message;
  const arrays = Object.fromEntries(
    Object.entries(message.arrays).map(([name, array]) => [name, { ...array, most: largest(array.values) }]),
  );
  const tipBox = make("div", { class: "tip", role: "status" });
  tipBox.hidden = true;
  const tip = (event, text) => {
    tipBox.hidden = event === null;
    if (event === null) return;
    tipBox.textContent = text;
    const { x, y } = pointIn(parent, event);
    tipBox.style.left = `${Math.max(0, Math.min(x + 12, parent.clientWidth - 230))}px`;
    tipBox.style.top = `${y + 16}px`;
  };
  return { ...header, arrays, tip, tipBox };
}

function largest(values) {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

function shape(array) {
  const sides = array.shape.length > 1 ? array.shape : [1, ...array.shape];
  return sides.join(" × ");
}

function title(step, text, note) {
  return make(
    "div",
    { class: "title" },
    step ? make("span", { class: "step" }, step) : null,
    make("span", { class: "name" }, text),
    note ? make("span", { class: "note" }, note) : null,
  );
}

function stack(s, which) {
  return make("span", { class: `stack ${which}` }, s.words[which]);
}

/** A name, the shape of its array and, for readers, the number with the full colour. */
function scaleNote(name, array, sides = shape(array)) {
  return [`${name} ${sides}`.trim(), make("span", { class: "range" }, `, ±${number(array.most)}`)];
}

function weightsName(name, array) {
  const lines = [shape(array), `±${number(array.most)}`].map((text) => make("div", {}, text));
  return make("div", { class: "weights-name" }, make("b", {}, `${name} ▸`), ...lines);
}

function matrix(s, name, label, options = {}) {
  const canvas = picture(s.arrays[name], s.colours, { name: label, tip: s.tip, ...options });
  canvas.classList.add(name);
  return canvas;
}

/** A matrix with a row for each key; only shown keys are drawn. */
function keyMatrix(s, name, label, options = {}) {
  const canvas = picture(rowsOf(s.arrays[name], s.shown), s.colours, {
    name: label, rows: s.shown.map((at) => s.keys[at]), places: s.shown, tip: s.tip, ...options,
  });
  canvas.classList.add(name);
  return canvas;
}

/** The chip of a key, which opens the menu of its token. */
function keyChip(s, key, at) {
  const side = s.keyStack === "encoder" ? "source" : "target";
  const click = (event) => offerToken(event.currentTarget, side, at, key, event.detail === 0);
  return make("button", { type: "button", class: "chip key", "data-place": at, click }, key);
}

/** Steps 1 to 4: x, q, k, and for each key the numbers from the dot product to the weight. */
function comparison(s, fold) {
  const { words, arrays, keys, shown } = s;
  const grid = make("div", { class: "grid comparison" });
  const first = 5;
  const all = shown.length;
  const add = (node, ...where) => grid.append(place(node, ...where));
  add(title("1", words.project, words.projectNote), 1, 1, 1, 3);
  add(weightsName("W_Q", arrays.w_q), 2, 2);
  add(matrix(s, "w_q", "W_Q"), 2, 3);
  const chip = make("span", { class: "chip query" }, queryName(s));
  const step = s.queryStack === "decoder" ? make("small", {}, words.toWrite) : null;
  add(make("div", { class: "who" }, step, chip, stack(s, s.queryStack)), 3, 1);
  add(make("small", { class: "side bottom" }, words.query), 2, 1);
  add(matrix(s, "x", "x"), 3, 2);
  add(make("div", { class: "own" }, matrix(s, "q", "q"), make("small", { class: "q" }, ...scaleNote("q", arrays.q))), 3, 3);
  add(weightsName("W_K", arrays.w_k), 4, 2);
  add(matrix(s, "w_k", "W_K"), 4, 3);
  add(make("small", { class: "side bottom" }, make("div", {}, words.key), stack(s, s.keyStack)), first - 1, 1);
  shown.forEach((at, row) => add(keyChip(s, keys[at], at), first + row, 1));
  add(keyMatrix(s, "source", "X"), first, 2, all);
  add(keyMatrix(s, "k", "k"), first, 3, all);
  const button = folding(s, fold);
  if (button) add(button, first + all, 1);
  add(make("small", { class: "k" }, ...scaleNote("k", arrays.k)), first + all, 2, 1, 2);
  add(make("small", { class: "of-x" }, ...scaleNote("X", arrays.source)), first + all + 1, 1, 1, 2);
  add(make("div", { class: "glance" }), 2, 4, 3, 4);
  scoreColumns(s, add, first);
  return grid;
}

function scoreColumns(s, add, first) {
  const { words, arrays, keys, shown, allowed } = s;
  add(title("2", "q · k", words.dotNote), 1, 4);
  const left = s.divisor === 1;
  const usual = Math.abs(s.divisor - Math.sqrt(arrays.q.shape[0])) < 1e-6;
  const divided = s.changed ? fillIn(words.changed, { divisor: number(s.divisor) }) : `= ${number(s.divisor)}`;
  add(title("3", left || usual ? "÷√d_k" : "÷", left ? words.undivided : divided), 1, 5);
  add(title("", words.maskTitle), 1, 6);
  const cooled = s.temperature !== 1 && fillIn(words.cooled, { temperature: number(s.temperature) });
  add(title("4", "softmax", cooled || words.softmaxNote), 1, 7);
  shown.forEach((at, own) => {
    const [key, row] = [keys[at], first + own];
    const struck = allowed[at] ? "" : " struck";
    const cell = (name, column) => {
      const value = arrays[name].values[at];
      const colour = signed(s.colours, value, arrays[name].most, 0.5);
      const tag = name === "dots" ? "button" : "span";
      const attributes = { class: `score${struck}`, style: `background: ${colour}`, "data-key": at, "data-step": name };
      if (tag === "button") attributes.type = "button";
      const node = make(tag, attributes, number(value));
      if (tag === "button") node.setAttribute("aria-label", `q · k, ${key}: ${number(value)}`);
      add(node, row, column);
    };
    cell("dots", 4);
    cell("scores", 5);
    add(make("span", { class: `mask${struck}`, "data-key": at }, allowed[at] ? "0" : "−∞"), row, 6);
    const weight = arrays.weights.values[at];
    const bar = make("i", { style: `width: ${weight * 100}%` });
    add(make("span", { class: `weight${struck}`, "data-key": at, "data-step": "weights" }, bar, make("b", {}, number(weight))), row, 7);
  });
  const rest = restWeight(s);
  if (rest) add(rest, first + shown.length, 7);
  add(make("small", { class: "sum" }, words.sumNote), first + shown.length + 1, 7);
}

/** Step 5: the values under their weights, and z. */
function mixture(s) {
  const { words, arrays, keys, shown } = s;
  const grid = make("div", { class: "grid mixture" });
  const first = 5;
  const all = shown.length;
  const add = (node, ...where) => grid.append(place(node, ...where));
  add(title("5", words.mix, words.mixNote), 1, 1, 3, 2);
  add(make("div", { class: "weights-name over" }, make("b", {}, "W_V "), ...scaleNote("", arrays.w_v)), 3, 2);
  add(matrix(s, "w_v", "W_V"), 4, 2);
  shown.forEach((at, row) => add(make("span", { class: "chip key again" }, keys[at]), first + row, 1));
  const most = Math.max(...arrays.weights.values);
  const faded = (row) => arrays.weights.values[shown[row]] < 0.02 * most;
  add(keyMatrix(s, "v", "v", { faded }), first, 2, all);
  add(make("small", { class: "v" }, ...scaleNote("v", arrays.v)), first + all, 2);
  add(matrix(s, "z", "z"), first + all + 1, 2);
  add(make("small", { class: "z" }, ...scaleNote("z", arrays.z)), first + all + 2, 2);
  return grid;
}

/** Step 6: the heads side by side, W_O and the output of the sublayer. */
function ending(s) {
  const { words, arrays, heads, head } = s;
  const width = arrays.z.shape[0];
  const stacked = { ...arrays.concat, shape: [heads, width] };
  const names = Array.from({ length: heads }, (_, at) => `${words.head} ${at + 1}`);
  const framed = (own, canvas, from, share) => {
    const mark = make("i", { class: "mark" });
    mark.style.top = `${from * 100}%`;
    mark.style.height = `${share * 100}%`;
    return make("div", { class: `framed ${own}` }, canvas, mark);
  };
  const concat = picture(stacked, s.colours, { name: "z", rows: names, tip: s.tip });
  const out = make("div", { class: "strip" }, matrix(s, "out", "out"));
  return make(
    "div",
    { class: "ending" },
    title("6", words.concat, words.concatNote),
    framed("slices", concat, head / heads, 1 / heads),
    make("small", {}, ...scaleNote("", arrays.concat, `${heads} × ${width} = 1 × ${arrays.concat.shape[0]}`)),
    make("div", { class: "weights-name" }, make("b", {}, "× W_O "), ...scaleNote("", arrays.w_o)),
    framed("weights", matrix(s, "w_o", "W_O"), head / heads, 1 / heads),
    make("div", { class: "weights-name" }, make("b", {}, `${words.out} `), ...scaleNote("", arrays.out)),
    out,
  );
}

function strongest(s) {
  const values = [...s.arrays.weights.values];
  return values.indexOf(Math.max(...values));
}

/** Forget a key that was chosen for another query. */
function keep(s, state) {
  const token = `${s.queries[s.query]} ${s.query}`;
  const same = state.token === token && state.pinned < s.keys.length;
  if (!same) state.pinned = null;
  state.token = token;
}

/** Let the pointer, the focus and a click choose the key whose products are shown. */
function listen(root, s, state) {
  const show = (at) => {
    root.querySelector(".glance").replaceChildren(...glance(s, at));
    for (const cell of root.querySelectorAll("[data-key]")) {
      cell.classList.toggle("shown", Number(cell.dataset.key) === at);
    }
    tell(s, at);
  };
  const rest = () => show(state.pinned ?? strongest(s));
  const keyOf = (event) => event.target.closest(".comparison [data-key]");
  const over = (event) => keyOf(event) && show(Number(keyOf(event).dataset.key));
  root.addEventListener("mouseover", over);
  root.addEventListener("focusin", over);
  root.addEventListener("mouseleave", rest);
  root.addEventListener("click", (event) => {
    if (!keyOf(event)) return;
    state.pinned = Number(keyOf(event).dataset.key);
    rest();
  });
  rest();
  return { show, rest };
}

/** Draw the chain anew each time; the chosen key stays while the query is the same. */
export function render({ data, parentElement }) {
  const root = make("div", { class: "chain" });
  const state = kept(parentElement, () => ({ stop: () => {}, open: false, pinned: null }));
  const whole = scene(readMessage(data), root);
  keep(whole, state);
  const s = { ...whole, ...chooseRows(whole, state) };
  const fold = (event) => {
    state.open = !state.open;
    render({ data, parentElement });
    if (event.detail === 0) parentElement.querySelector(".fold").focus(); // clicked by the keyboard
  };
  setVariables(root, { ...s.colours, keys: String(s.shown.length), heads: String(s.heads) });
  const strip = make("i", { style: `background: ${gradient(s.colours.diverging)}` });
  const legend = make("div", { class: "legend" }, strip, s.words.legend);
  const flow = make("div", { class: "flow" }, comparison(s, fold), mixture(s), ending(s));
  root.append(flow, legend, s.tipBox);
  mount(parentElement, root);
  state.stop(); // the earlier picture may still be playing
  const play = player(root, s, listen(root, s, state));
  state.stop = play.stop;
  flow.before(play.node);
  play.draw();
  root.dataset.query = s.query;
  root.dataset.head = s.head;
  root.dataset.divisor = number(s.divisor);
  return atEnd(parentElement, () => state.stop());
}
