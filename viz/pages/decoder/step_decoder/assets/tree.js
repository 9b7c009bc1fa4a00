import { fillIn, make, makeSvg, setText } from "../../../../components/javascript/dom.js";
import { tokenText } from "../../../../components/javascript/tokens.js";
import { nats, sideBySide } from "./scene.js";
import { ask, goOnFromNode } from "./view.js";

const COLUMN = 104;
const ROW = 44;
const HIGH = 36;
const PRUNED_SHOWN = 4;

/** The hypotheses of the beam as a tree that grows with the steps. */
export function makeTree(app) {
  const { words } = app;
  const hint = make("span", { class: "small" }, words["tree hint"]);
  const value = make("p", { class: "small tree-value" });
  const fates = ["kept", "pruned", "finished", "best"].map((fate) =>
    make("span", { class: "fate" }, make("i", { class: fate }), words[fate]),
  );
  const legend = make("div", { class: "row" }, ...fates, hint);
  const picture = makeSvg("svg", { class: "tree" });
  const scroll = make("div", { class: "scroll", tabindex: "0" }, picture);
  const choose = make(
    "p", {}, `${words["tree none"]} `,
    make("button", { type: "button", class: "plain", click: () => ask(app, { strategy: "beam" }) }, words["tree choose"]),
  );
  const forced = make("p", { class: "small" });
  const node = make("div", {}, choose, legend, forced, value, scroll);
  const update = () => {
    const { tree } = app.scene;
    const beam = app.view.strategy === "beam";
    choose.hidden = beam;
    legend.hidden = value.hidden = scroll.hidden = !beam || !tree;
    const branches = sideBySide(app.scene);
    const { kind, steps, kept, forced: own } = branches[app.view.branch] ?? branches[0];
    const count = kind === "given" ? steps.length : kept + own;
    forced.hidden = legend.hidden || count === 0;
    setText(forced, fillIn(words["tree forced"], { count }));
    if (beam && tree) drawTree(app, tree, picture, (text) => setText(value, text));
    const depth = picture.dataset.depth;
    if (beam && depth !== String(app.view.step)) {
      picture.dataset.depth = app.view.step;
      scroll.scrollLeft = Math.max(0, app.view.step * COLUMN - scroll.clientWidth + 2 * COLUMN);
    }
  };
  return { node, update };
}

/** Give each shown node its place: a column for each step, best on top, pruned nodes at the bottom. */
function placeNodes(tree, depth) {
  const columns = [];
  tree.nodes.forEach(([parent, id, token, at, logProb, score, fate], index) => {
    if (at > depth) return;
    columns[at] ??= [];
    columns[at].push({ index, parent, id, token, logProb, score, fate, depth: at });
  });
  const places = new Map();
  const more = [];
  columns.forEach((column, at) => {
    const order = (node) => (node.fate === "pruned" ? 1 : 0);
    column.sort((a, b) => order(a) - order(b) || b.score - a.score);
    const pruned = column.filter(({ fate }) => fate === "pruned");
    const shown = column.filter((node) => !pruned.slice(PRUNED_SHOWN).includes(node));
    shown.forEach((node, row) => places.set(node.index, { ...node, x: at * COLUMN + 8, y: row * ROW + 20 }));
    const count = column.length - shown.length;
    if (count > 0) more.push({ x: at * COLUMN + 8, y: shown.length * ROW + 16, count });
  });
  return { places, more, columns };
}

/** The numbers of all nodes on the way to a node, from the root. */
function pathTo(tree, index) {
  const path = [index];
  while (path[0] !== 0) path.unshift(tree.nodes[path[0]][0]);
  return path;
}

function drawTree(app, tree, picture, tell) {
  const { places, more } = placeNodes(tree, app.view.step);
  const depth = Math.max(...tree.nodes.map((node) => node[3]));
  const rows = Math.min(8, app.view.width) + PRUNED_SHOWN + 1;
  const [width, height] = [(depth + 1) * COLUMN, rows * ROW + 16];
  for (const [name, size] of Object.entries({ width, height })) picture.setAttribute(name, size);
  const winners = new Set(pathTo(tree, tree.winner));
  const links = [...places.values()].filter(({ depth: at }) => at > 0).map((node) => {
    const from = places.get(node.parent);
    const [x, middle] = [from.x + COLUMN - 26, node.x - 10];
    const d = `M${x},${from.y} C${middle},${from.y} ${x},${node.y} ${node.x},${node.y}`;
    return makeSvg("path", { d, class: winners.has(node.index) ? "best" : node.fate });
  });
  const nodes = [...places.values()].map((node) => treeNode(app, node, winners, tell));
  const notes = more.map(({ x, y, count }) =>
    makeSvg("text", { x, y, class: "note" }, fillIn(app.words["more pruned"], { count })),
  );
  picture.replaceChildren(...links, ...nodes, ...notes);
}

function treeNode(app, node, winners, tell) {
  const { words, view } = app;
  const { index, token, logProb, score, fate, depth } = node;
  const text = tokenText(token);
  const name = fillIn(words.node, { log_prob: nats(logProb), score: nats(score), fate: words[fate] });
  const look = () => depth > 0 && ask(app, { node: index, step: depth + (fate === "finished" ? 0 : 1) });
  const classes = ["node", fate, winners.has(index) ? "best" : "", view.node === index ? "now" : ""];
  const short = text.length > 9 ? `${text.slice(0, 8)}…` : text;
  return makeSvg(
    "g",
    {
      class: classes.join(" "), transform: `translate(${node.x},${node.y})`, tabindex: 0,
      role: "button", "aria-label": `${text}: ${name}`, "data-node": index, click: look,
      keydown: (event) => event.key === "Enter" && look(),
      mouseenter: () => tell(`${text}: ${name}`), focus: () => tell(`${text}: ${name}`),
      mouseleave: () => tell(""),
    },
    makeSvg("rect", { x: 0, y: -HIGH / 2, width: COLUMN - 26, height: HIGH, rx: 6 }),
    makeSvg("text", { x: (COLUMN - 26) / 2, y: -3 }, short),
    makeSvg("text", { x: (COLUMN - 26) / 2, y: 13, class: "score" }, nats(score)),
    makeSvg("title", {}, `${text}: ${name}`),
  );
}

/** The banner over a chosen hypothesis: its text, and buttons to go back and on. */
export function makeNodeBanner(app) {
  const { words } = app;
  const text = make("span", {});
  const button = (name, click) => make("button", { type: "button", class: "plain", click }, words[name]);
  const node = make(
    "div", { class: "card banner row" }, text,
    button("back", () => ask(app, { node: null })),
    button("go on", () => goOnFromNode(app)),
  );
  const update = () => {
    const { scene, view } = app;
    const chosen = view.node === null ? null : scene.tree?.nodes[view.node];
    node.hidden = !chosen;
    if (!chosen) return;
    const ids = pathTo(scene.tree, view.node).slice(1);
    const pieces = ids.map((index) => scene.tree.nodes[index][2].replace(/\u2581/g, " ")).join("");
    setText(text, fillIn(words.looking, { fate: words[chosen[6]], text: pieces.trim() }));
  };
  return { node, update };
}
