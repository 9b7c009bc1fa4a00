import { contrast } from "../../javascript/colours.js";
import { make, setText } from "../../javascript/dom.js";
import { headColour } from "../../javascript/palette.js";
import { segmented } from "../../javascript/segmented.js";
import { headName, headsTitle, isOff } from "./aids.js";
import { boardChoice } from "./board.js";
import { dropdown } from "./dropdown.js";
import { placeOf, withKind, withPlace } from "./state.js";

const STAY = 1000; // milliseconds that each layer is shown

/** A button that shows the layers one after the other, from the first to the last. */
function playLayers(app) {
  const button = make("button", { type: "button", class: "step play", click: () => toggle() });
  let timer = 0;
  const go = (layer) => app.set(withPlace(app.state, { layer }), true);
  const stop = () => {
    if (!timer) return;
    clearInterval(timer);
    timer = 0;
    app.writeAddress();
    show();
  };
  const step = () => {
    const next = placeOf(app.state).layer + 1;
    if (next < app.payload.kinds[app.state.kind].layers) go(next);
    else stop();
  };
  const toggle = () => {
    if (timer) return stop();
    timer = setInterval(step, STAY);
    go(0);
  };
  const show = () => {
    const name = app.say(timer ? "stop layers" : "play layers");
    setText(button, timer ? "❚❚" : "▶");
    button.title = name;
    button.setAttribute("aria-label", name);
    app.root.dataset.playing = timer ? "yes" : "";
  };
  return { node: button, show, stop, isOn: () => timer !== 0 };
}

/** The choice of kind, layer, heads and units. Returns its node, a function to show the state, and parts. */
export function makeToolbar(app) {
  const kind = segmented(
    app.say("kind"),
    Object.keys(app.payload.kinds).map((name) => [name, app.say(name), app.say(`${name} hint`)]),
    (name) => app.set(withKind(app.state, name)),
  );
  const layer = layerStepper(app);
  const heads = headChips(app);
  const units = segmented(
    app.say("units"),
    ["words", "pieces"].map((name) => [name, app.say(name), app.say(`${name} hint`)]),
    (name) => app.set({ words: name === "words" }),
  );
  const node = make("div", { class: "toolbar" }, kind.node, layer.node, heads.node, units.node);
  const show = () => {
    kind.show(app.state.kind);
    layer.show();
    heads.show();
    units.show(app.state.words ? "words" : "pieces");
  };
  return { node, show, play: layer.play, drop: layer.drop };
}

export function stepLayer(app, by) {
  const { layers } = app.payload.kinds[app.state.kind];
  const layer = Math.max(0, Math.min(layers - 1, placeOf(app.state).layer + by));
  app.set(withPlace(app.state, { layer }));
}

function layerStepper(app) {
  const board = headChoice(app);
  const drop = dropdown(app.say("layer"), "layer-and-head", board.node);
  drop.button.setAttribute("aria-live", "polite");
  drop.fill = board.show;
  const button = (name, sign, by) =>
    make(
      "button",
      { type: "button", "aria-label": app.say(name), title: app.say(name), class: "step",
        click: () => stepLayer(app, by) },
      sign,
    );
  const down = button("previous layer", "‹", -1);
  const up = button("next layer", "›", 1);
  const play = playLayers(app);
  const node = make(
    "div", { class: "stepper", role: "group", "aria-label": app.say("layer") },
    down, drop.node, up, play.node,
  );
  const show = () => {
    const { layer } = placeOf(app.state);
    const { layers } = app.payload.kinds[app.state.kind];
    drop.name(app.say("layer of", { layer: layer + 1, layers }));
    if (!drop.panel.hidden) board.show();
    down.disabled = layer === 0;
    up.disabled = layer === layers - 1;
    play.show();
  };
  return { node, show, play, drop };
}

/** The board of layers x heads: a cell chooses a head, a layer's number all heads of the layer. */
function headChoice(app) {
  return boardChoice(app, {
    label: app.say("board"), means: { layer: app.say("all of layer") }, said: () => chosenName(app),
    chosen: () => {
      const { layer, heads } = placeOf(app.state);
      const all = heads.length === everyHead(app).length ? null : undefined;
      return { layer, heads, head: heads.length === 1 ? heads[0] : all };
    },
    pick: (layer, head) => {
      app.set(withPlace(app.state, { layer, heads: head === null ? everyHead(app) : [head] }));
    },
  });
}

/** Switch a head on or off; the last head that is on stays on. */
export function toggledHeads(heads, head) {
  if (!heads.includes(head)) return [...heads, head].sort((a, b) => a - b);
  return heads.length > 1 ? heads.filter((other) => other !== head) : heads;
}

/** Go to the next or the previous head; if several heads are on, keep only the first. */
export function stepHead(app, by) {
  const { heads: count } = app.payload.kinds[app.state.kind];
  const { heads } = placeOf(app.state);
  const from = by > 0 ? heads[heads.length - 1] : heads[0];
  const single = heads.length === 1;
  const head = single ? (from + by + count) % count : heads[0];
  app.set(withPlace(app.state, { heads: [head] }));
}

export function allHeads(app) {
  app.set(withPlace(app.state, { heads: everyHead(app) }));
}

function everyHead(app) {
  return Array.from({ length: app.payload.kinds[app.state.kind].heads }, (_, head) => head);
}

function chosenName(app) {
  const { layer, heads } = placeOf(app.state);
  return heads.length === 1 ? headName(app, layer, heads[0]) : headsTitle(app);
}

/** A chip for each head. A click toggles the head; a double-click shows it alone, or brings the rest back. */
function headChips(app) {
  const chips = make("div", { class: "chips" });
  const all = make(
    "button", { type: "button", class: "all", title: app.say("all heads hint"),
      click: () => allHeads(app) }, app.say("all heads"),
  );
  const node = make(
    "div", { class: "heads", role: "group", "aria-label": app.say("heads") },
    make("span", { class: "label" }, app.say("heads")), chips, all,
  );
  let before = null; // the heads before the first click of a double-click
  let beforeSolo = null;
  const click = (head) => {
    before = placeOf(app.state).heads;
    app.set(withPlace(app.state, { heads: toggledHeads(before, head) }));
  };
  const solo = (head) => {
    const alone = before.length === 1 && before[0] === head;
    const heads = alone ? (beforeSolo ?? everyHead(app)) : [head];
    beforeSolo = alone ? null : before;
    app.set(withPlace(app.state, { heads }));
  };
  const chip = (head) =>
    make(
      "button",
      { type: "button", class: "chip", "data-head": head, title: app.say("head hint"),
        "aria-label": app.say("head", { head: head + 1 }),
        click: (event) => (event.detail === 2 ? solo(head) : click(head)) },
      String(head + 1),
    );
  const show = () => {
    const { heads: count } = app.payload.kinds[app.state.kind];
    if (chips.children.length !== count) {
      chips.replaceChildren(...Array.from({ length: count }, (_, head) => chip(head)));
    }
    const on = placeOf(app.state).heads;
    for (const button of chips.children) {
      const head = Number(button.dataset.head);
      const colour = headColour(app.colours, head);
      const ink = contrast("#ffffff", colour) >= 4.5 ? "#ffffff" : "#000000";
      button.style.setProperty("--head", colour);
      button.style.setProperty("--ink", ink);
      button.setAttribute("aria-pressed", String(on.includes(head)));
      button.classList.toggle("off", isOff(app, placeOf(app.state).layer, head));
    }
    all.disabled = on.length === count;
  };
  return { node, show };
}
