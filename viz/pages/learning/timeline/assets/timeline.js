import "./timeline.css";
import { addressNow, linkOf, replaceAddress, valueWith } from "../../../../components/javascript/address.js";
import { gradient } from "../../../../components/javascript/colours.js";
import { fillIn, make, setText, setVariables } from "../../../../components/javascript/dom.js";
import { inflateMessage } from "../../../../components/javascript/message.js";
import { isCalm } from "../../../../components/javascript/motion.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { currentColours } from "../../../../components/javascript/palette.js";
import { boardOf, drawBoard, headAt, outline, tileFor } from "./board.js";
import { curveOf, drawCurve, momentAt } from "./curve.js";
import { cellAt, drawHead } from "./head.js";

/* Moments of training, played in the browser: nothing is sent while it plays. */

const KINDS = ["encoder", "decoder", "cross"];
const SLOW = 3;
const PAUSE = 120; // milliseconds from the last choice of a moment to the writing of the address
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function create() {
  const view = { moment: 0, timer: null, sent: null, cell: null };
  view.play = make("button", { type: "button", class: "play", click: () => toggle(view) });
  view.slow = make("input", { type: "checkbox", change: () => view.timer && start(view) });
  view.slowText = make("span");
  view.range = make("input", {
    type: "range", min: "0", step: "1", class: "range", input: () => { stop(view); go(view, Number(view.range.value)); },
  });
  view.step = make("strong", { class: "step" });
  view.loss = make("span", { class: "loss" });
  view.right = make("span", { class: "right" });
  view.cut = make("span", { class: "cut" });
  view.lines = make("div", { class: "lines", role: "status" }, view.loss, view.right, view.cut);
  view.dip = make("p", { class: "dip" });
  view.curve = curveOf((event) => seek(view, event));
  view.translation = make("div", { class: "translation", tabindex: "0" }); // a long translation scrolls
  view.reference = make("div", { class: "reference" });
  view.boards = KINDS.map((kind) => boardOf(
    kind, (event) => choose(view, kind, event), (event) => stepHead(view, kind, event),
  ));
  view.headName = make("strong", { class: "headname", "aria-live": "polite" });
  view.head = make("canvas", {
    class: "head", tabindex: "0", role: "img",
    mousemove: (event) => point(view, event), keydown: (event) => stepCell(view, event),
  });
  view.reading = make("div", { class: "reading", "aria-live": "polite" });
  const bar = make(
    "div", { class: "bar" }, view.play, make("label", {}, view.slow, view.slowText), view.step,
  );
  const boards = make("div", { class: "boards" }, ...view.boards.map((board) => board.node));
  view.scale = make("span", { class: "scale" });
  view.weight = make("span");
  const caption = make("div", { class: "caption" }, view.headName, view.weight, "0", view.scale, "1");
  const large = make("div", { class: "large" }, caption, view.head, view.reading);
  const curve = make("div", { class: "course" }, view.curve.node, view.range, view.lines, view.dip);
  view.root = make(
    "div", { class: "timeline" },
    make("div", { class: "parts" }, bar, view.translation, large, curve, boards),
    view.reference,
  );
  // In presenter mode, all parts have other sizes.
  const sizes = new ResizeObserver(() => (view.root.isConnected ? draw(view) : sizes.disconnect()));
  view.watch = () => sizes.observe(view.root);
  return view;
}

/** Undo the differences: each moment is the last moment plus the sent bytes, which wrap around. */
function whole({ shape, values }) {
  const size = values.length / shape[0];
  const summed = values.slice();
  for (let at = size; at < summed.length; at++) summed[at] += summed[at - size];
  return { shape, values: summed };
}

function take(view, { header, arrays }) {
  stop(view);
  view.data = header;
  view.arrays = Object.fromEntries(KINDS.map((kind) => [kind, whole(arrays[kind])]));
  const [kind, layer, head] = header.head;
  const named = headOfLink(view);
  view.chosen = named ?? { kind, layer, head };
  view.picked = Boolean(named);
  view.range.max = String(header.steps.length - 1);
  view.range.setAttribute("aria-label", header.words.moment);
  setText(view.slowText, header.words.slow);
  setText(view.weight, header.words.weight);
  for (const board of view.boards) {
    setText(board.title, header.words[board.kind]);
    board.canvas.setAttribute("aria-label", `${header.words[board.kind]}: ${header.words.board}`);
  }
  view.curve.canvas.setAttribute("aria-label", header.words.curve);
  view.head.setAttribute("aria-label", header.words.large);
  setText(view.dip, header.dip.length ? header.words.dip : "");
  view.curve.flags.replaceChildren(...header.marks.map((mark) => markButton(view, mark)));
  const linked = header.steps.indexOf(Number(valueWith(header.link, "step", addressNow()) ?? -1));
  view.moment = linked < 0 ? header.steps.length - 1 : linked;
  view.linked = placeOf(view);
}

/** The head that the address names, if these arrays have it. */
function headOfLink({ data, arrays }) {
  const [kind, layer, head] = ["kind", "layer", "head"].map((name) => valueWith(data.link, name, addressNow()));
  const [, layers, heads] = arrays[kind]?.shape ?? [];
  const inside = (value, count) => Number(value) >= 1 && Number(value) <= count;
  return inside(layer, layers) && inside(head, heads) ? { kind, layer: layer - 1, head: head - 1 } : null;
}

/** What the address keeps of the picture: the moment, and the head that somebody has picked. */
function placeOf({ moment, picked, chosen }) {
  return JSON.stringify([moment, picked && chosen]);
}

function pick(view, chosen) {
  Object.assign(view, { chosen, picked: true });
}

function markButton(view, mark) {
  const step = view.data.steps[mark.moment].toLocaleString("en");
  const jump = () => {
    stop(view);
    if (mark.head) pick(view, { kind: mark.head[0], layer: mark.head[1], head: mark.head[2] });
    go(view, mark.moment);
  };
  const name = mark.told ? "mark told" : "mark";
  return make("button", { type: "button", class: name, title: mark.text, click: jump }, make("b", {}, step), ` ${mark.short}`);
}

/** Play once when the page is first seen, unless its link has a moment or the reader's system asks for no motion. */
function open(view) {
  if (window.bornWasSeen || isCalm() || view.moment < view.data.steps.length - 1) return;
  window.bornWasSeen = true;
  view.moment = 0;
  start(view);
}

function toggle(view) {
  if (view.timer) {
    stop(view);
    draw(view);
    return;
  }
  if (view.moment === view.data.steps.length - 1) view.moment = 0;
  start(view);
  draw(view);
}

/** Play by the clock: a slow browser skips moments and does not fall behind. */
function start(view) {
  stop(view);
  const pace = view.slow.checked ? SLOW : view.data.frames;
  const [from, began] = [view.moment, performance.now()];
  const last = view.data.steps.length - 1;
  const tick = (now) => {
    const past = Math.max(0, now - began); // the time of a frame may be before the start
    const moment = Math.min(last, from + Math.floor((past * pace) / 1000));
    if (moment === last) stop(view);
    else view.timer = requestAnimationFrame(tick);
    if (moment !== view.moment || moment === last) go(view, moment);
  };
  view.timer = requestAnimationFrame(tick);
}

function stop(view) {
  if (view.timer) cancelAnimationFrame(view.timer);
  view.timer = null;
}

function go(view, moment) {
  view.moment = moment;
  view.frames = (view.frames ?? 0) + 1;
  draw(view);
}

function seek(view, event) {
  if (!view.data) return;
  stop(view);
  go(view, momentAt(view.curve, view.data, event));
}

function choose(view, kind, event) {
  const place = headAt(view.boards[KINDS.indexOf(kind)], view.arrays[kind].shape, event);
  if (!place) return;
  pick(view, { kind, ...place });
  draw(view);
}

/** The place [row, column] that an arrow key leads to from another; null for other keys. */
function stepped(event, from, [rows, columns]) {
  const by = STEPS[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey) return null;
  event.preventDefault();
  event.stopPropagation();
  const [row, column] = from ?? [-by[0], -by[1]];
  const inside = (value, count) => Math.max(0, Math.min(count - 1, value));
  return [inside(row + by[0], rows), inside(column + by[1], columns)];
}

/** Choose, by an arrow key, the head beside the chosen head on a board, or the first head. */
function stepHead(view, kind, event) {
  if (!view.data) return;
  const { chosen } = view;
  const from = chosen.kind === kind ? [chosen.layer, chosen.head] : null;
  const place = stepped(event, from, view.arrays[kind].shape.slice(1, 3));
  if (!place) return;
  pick(view, { kind, layer: place[0], head: place[1] });
  draw(view);
}

/** Read, by an arrow key, the weight in the next cell. */
function stepCell(view, event) {
  if (!view.data) return;
  const { queries, keys } = weightsOf(view, view.chosen);
  const place = stepped(event, view.cell && [view.cell.row, view.cell.column], [queries, keys]);
  if (!place) return;
  view.cell = { row: place[0], column: place[1] };
  draw(view);
}

/** The weights (query, key) of one head at this moment. */
function weightsOf(view, { kind, layer, head }) {
  const { shape, values } = view.arrays[kind];
  const [, layers, heads, queries, keys] = shape;
  const size = queries * keys;
  const at = ((view.moment * layers + layer) * heads + head) * size;
  return { queries, keys, values: values.subarray(at, at + size) };
}

function tokensOf({ data }, kind) {
  const queries = kind === "encoder" ? data.sourceTokens : data.targetTokens;
  const keys = kind === "decoder" ? data.targetTokens : data.sourceTokens;
  return { queries, keys };
}

function draw(view) {
  if (!view.data) return;
  const { data, moment, chosen, root } = view;
  const colours = currentColours(root, data.palette, view.colours);
  if (view.colours !== colours) view.scale.style.background = gradient(colours.sequential);
  view.colours = colours;
  setVariables(root, { query: colours.query, key: colours.key, right: colours.mean, muted: colours.muted, border: colours.border });
  const { words } = data;
  const last = data.steps.at(-1).toLocaleString("en");
  setText(view.play, view.timer ? `❚❚ ${words.pause}` : `▶ ${words.play}`);
  setText(view.step, fillIn(words.step, { step: data.steps[moment].toLocaleString("en"), last }));
  setText(view.loss, fillIn(words.loss, { loss: data.losses[moment].toFixed(2) }));
  view.range.setAttribute("aria-valuetext", `${view.step.textContent}, ${view.loss.textContent}`);
  drawCuts(view);
  setText(view.translation, data.translations[moment] || words.nothing);
  setText(view.reference, fillIn(words.reference, { text: data.target }));
  view.range.value = String(moment);
  const tile = tileFor(view.boards[0].node.parentElement, view.boards.map(({ kind }) => view.arrays[kind].shape[2]));
  for (const board of view.boards) {
    drawBoard(board, view.arrays[board.kind], moment, colours.table, tile);
    outline(board, view.arrays[board.kind].shape, chosen.kind === board.kind ? chosen : null);
  }
  const place = `${chosen.layer + 1}.${chosen.head + 1}`;
  setText(view.headName, `${data.kinds[chosen.kind]} ${place}`);
  drawLarge(view, colours);
  drawCurve(view.curve, data, moment, colours); // drawn last, as it gets the room that the head leaves
  Object.assign(root.dataset, {
    moment: String(moment), frames: String(view.frames ?? 0), playing: String(Boolean(view.timer)),
    head: `${chosen.kind} ${place}`, ready: "true",
  });
  if (!view.timer && view.linked !== placeOf(view)) linkSoon(view);
}

/** Write the moment and a picked head into the address after a pause; the last moment is left out. */
function linkSoon(view) {
  view.linked = placeOf(view);
  clearTimeout(view.linking);
  view.linking = setTimeout(() => {
    const { data: { steps, link }, moment, chosen, picked } = view;
    const step = moment === steps.length - 1 ? "" : steps[moment];
    const head = picked ? { kind: chosen.kind, layer: chosen.layer + 1, head: chosen.head + 1 } : {};
    if (view.root.isConnected) replaceAddress(linkOf(link, { step, ...head }));
  }, PAUSE);
}

/** Write how often the pronoun is right at this moment, with and without the link, if measured. */
function drawCuts(view) {
  const { data, moment } = view;
  const shares = [data.right[moment], data.cut[moment]];
  view.dip.style.visibility = data.dip.includes(moment) ? "" : "hidden"; // the empty line keeps its room
  for (const line of [view.right, view.cut]) line.hidden = shares.includes(null);
  if (view.cut.hidden) return;
  const [right, cut] = shares.map((share) => `${Math.round(100 * share)}%`);
  setText(view.right, fillIn(data.words.right, { share: right }));
  const decided = moment === data.cut.length - 1 ? data.decided : null;
  setText(view.cut, decided ? decidedText(data.words.cutDecided, decided) : fillIn(data.words.cut, { share: cut }));
}

/** Say how many choices were right, wrong, and neither. */
function decidedText(text, [right, wrong]) {
  const shares = { right, wrong, undecided: 1 - right - wrong };
  const said = Object.entries(shares).map(([name, share]) => [name, `${Math.round(100 * share)}%`]);
  return fillIn(text, Object.fromEntries(said));
}

/** Draw the chosen head, and write the weight of the cell under the pointer. */
function drawLarge(view, colours) {
  const weights = weightsOf(view, view.chosen);
  const tokens = tokensOf(view, view.chosen.kind);
  const { cell } = view;
  const read = cell && cell.row < weights.queries && cell.column < weights.keys ? cell : null;
  drawHead(view.head, weights, tokens, view.data.words, colours, read, cellsOfLink(view));
  view.reading.setAttribute("aria-live", view.timer ? "off" : "polite"); // not ten times a second
  view.reading.title = read ? "" : passed(view);
  view.reading.classList.toggle("passed", !read);
  if (!read) return setText(view.reading, view.reading.title);
  const value = (weights.values[read.row * weights.keys + read.column] / 255).toFixed(2);
  const text = `${tokens.queries[read.row]} → ${tokens.keys[read.column]}: ${value}`;
  setText(view.reading, text.replaceAll("\u2581", "·"));
}

/** The last marks up to this moment, which can share a step, and that step. */
function passed({ data, moment }) {
  const last = data.marks.findLast((one) => one.moment <= moment);
  if (!last) return "";
  const text = data.marks.filter((one) => one.moment === last.moment).map((one) => one.text).join("; ");
  return fillIn(data.words.appeared, { step: data.steps[last.moment].toLocaleString("en"), text });
}

/** The row and the first and last column of the flags' link, in heads of its kind. */
function cellsOfLink({ data, chosen }) {
  return data.marks.find((mark) => mark.cell && mark.head[0] === chosen.kind)?.cell ?? null;
}

function point(view, event) {
  if (!view.data) return;
  const cell = cellAt(view.head, event, weightsOf(view, view.chosen));
  if (cell?.row === view.cell?.row && cell?.column === view.cell?.column) return;
  view.cell = cell;
  draw(view);
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
  return atEnd(parentElement, () => stop(view));
}
