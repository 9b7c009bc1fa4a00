/** The source above, what is written below, and lines from the newest position to both. */
function makePicture(app) {
  const { words } = app;
  const places = (count) => [["mean", words.mean], ...range(count).map((at) => [at, at + 1])];
  const pick = (name) => (text) => show(app, { [name]: text === "mean" ? null : Number(text) });
  const layer = selectBox(words.layer, places(app.scene.layers), pick("attention_layer"));
  const head = selectBox(words.head, places(app.scene.heads), pick("attention_head"));
  const legend = make("span", { class: "legend" }, words.legend, " 0", make("i", {}), "1");
  const bar = make("div", { class: "row" }, layer.node, head.node, legend);
  const source = make("div", { class: "tokens source" });
  const target = make("div", { class: "tokens target" });
  const lines = svg("svg", { class: "lines", "aria-hidden": "true" });
  const stage = make("div", { class: "stage" }, sourceTitle(app), source, target, targetTitle(app), lines);
  const node = make("section", { class: "card picture" }, bar, stage);
  const drawLines = () => connect(app, stage, lines);
  new ResizeObserver(drawLines).observe(stage);
  const update = () => {
    layer.show(app.view.attention_layer ?? "mean");
    head.show(app.view.attention_head ?? "mean");
    legend.querySelector("i").style.background = gradient(app.colours);
    source.replaceChildren(...sourceColumns(app));
    target.replaceChildren(...targetColumns(app));
    setText(stage.querySelector(".mask-name"), fillIn(words.mask, { step: app.view.step }));
    drawLines();
  };
  return { node, update };
}

function gradient(colours) {
  const stops = [0, 0.1, 0.4, 0.7, 1].map((at) => `${shade(colours, at).back} ${100 * at}%`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

function sourceTitle({ words }) {
  return make(
    "div", { class: "side" },
    make("b", { class: "badge cross" }, words.cross),
    make("span", { class: "key-name" }, words.key),
  );
}

function targetTitle({ words }) {
  return make(
    "div", { class: "side lower" },
    make("b", { class: "badge self" }, words.self),
    make("span", { class: "query-name" }, `${words.query} (${words.newest})`),
    make("span", { class: "mask-legend" },
      make("span", { class: "mask-name" }), make("i", { class: "mask may" }), words.may,
      make("i", { class: "mask" }), words["may not"]),
  );
}

/** One column a source piece: the piece in the colour of its weight, and the weight. */
function sourceColumns(app) {
  const { scene, view, words } = app;
  const branch = shownBranch(scene, view);
  const weights = attentionRow(scene, branch, "cross", view, view.step - 1);
  const query = tokenText(inputToken(app, branch, view.step - 1));
  return scene.source.map((token, key) => {
    const values = { query, key: tokenText(token), weight: weights[key].toFixed(2) };
    return weighted(app, token, weights[key], fillIn(words.weight, values), { "data-key": key });
  });
}

function weighted(app, token, weight, title, attributes, ...more) {
  const { back, ink } = shade(app.colours, weight);
  const style = `background:${back};color:${ink}`;
  const value = make("span", { class: "value" }, weight >= 0.005 ? weight.toFixed(2) : "");
  const column = make("div", { class: "column", title, ...attributes, "data-weight": weight });
  column.append(chip(token, { style }), value, ...more);
  return column;
}

/** The decoder's input at a position: the begin token, then what was taken before. */
function inputToken({ scene }, branch, position) {
  return position === 0 ? scene.begin : branch.steps[position - 1].chosen[1];
}

/**
 * One column a position. Those up to the newest are the decoder's input; the next one is what
 * this step takes; later ones keep their place, so that nothing moves as the steps go on.
 */
function targetColumns(app) {
  const { scene, view, words } = app;
  const branch = shownBranch(scene, view);
  const [newest, count] = [view.step - 1, branch.steps.length];
  const weights = attentionRow(scene, branch, "self", view, newest);
  const query = tokenText(inputToken(app, branch, newest));
  const open = branch.steps[count - 1].chosen === null;
  return range(open ? count : count + 1).map((position) => {
    const token = inputToken(app, branch, position);
    const cell = position < count ? maskCell(app, branch, newest, position) : null;
    if (position > newest) return later(app, token, position === newest + 1, cell);
    const values = { query, key: tokenText(token), weight: weights[position].toFixed(2) };
    const name = position === newest ? "column newest" : "column";
    const attributes = { "data-position": position };
    const title = fillIn(words.weight, values);
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

/** Draw a line from the newest position to every key, as wide as its weight. */
function connect(app, stage, lines) {
  const frame = stage.getBoundingClientRect();
  if (!frame.width) return;
  lines.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  const box = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const middle = (left + right) / 2 - frame.left;
    return { x: middle, top: top - frame.top, bottom: bottom - frame.top };
  };
  const newest = stage.querySelector(".newest");
  const from = box(newest.querySelector(".chip"));
  const under = box(newest).bottom;
  const paths = [];
  for (const column of stage.querySelectorAll(".source .column")) {
    const to = box(column).bottom;
    const path = `M${from.x},${from.top} C${from.x},${to + 10} ${box(column).x},${from.top - 10} ${box(column).x},${to}`;
    paths.push(line("cross", path, Number(column.dataset.weight)));
  }
  for (const column of stage.querySelectorAll(".target .column[data-position]")) {
    if (column === newest) continue;
    const to = box(column);
    const low = Math.max(under, to.bottom) + 8 + Math.min(30, Math.abs(from.x - to.x) / 6);
    const path = `M${from.x},${under} C${from.x},${low} ${to.x},${low} ${to.x},${to.bottom}`;
    paths.push(line("self", path, Number(column.dataset.weight)));
  }
  lines.replaceChildren(...paths);
}

function line(kind, path, weight) {
  const style = `stroke-width:${0.5 + 7 * weight};opacity:${Math.min(0.9, 0.12 + 1.2 * weight)}`;
  return svg("path", { d: path, class: kind, style: weight < 0.01 ? "opacity:0" : style });
}
