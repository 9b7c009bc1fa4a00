import { fillIn, make, makeSvg, setText } from "../../../../components/javascript/dom.js";
import { offerToken } from "../../../../components/javascript/focus.js";
import { folded } from "../../../../components/javascript/fold.js";
import { headBoard } from "../../../../components/javascript/head_board.js";
import { linksOfHead } from "../../../../components/head_links/assets/links_of_head.js";
import { finePercent } from "../../../../components/javascript/numbers.js";
import { paintTile } from "../../../../components/javascript/tile.js";
import { named, tokenText } from "../../../../components/javascript/tokens.js";
import { chip, placeName, shade } from "./parts.js";
import { attentionRow, range, shownBranch } from "./scene.js";
import { show } from "./view.js";

/** The source above, the translation below, and lines from the newest position to both. */
export function makePicture(app) {
  const board = makeBoard(app);
  const legend = make("span", { class: "legend" }, app.words.legend, " 0", make("i", {}), "1");
  const source = make("div", { class: "tokens source" });
  const target = make("div", { class: "tokens target" });
  const lines = makeSvg("svg", { class: "lines", "aria-hidden": "true" });
  const found = make("p", { class: "found", "aria-live": "polite" });
  const stage = make("div", { class: "stage" }, sourceTitle(app, legend), source, target, targetTitle(app), lines);
  const node = make("section", { class: "card picture" }, found, board.node, stage);
  const drawLines = () => connect(app, stage, lines);
  source.addEventListener("click", (event) => offer(app, event, "source", "key"));
  target.addEventListener("click", (event) => offer(app, event, "target", "position"));
  new ResizeObserver(drawLines).observe(stage);
  const update = () => {
    board.update();
    legend.querySelector("i").style.background = legendGradient(app.colours);
    source.replaceChildren(...sourceColumns(app));
    target.replaceChildren(...targetColumns(app));
    found.replaceChildren(...finding(app));
    found.setAttribute("aria-live", app.playing ? "off" : "polite"); // not at each step while it plays
    setText(stage.querySelector(".self-place"), placeName(app, "self"));
    setText(stage.querySelector(".mask-name"), fillIn(app.words.mask, { step: app.view.step }));
    setText(stage.querySelector(".newest-name"), ` ${fillIn(app.words.newest, { piece: queryName(app) })}`);
    drawLines();
    document.fonts.ready.then(drawLines); // a late font moves the pieces without resizing the stage
  };
  return { node, update };
}

/**
 * The choice of the head whose weights are drawn, or of a mean; hidden if there is only one head.
 * A line has the heads of the chosen layer, and a panel below it has all of them.
 */
function makeBoard(app) {
  const { words, scene } = app;
  const [layers, heads] = scene.sizes.cross;
  const name = make("output", { class: "place" });
  const read = (text) => setText(name, text ?? placeName(app));
  const tiles = new Map();
  const boardOf = (rows, first, means) =>
    headBoard({
      layers: rows, heads, read, means, colour: scene.colours.kinds.cross,
      cellOf: (row, head) => {
        const place = { layer: first + row + 1, head: head + 1 };
        const said = fillIn(words["place cross"], place);
        const picture = make("canvas", { class: "tile", "aria-hidden": "true" });
        tiles.set(picture, { layer: first + row, head });
        return { name: said, said, label: fillIn(words["place label"], place), picture };
      },
      pick: (row, head) => show(app, { attention_layer: row === null ? null : first + row, attention_head: head }),
    });
  const means = { all: words["place mean"], layer: words["place layer"], head: words["place head"] };
  const all = boardOf(layers, 0, means);
  const lines = range(layers).map((layer) => boardOf(1, layer));
  for (const [layer, { node }] of lines.entries()) {
    node.classList.add("line");
    node.setAttribute("role", "group");
    node.setAttribute("aria-label", fillIn(words.line, { layer: layer + 1 }));
  }
  const said = make("div", { class: "said" }, make("span", {}, words.head), name);
  const links = linksOfHead(scene.headLinks);
  const choice = [...lines.map((one) => one.node), folded(words.open, all.node, { open: false })];
  const node = make("div", { class: "row heads", role: "group", "aria-label": words.head }, said, ...choice, links.node);
  node.hidden = layers * heads < 2;
  const update = () => {
    const { attention_layer: layer, attention_head: head } = app.view;
    all.show({ layer, head });
    for (const [number, one] of lines.entries()) {
      one.node.hidden = number !== (layer ?? 0);
      one.show(layer === number && head !== null ? { layer: 0, head } : null);
    }
    read(null);
    paintTiles(app, tiles);
    links.node.hidden = layer === null || head === null || !app.scene.headOffers; // a mean has no link: it is not a head
    if (!links.node.hidden) links.show({ kind: "cross", layer, head }, app.scene.headOffers);
  };
  return { node, update };
}

/** Paint what all heads looked at while they wrote the translation on screen, a row for each step. */
function paintTiles({ scene, view, colours }, tiles) {
  const branch = shownBranch(scene, view);
  const [rows, columns, [, heads]] = [branch.steps.length, scene.source.length, scene.sizes.cross];
  if (tiles.branch === branch && tiles.colours === colours) return;
  Object.assign(tiles, { branch, colours });
  for (const [canvas, { layer, head }] of tiles) {
    const start = (layer * heads + head) * rows * columns;
    const levels = branch.cross.subarray(start, start + rows * columns).map((level) => Math.sqrt(255 * level));
    paintTile(canvas, levels, rows, columns, colours.table);
  }
}

/** Open the menu of the clicked piece. */
function offer(app, event, side, name) {
  const column = event.target.closest(`[data-${name}]`);
  if (!column) return;
  const place = Number(column.dataset[name]);
  const source = side === "source";
  const token = source ? app.scene.source[place] : inputToken(app, shownBranch(app.scene, app.view), place);
  offerToken(column, side, place, tokenText(token), false, { onlyHere: !source && !isOwn(app) });
}

/** True if the translation on screen is the one that other pages show. */
function isOwn({ view }) {
  return view.strategy === "greedy" && view.branch === 0 && view.node === null;
}

function legendGradient(colours) {
  const stops = [0, 0.1, 0.4, 0.7, 1].map((at) => `${shade(colours, at).back} ${100 * at}%`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

function sourceTitle({ scene, words }, legend) {
  const name = scene.sizes.cross[0] ? words.cross : words["no cross"];
  return make(
    "div", { class: "side" },
    make("b", { class: "badge cross" }, name),
    make("span", { class: "key-name" }, words.key),
    legend,
  );
}

function targetTitle({ scene, words }) {
  const looks = scene.sizes.self[0] > 0;
  return make(
    "div", { class: "side lower" },
    make("b", { class: "badge self" }, looks ? words.self : words["no self"]),
    make("span", { class: "self-place", hidden: !looks }),
    make("span", { class: "query-name" }, words.query, make("span", { class: "newest-name" })),
    make("span", { class: "mask-legend", hidden: !looks },
      make("span", { class: "mask-name" }), make("i", { class: "mask may" }), words.may,
      make("i", { class: "mask" }), words["may not"]),
  );
}

/** A column for each source piece: the piece in the colour of its weight, and the weight. */
export function sourceColumns(app) {
  const { scene, view, words } = app;
  const branch = shownBranch(scene, view);
  const weights = attentionRow(scene, branch, "cross", view, view.step - 1);
  const looks = scene.sizes.cross[0] > 0;
  return scene.source.map((token, key) => {
    const values = { query: queryName(app), key: tokenText(token), weight: weights[key].toFixed(2) };
    const title = looks ? fillIn(words.weight, values) : null;
    return weighted(app, token, weights[key], title, { "data-key": key });
  });
}

/** The name of the newest query: the piece that its step writes. */
export function queryName({ scene, view }) {
  const { chosen } = shownBranch(scene, view).steps[view.step - 1];
  return chosen ? named(tokenText(chosen[1])) : "…";
}

/** The parts of a sentence: what this step writes and looks at most; [] without cross-attention. */
function finding({ scene, view, words }) {
  if (!scene.sizes.cross[0]) return [];
  const branch = shownBranch(scene, view);
  const weights = attentionRow(scene, branch, "cross", view, view.step - 1);
  const key = weights.indexOf(Math.max(...weights));
  const { chosen } = branch.steps[view.step - 1];
  const parts = {
    piece: chosen && make("b", { class: "query-name" }, named(tokenText(chosen[1]))),
    probability: chosen && finePercent(Math.exp(chosen[2])),
    key: make("b", { class: "key-name" }, named(tokenText(scene.source[key]))),
    weight: weights[key].toFixed(2),
    place: placeName({ scene, view, words }),
  };
  const { attention_layer: layer, attention_head: head } = view;
  const { on = {}, leftOut = [] } = scene.headOffers ?? {};
  const off = on[`cross ${layer + 1} ${head + 1}`] || (layer !== null && leftOut.includes(`cross ${layer + 1}`));
  const form = off ? words[chosen ? "found off" : "found open off"] : words[chosen ? "found" : "found open"];
  return form.split(/\{(\w+)\}/).map((text, at) => (at % 2 ? parts[text] : text));
}

function weighted(app, token, weight, title, attributes, ...more) {
  const { back, ink } = shade(app.colours, weight);
  const style = `background:${back};color:${ink}`;
  const value = make("span", { class: "value" }, weight >= 0.005 ? weight.toFixed(2) : "");
  const column = make("div", { class: "column", title, ...attributes, "data-weight": weight });
  column.append(chip(token, { style }), value, ...more.filter(Boolean));
  return column;
}

/** The decoder's input at a position: the begin token, or the piece taken at the step before. */
export function inputToken({ scene }, branch, position) {
  return position === 0 ? scene.begin : branch.steps[position - 1].chosen[1];
}

/**
 * A column for each position. Positions up to the newest are the decoder's input, and the next is the
 * piece that this step takes. Later positions keep their places, so that nothing moves between steps.
 */
export function targetColumns(app) {
  const { scene, view, words } = app;
  const branch = shownBranch(scene, view);
  const [newest, count] = [view.step - 1, branch.steps.length];
  const weights = attentionRow(scene, branch, "self", view, newest);
  const open = branch.steps[count - 1].chosen === null;
  const looks = scene.sizes.self[0] > 0;
  return range(open ? count : count + 1).map((position) => {
    const token = inputToken(app, branch, position);
    const cell = looks && position < count ? maskCell(app, branch, newest, position) : null;
    if (position > newest) return later(app, token, position === newest + 1, cell);
    const values = { query: queryName(app), key: tokenText(token), weight: weights[position].toFixed(2) };
    const name = position === newest ? "column newest" : "column";
    const attributes = { "data-position": position };
    const title = looks ? fillIn(words.weight, values) : null;
    const column = weighted(app, token, weights[position], title, attributes, cell);
    column.className = name;
    return column;
  });
}

function maskCell({ words }, branch, row, position) {
  const may = branch.mask[row * branch.steps.length + position] === 1;
  const title = may ? words.may : words["may not"];
  return make("i", { class: may ? "mask may" : "mask", title });
}

function later(app, token, taken, cell) {
  const column = make("div", { class: taken ? "column taken" : "column future" });
  column.append(chip(token, taken ? {} : { "aria-hidden": "true" }));
  column.append(make("span", { class: "value" }, taken ? app.words["next slot"] : ""));
  if (cell) column.append(cell);
  return column;
}

/** Leave later rows empty: boxes without a word there would look like a second sentence. */
function hideRowsToCome(target) {
  const written = [...target.children].findLast((column) => !column.classList.contains("future"));
  for (const column of target.querySelectorAll(".future")) {
    column.classList.toggle("to-come", column.offsetTop > written.offsetTop);
  }
}

/**
 * Draw a line from the newest position to every key, wider for a larger weight. If the pieces fill
 * several rows, lines pass through gaps in the rows between, so that they touch no other piece.
 */
function connect(app, stage, lines) {
  const source = stage.querySelector(".source");
  const wrapped = source.lastChild.offsetTop > source.firstChild.offsetTop;
  source.classList.toggle("wrapped", wrapped); // the space between its rows is enough for lines to bend
  hideRowsToCome(stage.querySelector(".target"));
  const frame = stage.getBoundingClientRect();
  if (!frame.width) return;
  lines.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  const box = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const sides = { left: left - frame.left, right: right - frame.left };
    const x = (left + right) / 2 - frame.left;
    return { ...sides, x, top: top - frame.top, bottom: bottom - frame.top, weight: Number(node.dataset.weight) };
  };
  const boxes = (side) => [...stage.querySelectorAll(`.${side} .column`)].map(box);
  const [sources, targets] = [boxes("source"), boxes("target")];
  const rows = rowsOf([...sources, ...targets]);
  const newest = targets[app.view.step - 1];
  const paths = sources.map((to) => line("cross", wayTo(newest, to, rows), to.weight));
  for (const to of targets.slice(0, app.view.step - 1)) {
    const way = to.top < newest.top - 1 ? wayTo(newest, to, rows) : arc(newest, to);
    paths.push(line("self", way, to.weight));
  }
  lines.replaceChildren(...paths);
}

/** The rows of boxes, lowest first, each with the middles of its gaps. */
function rowsOf(boxes) {
  const rows = [];
  for (const one of boxes) {
    if (!rows.length || Math.abs(rows[0].top - one.top) > 1) {
      rows.unshift({ top: one.top, bottom: one.bottom, gaps: [one.left - 2] });
    }
    rows[0].bottom = Math.max(rows[0].bottom, one.bottom);
    rows[0].gaps.push(one.right + 1.5);
  }
  return rows;
}

/** A path from the top of one box up to the bottom of another, through gaps of the rows between. */
function wayTo(from, to, rows) {
  let [x, y] = [from.x, from.top];
  let way = `M${x},${y}`;
  const curve = (toX, toY) => {
    const middle = (y + toY) / 2;
    way += ` C${x},${middle} ${toX},${middle} ${toX},${toY}`;
    [x, y] = [toX, toY];
  };
  for (const { top, bottom, gaps } of rows) {
    if (bottom >= from.top || top <= to.bottom) continue;
    const free = to.x > gaps[gaps.length - 1] ? [to.x] : gaps;
    curve(free.reduce((a, b) => (Math.abs(b - to.x) < Math.abs(a - to.x) ? b : a)), bottom);
    way += ` V${(y = top)}`;
  }
  curve(to.x, to.bottom);
  return way;
}

/** A path from one box to another in the same row, below the row. */
function arc(from, to) {
  const under = Math.max(from.bottom, to.bottom);
  const low = under + 8 + Math.min(24, Math.abs(from.x - to.x) / 6);
  return `M${from.x},${under} C${from.x},${low} ${to.x},${low} ${to.x},${under}`;
}

function line(kind, path, weight) {
  const style = `stroke-width:${0.5 + 7 * weight};opacity:${Math.min(0.9, 0.12 + 1.2 * weight)}`;
  return makeSvg("path", { d: path, class: kind, style: weight < 0.01 ? "opacity:0" : style });
}
