/* Maps of carried vectors: the server turns a press on a cell into a change of the model. */

import "./trace_map.css";
import { linksOfHead } from "../../../../components/head_links/assets/links_of_head.js";
import { colourAt, gradient, inkOn, rgb } from "../../../../components/javascript/colours.js";
import { make, makeSvg, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { number, percent } from "../../../../components/javascript/numbers.js";

const SMALLEST = 0.05;
const FOLDED = 2; // at least this many quiet rows are folded into one
const ROOM = 20; // pixels between two cells for the words beside an arrow

function hex(channels) {
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function short(value, columns) {
  if (Math.abs(value) < SMALLEST || columns > 18) return "";
  return columns > 8 ? number(value, 1).replace(/^(−?)0\./, "$1.") : number(value, 2);
}

function cell(data, map, row, column, send, read, meet) {
  const value = map.values[row][column];
  const grey = value === null;
  const on = map.on.some(([r, c]) => r === row && c === column);
  const reading = grey ? map.lacking[row] || data.grey : number(value, 2);
  const label = [map.rows[row], map.columns[column][1], reading, on && data.inForce].filter(Boolean).join(" · ");
  const fixed = grey || !data.pressable;
  const button = make("button", {
    type: "button", class: grey && "grey", "aria-label": label, title: label, "aria-pressed": String(on),
    "aria-disabled": String(fixed), "data-cell": `${map.name} ${row} ${column}`,
    click: fixed ? () => read(label) : () => send({ name: map.name, row, column }),
    mouseenter: () => read(label), focus: () => { read(label); meet(map.name, row, column); },
  }, grey ? "" : short(value, map.columns.length));
  if (!grey) {
    const colour = colourAt(data.scale, 0.5 + Math.max(-1, Math.min(1, value)) / 2);
    setVariables(button, { cell: rgb(colour), ink: inkOn(hex(colour)) });
  }
  return make("td", {}, button);
}

/** True if no cell of a row moves the answer away from `rest`, and none is in force. */
function isQuiet(map, row, rest) {
  const moves = map.values[row].some((value) => value === null || Math.abs(value - rest) >= SMALLEST);
  return !moves && !map.on.some(([r]) => r === row);
}

/** Return runs of quiet rows and of others, each as [first, last, quiet]. */
function runs(map, rest) {
  const found = [];
  map.rows.forEach((_, row) => {
    const quiet = isQuiet(map, row, rest);
    const last = found.at(-1);
    if (last && last[2] === quiet) last[1] = row;
    else found.push([row, row, quiet]);
  });
  return found;
}

/** Fold a run of quiet rows into one, which a press unfolds. */
function fold(data, map, [first, last], unfold) {
  const words = `▸ ${data.quiet.replace("{count}", last - first + 1)}`;
  const button = make("button", { type: "button", class: "fold", click: unfold }, words);
  const name = `${map.rows[first]} … ${map.rows[last]}`;
  return make("tr", {}, make("th", { scope: "row", title: name }, name), make("td", { colspan: map.columns.length }, button));
}

function table(data, map, send, read, meet, changed) {
  const names = map.columns.map(([short_, long]) => make("th", { scope: "col", title: long }, short_));
  const rowOf = (row) => {
    const cells = map.columns.map((_, column) => cell(data, map, row, column, send, read, meet));
    return make("tr", {}, make("th", { scope: "row", title: map.lacking[row] || map.rows[row] }, map.rows[row]), ...cells);
  };
  const rows = runs(map, data.rest).flatMap((run) => {
    const lines = () => map.rows.slice(run[0], run[1] + 1).map((_, place) => rowOf(run[0] + place));
    if (!run[2] || run[1] - run[0] + 1 < FOLDED) return lines();
    const folded = fold(data, map, run, () => {
      folded.replaceWith(...lines());
      changed();
    });
    return [folded];
  });
  const whole = make("table", { class: "map" }, make("caption", {}, map.title), make("tr", {}, make("th", { class: "corner" }, map.corner), ...names), ...rows);
  whole.classList.toggle("large", rows.length <= 6);
  setVariables(whole, { height: rows.length > 24 ? "15px" : rows.length > 10 ? "19px" : rows.length > 6 ? "28px" : "60px" });
  return whole;
}

function answer(data, { title, likely }) {
  const colours = [data.scale[0][1], data.scale[2][1]];
  const lines = likely.flatMap((share, place) => {
    const fill = make("span");
    const bar = make("div", { class: "bar" }, fill);
    setVariables(fill, { share: `${100 * share}%`, bar: colours[place] });
    return [make("span", {}, data.rivals[place]), bar, make("span", { class: "figure" }, percent(share))];
  });
  return make("div", { class: "answer" }, make("h3", {}, title), ...lines);
}

function foot(data, reading) {
  const half = [[0, data.scale[1][1]], [1, data.scale[2][1]]];
  const bar = make("span", { class: "scale", style: `background: ${gradient(half)}` });
  const [none, all] = data.ends;
  const grey = data.maps.some((map) => map.lacking.some(Boolean));
  const note = grey ? make("span", {}, `▒ ${data.grey}`) : null;
  return make("div", { class: "foot" }, make("span", {}, `${data.measure} 0 ${none}`), bar, make("span", {}, `1 ${all}`), note, reading);
}

/** The links of the last pressed head, and a function that names the head. */
function linksBelow(data) {
  if (!data.heads) return { node: "", meet: () => {} };
  const { offers, texts, names, links, first } = JSON.parse(data.heads);
  const [name, below] = [make("b", {}), linksOfHead(texts)];
  const meet = (kind, layer, head) => {
    const [query, key] = links[kind];
    name.textContent = names[kind][layer][head];
    below.show({ kind, layer, head }, offers, { query, key });
  };
  meet(...first);
  return { node: make("div", { class: "chosen-head" }, name, below.node), meet };
}

/** Draw the arrows, each from cell to cell, over the maps' current places. */
function drawArrows(svg, maps, arrows) {
  const at = (place) => {
    const button = maps.querySelector(`[data-cell="${place.join(" ")}"]`);
    if (!button) return null;
    const [own, all] = [button.getBoundingClientRect(), maps.getBoundingClientRect()];
    const zoom = all.width / maps.offsetWidth || 1; // the page may be zoomed
    const [x, y] = [(own.x - all.x) / zoom, (own.y - all.y) / zoom];
    const name = document.createRange();
    name.selectNodeContents(button.closest("tr").querySelector("th"));
    const named = Math.min(button.closest("table").getBoundingClientRect().x + 16 * zoom, name.getBoundingClientRect().x - 4);
    const row = (named - all.x) / zoom; // before the name of the row
    return { left: x, top: y, right: x + own.width / zoom, bottom: y + own.height / zoom, row };
  };
  svg.replaceChildren(...arrows.flatMap(({ from, to, words }) => {
    const [start, end] = [at(from), at(to)];
    return start && end ? arrow(start, end, words) : [];
  }));
}

function arrow(start, end, words) {
  const x = start.right - 14;
  const half = (box) => (box.top + box.bottom) / 2;
  if (start.right < end.left - 20) { // into the row of the next map
    const [from, goal] = [start.right + 5, end.row - 8];
    if (goal - from < 12) return [];
    return [line(`M ${from} ${half(start)} C ${goal - 20} ${half(start)} ${from} ${half(end)} ${goal} ${half(end)}`)];
  }
  if (end.left < start.right - 20) return []; // the maps stand one below the other
  const up = start.top > end.top;
  const [y, high] = up ? [start.top, end.bottom + 10] : [start.bottom, end.top - 10];
  const [goal, middle] = [end.left + 22, (y + high) / 2];
  const shape = line(`M ${x} ${y} C ${x} ${middle} ${goal} ${middle} ${goal} ${high}`);
  return Math.abs(y - high) > ROOM ? [shape, makeSvg("text", { x: goal + 18, y: middle + 6 }, words)] : [shape];
}

function line(d) {
  return makeSvg("path", { d, "marker-end": "url(#trace-tip)" });
}

function arrowsOver(data, maps) {
  const tip = makeSvg("marker", { id: "trace-tip", viewBox: "0 0 10 10", refX: 4, refY: 5, markerWidth: 3, markerHeight: 3, orient: "auto" },
    makeSvg("path", { d: "M 0 0 L 10 5 L 0 10 z" }));
  const drawn = makeSvg("g", {});
  const svg = makeSvg("svg", { class: "arrows", "aria-hidden": "true" }, makeSvg("defs", {}, tip), drawn);
  maps.append(svg);
  return () => drawArrows(drawn, maps, data.arrows);
}

export function render({ data, parentElement, setTriggerValue }) {
  const held = kept(parentElement, () => ({ root: make("div", { class: "trace" }), sizes: null }));
  const { root } = held;
  const before = [...root.querySelectorAll(".map button")].indexOf(root.getRootNode().activeElement);
  const reading = make("span", { class: "reading", "aria-live": "polite" });
  const send = (press) => setTriggerValue("press", press);
  const read = (text) => (reading.textContent = text);
  const below = linksBelow(data);
  const answers = make("div", { class: "answers" }, ...data.answers.map((one) => answer(data, one)));
  let draw = () => {};
  const tables = data.maps.map((map) => table(data, map, send, read, below.meet, () => draw()));
  const two = tables.length === 2 && data.answers.length > 0; // the answers stand below the shorter map
  const last = two ? [tables[0], make("div", { class: "second" }, tables[1], answers)] : tables;
  const maps = make("div", { class: "maps" }, ...last);
  draw = arrowsOver(data, maps);
  root.replaceChildren(two ? "" : answers, maps, data.maps.length ? foot(data, reading) : "", below.node);
  mount(parentElement, root);
  held.sizes?.disconnect();
  held.sizes = new ResizeObserver(draw); // the observer calls at once
  held.sizes.observe(maps);
  if (before >= 0) root.querySelectorAll(".map button")[before]?.focus();
  return atEnd(parentElement, () => held.sizes.disconnect());
}
