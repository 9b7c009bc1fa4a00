/* Two sentences as cards: arcs from a query to the words that a head looks at, and two bars. */

import "./pair_cards.css";
import { make, makeSvg, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { percent } from "../../../../components/javascript/numbers.js";
import { currentColours } from "../../../../components/javascript/palette.js";

const THIN = 2;
const THICK = 12; // pixels, for a weight of 1
const HIGHEST = { one: 70, wrapped: 34 }; // pixels of an arc within a line, of one or of several
const WAYS = { "source source": "above", "target source": "between", "target target": "below" };

function word([place, text, spaced, isNew], line, arcs) {
  const is = (end) => arcs.some((arc) => arc[end][0] === line && arc[end][1] === place);
  // Only one arc colours its key, so that the sentence does not fill with colour.
  const top = arcs.length && arcs[0].to[0] === line && arcs[0].to[1] === place;
  const names = ["word", isNew && "new", is("from") && "query", top && "key", /^<.*>$/.test(text) && "special"];
  const node = make("span", { class: names.filter(Boolean).join(" "), "data-place": `${line} ${place}` }, text);
  return spaced ? [" ", node] : [node];
}

function stage(data, card) {
  const line = (name) => make("p", { class: name, lang: data.languages[name] || null },
    ...card.lines[name].flatMap((one) => word(one, name, card.arcs)));
  const svg = makeSvg("svg", card.said ? { role: "img", "aria-label": card.said } : { "aria-hidden": "true" });
  const node = make("div", { class: "stage" }, line("source"), line("target"), svg);
  const way = card.arcs.length ? WAYS[`${card.arcs[0].from[0]} ${card.arcs[0].to[0]}`] : "none";
  node.classList.add(way);
  node.classList.toggle("low", way !== "above");
  return { node, draw: () => draw(node, svg, card.arcs, way) };
}

/** Draw the arcs at the words' current places. */
function draw(node, svg, arcs, way) {
  const source = node.querySelector(".source");
  node.classList.remove("wrapped");
  const lines = (p) => new Set([...p.children].map((one) => one.offsetTop)).size;
  node.classList.toggle("wrapped", lines(source) > 1);
  const highest = HIGHEST[node.classList.contains("wrapped") ? "wrapped" : "one"];
  const drawn = arcs.map((arc, number) => {
    const [from, to] = [arc.from, arc.to].map((end) => box(node, end));
    return from && to ? shape(arc, from, to, way, number, highest) : [];
  });
  svg.replaceChildren(...drawn.toReversed().flat()); // the largest lies on top
}

/** The place of a word, in the stage's own pixels, whatever the page is zoomed by. */
function box(node, [line, place]) {
  const found = node.querySelector(`[data-place="${line} ${place}"]`);
  if (!found) return null;
  const parent = found.offsetParent; // its line
  const left = parent.offsetLeft + found.offsetLeft;
  const top = parent.offsetTop + found.offsetTop;
  return { x: left + found.offsetWidth / 2, top, bottom: top + found.offsetHeight };
}

function shape(arc, from, to, way, number, highest) {
  const line = curve(from, to, way, highest);
  const width = THIN + (THICK - THIN) * arc.weight;
  const path = makeSvg("path", { class: "arc", d: line.d, "stroke-width": width, stroke: "var(--key)", opacity: number ? 0.45 : 1 });
  const knot = makeSvg("circle", { class: "knot", cx: line.end.x, cy: line.end.y, r: 3 + width / 2, opacity: number ? 0.45 : 1 });
  if (number) return [path, knot];
  const start = makeSvg("circle", { cx: line.start.x, cy: line.start.y, r: 3 + width / 2, fill: "var(--query)" });
  return [path, knot, start, makeSvg("text", { class: "weight", x: line.middle.x, y: line.middle.y }, arc.weight.toFixed(2))];
}

function curve(from, to, way, highest) {
  const sameLine = Math.abs(from.top - to.top) < 8;
  const [apart, gap] = [Math.abs(to.x - from.x), 6];
  if (sameLine) {
    const side = way === "below" ? 1 : -1;
    const high = Math.min(highest, 30 + 0.16 * apart);
    const y = side < 0 ? from.top - gap : from.bottom + gap;
    const [start, end] = apart < 1 ? [{ x: from.x - 10, y }, { x: to.x + 10, y }] : [{ x: from.x, y }, { x: to.x, y }];
    const bend = y + side * high * 1.33;
    const d = `M ${start.x} ${y} C ${start.x} ${bend} ${end.x} ${bend} ${end.x} ${y}`;
    return { d, start, end, middle: { x: (start.x + end.x) / 2, y: y + side * high + (side < 0 ? -9 : 23) } };
  }
  const down = to.top > from.top;
  const start = { x: from.x, y: down ? from.bottom + 2 : from.top - 2 };
  const end = { x: to.x, y: down ? to.top - 2 : to.bottom + 2 };
  const half = (start.y + end.y) / 2;
  const d = `M ${start.x} ${start.y} C ${start.x} ${half} ${end.x} ${half} ${end.x} ${end.y}`;
  return { d, start, end, middle: { x: (start.x + end.x) / 2 + 30, y: half + 6 } };
}

function odds(card) {
  const most = Math.max(...card.odds.map(([, share]) => share));
  const rows = card.odds.flatMap(([text, share]) => {
    const mark = share === most ? " likely" : "";
    const fill = make("i", { style: `width: ${100 * share}%` });
    return [
      make("span", { class: `piece${mark}`, title: text }, text),
      make("span", { class: "bar" }, fill),
      make("span", { class: `share${mark}` }, percent(share)),
    ];
  });
  return make("div", { class: "odds" }, make("span", { class: "after" }, card.after), ...rows);
}

function legend(data) {
  const { query, key, weight } = data.words;
  return make("div", { class: "legend" }, make("b", {}, `${data.head} · ${weight} 0–1`),
    make("span", { class: "query" }, query), make("span", { class: "key" }, key));
}

export function render({ data, parentElement }) {
  const held = kept(parentElement, () => ({ root: make("div", { class: "pair-cards" }), sizes: null }));
  const stages = data.cards.map((card) => stage(data, card));
  const cards = data.cards.map((card, at) => make("div", { class: "card" }, stages[at].node, card.odds.length ? odds(card) : ""));
  held.root.classList.toggle("off", data.off);
  held.root.replaceChildren(data.head ? legend(data) : "", ...cards);
  mount(parentElement, held.root);
  const { query, key } = currentColours(held.root, data.palette);
  setVariables(held.root, { query, key });
  const redraw = () => stages.forEach((one) => one.draw());
  held.sizes?.disconnect();
  held.sizes = new ResizeObserver(redraw); // the observer calls at once, and again when the fonts have loaded
  for (const { node } of stages) held.sizes.observe(node);
  return atEnd(parentElement, () => held.sizes.disconnect());
}
