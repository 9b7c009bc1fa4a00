import { sized } from "../../javascript/canvas.js";
import { mixed } from "../../javascript/colours.js";
import { make } from "../../javascript/dom.js";
import { isCalm } from "../../javascript/motion.js";
import { headColour } from "../../javascript/palette.js";
import { isOff } from "./aids.js";
import { saidPlace } from "./said.js";
import { placeOf } from "./state.js";
import { tokenList } from "./token_list.js";
import { eachCell, lockedUnits } from "./transform.js";
import { turnHandle } from "./turn.js";

const MOVE = 320; // milliseconds
const AHEAD = 40; // milliseconds, so that the very first frame shows a change
const MOST = 600; // more lines would not move smoothly
const QUIET = 0.38; // the opacity, 0 to 1, of lines that the sentence above is not about
const DASHES = [7, 6]; // the opacity for a head that is switched off: it looks, but its output is not used

/** Move lines smoothly to those of another layer or head, unless the reader wants no motion. */
function moving(app) {
  let before = null;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    app.root.dataset.moving = "";
  };
  const go = (links, stroke) => {
    const { layer, heads } = placeOf(app.state);
    const now = { links, sides: app.sides, place: `${layer} ${heads}`, count: app.series.length };
    const from = before;
    before = now;
    if (!from || from.sides !== now.sides || from.place === now.place || from.count !== now.count) return;
    if (isCalm() || Math.max(from.links.length, links.length) > MOST) return;
    const pairs = paired(from.links, links);
    const began = performance.now() - AHEAD;
    app.root.dataset.moving = "yes";
    const step = () => {
      const share = Math.min(1, (performance.now() - began) / MOVE);
      if (share === 1) {
        stroke(links);
        return stop();
      }
      stroke(onTheWay(app.colours, pairs, share));
      frame = requestAnimationFrame(step);
    };
    step();
  };
  return { go, stop };
}

/** Pair each line with the line that it becomes; a new or vanishing line is paired with weight 0. */
function paired(from, to) {
  const name = ({ row, column, place }) => `${row} ${column} ${place}`;
  const pairs = new Map(from.map((link) => [name(link), [link, { ...link, weight: 0 }]]));
  for (const link of to) {
    const pair = pairs.get(name(link));
    if (pair) pair[1] = link;
    else pairs.set(name(link), [{ ...link, weight: 0 }, link]);
  }
  return [...pairs.values()];
}

function onTheWay(colours, pairs, share) {
  const inks = new Map(); // mixed once for each pair of heads, not for each line
  const ink = (one, other) => {
    const key = `${one.head} ${other.head}`;
    if (!inks.has(key)) {
      inks.set(key, mixed(headColour(colours, one.head), headColour(colours, other.head), share));
    }
    return inks.get(key);
  };
  return pairs.map(([one, other]) => ({
    ...other, weight: one.weight + (other.weight - one.weight) * share, colour: ink(one, other),
  }));
}

const MOST_LINES = 1000; // more lines are neither legible nor quick; the legend names the faintest line
export const FAINTEST = 0.02;

/** Two columns of tokens, and a line per head and pair, more opaque for a larger weight. */
export function linesView(app) {
  const all = make("canvas", { "aria-hidden": "true" });
  const single = make("canvas", { "aria-hidden": "true" }); // the lines of singled-out tokens
  const lists = { q: tokenList(app, "q"), k: tokenList(app, "k") };
  const names = {
    q: make("span", { class: "query-name" }, app.say("query axis")),
    k: make("span", { class: "key-name" }, app.say("key axis")),
  };
  const heads = make("div", { class: "columns" }, names.q, names.k);
  const grip = turnHandle(app, lists.k);
  const field = make("div", { class: "field" }, all, single, lists.q.node, lists.k.node, ...grip.nodes);
  const node = make("div", { class: "lines view" }, heads, field);
  const motion = moving(app);
  let layout = null;

  const measure = () => {
    const width = Math.max(280, app.width);
    layout = linesLayout(app, width);
    field.style.height = `${layout.height}px`;
    field.style.setProperty("--row", `${layout.row}px`);
    field.style.setProperty("--token", `${layout.font}px`);
    field.style.setProperty("--figures", `${layout.figures}px`);
    lists.q.node.style.width = `${layout.left}px`;
    lists.k.node.style.width = `${layout.right}px`;
    names.q.style.minWidth = `${layout.left - 9}px`;
    names.k.style.minWidth = `${layout.right - 9}px`;
  };

  const hover = () => {
    const active = activeUnits(app);
    const some = active.rows.size + active.columns.size > 0;
    all.style.visibility = some ? "hidden" : "";
    single.style.visibility = some ? "" : "hidden";
    motion.stop();
    if (some) strokeLinks(sized(single, layout.width, layout.height), app, layout, linksOf(app, active));
    const said = saidPlace(app);
    lists.q.show(layout, active, said?.row, "");
    lists.k.show(layout, active, said?.column, said?.weight.toFixed(2));
    grip.show(layout);
  };

  const draw = () => {
    measure();
    const links = linksOf(app, null);
    strokeLinks(sized(all, layout.width, layout.height), app, layout, links, saidPlace(app));
    hover();
    const active = activeUnits(app);
    const some = active.rows.size + active.columns.size > 0;
    const canvas = some ? single : all;
    motion.go(some ? linksOf(app, active) : links, (between) =>
      strokeLinks(sized(canvas, layout.width, layout.height), app, layout, between, some ? null : saidPlace(app)));
  };
  return { node, draw, hover };
}

const FIGURES = [52, 38]; // pixels for the weights beside a column: usually, and on narrow screens
const NARROW = 480;
const SMALL = 14; // pixels of letters on a narrow screen where a word has no room
const ROUND = 24; // pixels around a word
export const SLACK = 1.12; // a saved picture may be shown in a wider font than it was measured in

export function linesLayout(app, width) {
  const { queries, keys } = app.sides;
  const { source, target } = app.payload.header;
  const longest = app.paper || app.folded // on stage the words on screen have all the room
    ? Math.max(app.rows, app.columns) : Math.max(source.tokens.length, target.tokens.length);
  const row = Math.max(18, Math.min(38, Math.floor((app.height - 44) / longest)));
  const narrow = width < NARROW && !app.paper;
  const figures = FIGURES[narrow ? 1 : 0];
  const most = width * (narrow ? 0.32 : 0.3);
  const context = document.createElement("canvas").getContext("2d");
  const widest = (units, font) => {
    context.font = `700 ${font}px ${app.colours.font}`; // the token that is named is in bold
    return Math.max(...units.map((unit) => context.measureText(narrow && unit.writes ? unit.label : unit.name).width), 40);
  };
  const usual = row >= 32 && !narrow ? 18 : 16;
  const font = narrow && widest([...queries, ...keys], usual) + ROUND > most ? SMALL : usual;
  const column = (units) =>
    app.paper ? widest(units, font) * SLACK + ROUND : Math.min(widest(units, font) + ROUND, most) + figures;
  const height = row * longest + 8;
  return { width, row, font, figures, height, left: column(queries), right: column(keys) };
}

/** The rows and columns to single out: the locked tokens and the token under the pointer. */
export function activeUnits(app) {
  const active = lockedUnits(app.state, app.sides);
  const over = app.hovered;
  if (over && over.side === "q") active.rows.add(over.index);
  if (over && over.side === "k") active.columns.add(over.index);
  return active;
}

/** The links of the singled-out cells, or of all cells, weakest first; at most the MOST_LINES strongest. */
export function linksOf(app, singled) {
  const { rows, columns } = app;
  const links = [];
  const counts = new Uint32Array(256);
  const levelOf = (weight) => Math.min(255, Math.floor(weight * 255));
  app.series.forEach(({ head, weights }, place) =>
    eachCell(rows, columns, singled, (row, column) => {
      const weight = weights[row * columns + column];
      if (weight < FAINTEST) return;
      links.push({ head, place, row, column, weight });
      counts[levelOf(weight)]++;
    }),
  );
  let least = 0;
  if (links.length > MOST_LINES) {
    least = 255; // the strongest level is always drawn whole: links of one weight belong together
    for (let kept = counts[least]; !kept || kept + counts[least - 1] <= MOST_LINES; kept += counts[least]) least--;
  }
  app.faintest = Math.max(FAINTEST, least / 255);
  return links.filter((link) => levelOf(link.weight) >= least).sort((a, b) => a.weight - b.weight);
}

/** The ends of a line; the lines of several heads run side by side. */
export function linkEnds(layout, link, count) {
  const spread = Math.min(layout.row * 0.5, count * 2.5);
  const shift = count > 1 ? (link.place / (count - 1) - 0.5) * spread : 0;
  return {
    x0: layout.left + 2,
    y0: (link.row + 0.5) * layout.row + shift,
    x1: layout.width - layout.right - 2,
    y1: (link.column + 0.5) * layout.row + shift,
  };
}

/** The width of a line. Faint lines are thin: they are calmer to look at, and drawn four times as fast. */
export function lineWidth(link, count) {
  if (link.weight < 0.25) return 1;
  return count === 1 ? 1 + 6 * link.weight : 2;
}

/** Draw each line as a stroke of its own, strongest in the row that is `said`: one path of many crossing curves takes three times as long. */
function strokeLinks(context, app, layout, links, said) {
  const count = app.series.length;
  for (const link of links) {
    context.lineWidth = lineWidth(link, count);
    const { x0, y0, x1, y1 } = linkEnds(layout, link, count);
    const bend = (x1 - x0) * 0.42;
    const quiet = said && app.series.length === 1 && link.row !== said.row;
    context.globalAlpha = Math.min(1, link.weight) * (quiet ? QUIET : 1);
    context.strokeStyle = link.colour ?? headColour(app.colours, link.head);
    context.setLineDash(isOff(app, placeOf(app.state).layer, link.head) ? DASHES : []);
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
    context.stroke();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}
