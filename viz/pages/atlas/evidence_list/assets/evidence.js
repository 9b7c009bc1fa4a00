/* Sentences of the corpus, each with the strongest links of the queries that matter. */

import "./evidence.css";
import { readable } from "../../../../components/javascript/colours.js";
import { make, makeSvg, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { appLink } from "../../../../components/javascript/visit.js";

const GAP = 7; // pixels between tokens
const FONT = 16;
const HIGH = 46; // pixels for the arcs above a line, or between two

let ruler = null;

function widthOf(text, font) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `${FONT}px ${font}`;
  return ruler.measureText(text).width;
}

/** The middles of a line's tokens, and the line's width. */
function lineOf(tokens, font) {
  let at = 4;
  const middles = tokens.map((token) => {
    const width = widthOf(token, font);
    at += width + GAP;
    return at - GAP - width / 2;
  });
  return { middles, width: at };
}

function textOf(token, x, y, role) {
  return makeSvg("text", { x, y, "text-anchor": "middle", class: role ?? "plain" }, token);
}

function pathOf(apart, from, to, low, high) {
  if (apart) return `M ${from} ${high} C ${from} ${(low + high) / 2}, ${to} ${(low + high) / 2}, ${to} ${low}`;
  if (Math.abs(from - to) < 1) return `M ${from - 5} ${low} C ${from - 12} ${low - 22}, ${from + 12} ${low - 22}, ${from + 5} ${low}`;
  const top = low - Math.min(HIGH, 12 + Math.abs(from - to) / 5) * 1.25;
  return `M ${from} ${low} C ${from} ${top}, ${to} ${top}, ${to} ${low}`;
}

function picture(data, row, font) {
  const { apart, words } = data;
  const [queries, keys] = [lineOf(row.queries, font), lineOf(row.keys, font)];
  const wide = Math.max(queries.width, keys.width);
  const base = apart ? FONT + 4 : HIGH + FONT + 2;
  const tall = apart ? base + HIGH + FONT + 6 : base + 8;
  const rows = new Set(row.links.map(([query]) => query));
  const columns = new Set(row.links.map(([, key]) => key));
  const links = row.links.map(([query, key, weight, right], at) => {
    const d = pathOf(apart, queries.middles[query], keys.middles[key], apart ? base + HIGH - 2 : base - FONT, base + 6);
    const path = makeSvg("path", {
      d, class: right ? "link" : "link other", "stroke-width": 1 + 3.5 * weight, "stroke-opacity": 0.3 + 0.7 * weight,
    });
    path.append(makeSvg("title", {}, `${row.looking[at]} → ${row.keys[key]}: ${words.weight} ${weight.toFixed(2)}`));
    return path;
  });
  const first = row.queries.map((token, at) =>
    textOf(token, queries.middles[at], base, rows.has(at) ? "query" : !apart && columns.has(at) ? "key" : null));
  const second = apart
    ? row.keys.map((token, at) => textOf(token, keys.middles[at], base + HIGH + FONT, columns.has(at) ? "key" : null))
    : [];
  const said = row.links.map(([, key, weight], at) => `${row.looking[at]} → ${row.keys[key]} ${weight.toFixed(2)}`);
  return makeSvg("svg", {
    width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}`, role: "img", "aria-label": said.join("; "),
  }, ...links, ...first, ...second);
}

function rowOf(data, row, font) {
  const opens = row.opens.map(([name, href]) => appLink({ href: `./${href}` }, name));
  return make("li", {},
    make("span", { class: "value" }, row.value),
    make("span", { class: "scroll", tabindex: "0" }, picture(data, row, font)),
    make("span", { class: "opens" }, ...opens));
}

export function render({ data, parentElement }) {
  const root = kept(parentElement, () => make("div", { class: "evidence" }));
  const style = getComputedStyle(parentElement.host ?? document.documentElement);
  const read = (name, other) => style.getPropertyValue(name).trim() || other;
  const [background, text] = [read("--st-background-color", "#ffffff"), read("--st-text-color", "#262730")];
  const font = read("--st-font", "sans-serif");
  setVariables(root, {
    query: readable(data.colours.query, background, text), key: readable(data.colours.key, background, text),
  });
  const { words } = data;
  const legend = make("div", { class: "said" },
    make("span", { class: "query" }, words.query), make("span", { class: "key" }, words.key), words.other);
  root.replaceChildren(legend, make("ul", {}, ...data.rows.map((row) => rowOf(data, row, font))));
  root.dataset.rows = String(data.rows.length);
  mount(parentElement, root);
  return atEnd(parentElement);
}
