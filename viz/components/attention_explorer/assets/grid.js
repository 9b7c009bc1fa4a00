import { make, setText } from "../../javascript/dom.js";
import { headColour } from "../../javascript/palette.js";
import { headName } from "./aids.js";
import { paintCells } from "./cells.js";
import { placeOf, withPlace } from "./state.js";
import { toggledHeads } from "./toolbar.js";
import { lockedUnits, shownHead } from "./transform.js";

/** Every head of every layer as a thumbnail; the head under the pointer is shown large beside them. */
export function gridView(app) {
  const cells = make("div", { class: "thumbs" });
  const order = make("select", {
    "data-order": true, "aria-label": app.say("order"),
    change: () => app.set({ order: order.value }),
  });
  const label = make("label", { class: "order" }, make("span", {}, app.say("order")), order);
  const explain = make("span", { class: "explain" });
  const node = make(
    "div", { class: "grid view" }, make("div", { class: "order-row" }, label, explain), cells,
  );
  let thumbs = new Map();
  let built = null;
  let painted = null;

  listenToThumbs(app, cells);

  const build = () => {
    const { layers, heads, statistics } = app.payload.kinds[app.state.kind];
    cells.style.setProperty("--heads", heads);
    thumbs = new Map();
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        thumbs.set(`${layer} ${head}`, thumbnail(app, layer, head));
      }
    }
    const options = ["position", ...Object.keys(statistics)];
    order.replaceChildren(
      ...options.map((name) => make("option", { value: name }, app.say(`order ${name}`))),
    );
  };
  const draw = () => {
    const { kind } = app.state;
    const { layers, heads } = app.payload.kinds[kind];
    const key = `${app.payload.header.id} ${kind} ${layers} ${heads}`;
    if (key !== built) build();
    if (key !== built || order.value !== app.state.order) painted = null;
    built = key;
    order.value = app.state.order;
    const own = app.state.order === "position" && kind === "cross" ? " cross" : "";
    setText(explain, app.say(`explain ${app.state.order}${own}`));
    const sorted = sortedHeads(app);
    cells.replaceChildren(...sorted.map(({ layer, head }) => thumbs.get(`${layer} ${head}`).node));
    const look = JSON.stringify([app.state.hide, app.state.words, app.state.mass,
      app.state.rowScale, app.state.locks, app.colours.background]);
    for (const { layer, head, value } of sorted) {
      thumbs.get(`${layer} ${head}`).show(value, look !== painted);
    }
    painted = look;
  };
  return { node, draw, hover: () => {} };
}

/** Read the thumbnail under the pointer or in focus; a click chooses it. */
function listenToThumbs(app, cells) {
  const nameOf = (event) => {
    const thumb = event.composedPath().find((part) => part.dataset?.thumb);
    return thumb ? thumb.dataset.thumb.split(" ").map(Number) : null;
  };
  const over = (event) => {
    const name = nameOf(event);
    if (name) app.hover({ layer: name[0], head: name[1] });
  };
  cells.addEventListener("pointermove", over);
  cells.addEventListener("focusin", over);
  cells.addEventListener("pointerleave", () => app.hover(null));
  cells.addEventListener("focusout", () => app.hover(null));
  cells.addEventListener("click", (event) => {
    const name = nameOf(event);
    if (name) chooseThumb(app, name[0], name[1], event.shiftKey);
  });
}

function chooseThumb(app, layer, head, add) {
  const place = placeOf(app.state);
  const heads = add && place.layer === layer ? toggledHeads(place.heads, head) : [head];
  app.set(withPlace(app.state, { layer, heads }));
}

/** All heads with their values, in the chosen order: by place, or largest value first. */
export function sortedHeads(app) {
  const { layers, heads, statistics } = app.payload.kinds[app.state.kind];
  const values = statistics[app.state.order];
  const all = [];
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      all.push({ layer, head, value: values ? values[layer][head] : null });
    }
  }
  return values ? all.sort((a, b) => b.value - a.value) : all;
}

/** The habit of a head: its largest share of at least one half (entropy: 0.9), or null. */
function habitOf(app, layer, head) {
  const { statistics } = app.payload.kinds[app.state.kind];
  let habit = null;
  for (const [name, values] of Object.entries(statistics)) {
    if (name === "sparsity") continue; // nearly all heads leave out half of the tokens
    const value = values[layer][head];
    const counts = name === "entropy" ? value >= 0.9 : value >= 0.5;
    if (counts && (!habit || value > habit.value)) habit = { name, value };
  }
  return habit;
}

function thumbnail(app, layer, head) {
  const canvas = make("canvas", { "aria-hidden": "true" });
  const badge = make("span", { class: "badge" });
  const name = make("span", { class: "thumb-name" }, app.say("thumb", { layer: layer + 1, head: head + 1 }));
  const node = make(
    "button",
    { type: "button", class: "thumb", "data-thumb": `${layer} ${head}` },
    make("span", { class: "thumb-line" }, name, badge), canvas,
  );
  const show = (value, repaint) => {
    const { state } = app;
    const place = placeOf(state);
    const chosen = place.layer === layer && place.heads.includes(head);
    const habit = habitOf(app, layer, head);
    let text = habit ? app.say(`badge ${habit.name}`) : "";
    if (value !== null) text = value.toFixed(2);
    setText(badge, text);
    node.setAttribute("aria-pressed", String(chosen));
    const long = headName(app, layer, head);
    const title = text ? `${long}: ${text}` : long;
    node.setAttribute("aria-label", title);
    node.title = habit ? `${long}: ${app.say(`order ${habit.name}`)} ${habit.value.toFixed(2)}` : long;
    node.style.setProperty("--head", headColour(app.colours, head));
    if (!repaint) return;
    const { queries, keys } = app.sides;
    paintCells(
      canvas, shownHead(app.payload, state, state.kind, layer, head),
      queries.length, keys.length, app.colours,
      { rowScale: state.rowScale, locked: lockedUnits(state, app.sides) },
    );
    canvas.classList.toggle("fine", Math.max(queries.length, keys.length) > 90);
  };
  return { node, show };
}
