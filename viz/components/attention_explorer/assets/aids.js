import { make, setText } from "../../javascript/dom.js";
import { dropdown } from "./dropdown.js";
import { aidsText, HIDE, MASSES, mergeOf, MERGES, placeOf } from "./state.js";

/** The panel of reading aids. */
export function readingAids(app) {
  const hide = choice(app, "hide", HIDE.map((value) => [value, app.say(`hide ${value}`)]));
  const mass = choice(app, "mass", MASSES.map((value) => [
    value, value === 100 ? app.say("mass all") : app.say("mass part", { percent: value }),
  ]));
  const merge = choice(app, "merge", MERGES.map((value) => [value, app.say(`merge ${value}`)]));
  const layers = tick(app, "layers");
  const taken = tick(app, "taken");
  const rowScale = tick(app, "rowScale");
  const reset = make(
    "button",
    { type: "button", class: "plain",
      click: () => app.set({ hide: "off", mass: 100, merge: "off", layers: false, taken: false, rowScale: false }) },
    app.say("aids off"),
  );
  const drop = dropdown(
    app.say("aids"), "aids",
    hide.node, mass.node, merge.node, layers.node, taken.node, rowScale.node, reset,
  );
  const show = () => {
    for (const part of [hide, mass, merge, layers, taken, rowScale]) part.show();
    taken.node.hidden = app.payload.kinds[app.state.kind].lengths === null;
    const count = aidsText({ ...app.state, words: false }).split("-").filter(Boolean).length;
    setText(drop.button.querySelector(".caret"), count ? String(count) : "▾");
    drop.button.classList.toggle("on", count > 0);
    drop.button.setAttribute("aria-label", app.say("aids on", { count }));
    reset.disabled = count === 0;
  };
  return { ...drop, show };
}

function choice(app, name, options) {
  const select = make(
    "select",
    { "aria-label": app.say(`${name} label`), "data-aid": name,
      change: () => app.set({ [name]: name === "mass" ? Number(select.value) : select.value }) },
    ...options.map(([value, text]) => make("option", { value }, text)),
  );
  const node = make("label", { class: "row" }, make("span", {}, app.say(`${name} label`)), select);
  return { node, show: () => (select.value = String(app.state[name])) };
}

function tick(app, name) {
  const box = make("input", {
    type: "checkbox", "data-aid": name, change: () => app.set({ [name]: box.checked }),
  });
  const node = make(
    "label", { class: "row tick" }, box,
    make("span", {}, app.say(`${name} label`), make("small", {}, app.say(`${name} hint`))),
  );
  return { node, show: () => (box.checked = app.state[name]) };
}

/** A text about weights, or its form for what is taken where that is shown instead. */
export function measured(app, name, values) {
  return app.say(app.state.taken ? `${name} taken` : name, values);
}

/** What the reading aids do to this figure: a sentence for each, on screen and in saved pictures. */
export function aidNotes(app) {
  const { state, payload } = app;
  const notes = [];
  if (state.taken) notes.push(app.say("note taken"));
  if (state.hide !== "off") notes.push(app.say(`note ${state.hide}`));
  if (state.hide !== "off" && state.kind !== "encoder") {
    notes.push(app.say("note begin", { token: payload.header.target.tokens[0] }));
  }
  if (state.words) notes.push(app.say("note words"));
  if (mergeOf(state)) notes.push(mergeNote(app, mergeOf(state)));
  if (state.mass !== 100) notes.push(app.say("note mass", { percent: state.mass }));
  if (state.rowScale && ["grid", "matrix"].includes(state.view)) notes.push(app.say("note rows"));
  return notes;
}

/** Which heads are merged, and how: "Mean of heads 2, 5 in all 6 layers". */
export function mergeNote(app, merge) {
  const { layers } = app.payload.kinds[app.state.kind];
  return app.say(`note ${merge}${app.state.layers ? " layers" : ""}`, { heads: headList(app), layers });
}

/** The chosen heads, from 1: "1, 3", or "1–8" where none is missing. */
export function headList(app) {
  const { heads } = placeOf(app.state);
  const whole = heads.length > 2 && heads.at(-1) - heads[0] === heads.length - 1;
  return whole ? `${heads[0] + 1}–${heads.at(-1) + 1}` : heads.map((head) => head + 1).join(", ");
}

/** The title of the picture on screen. */
export function pictureTitle(app) {
  const { state, payload } = app;
  const { layers, heads } = payload.kinds[state.kind];
  const kind = app.say(`${state.kind} long`);
  if (state.view === "compare") return app.say("title compare", { kind });
  if (state.view === "grid") return app.say("title grid", { kind, layers, heads });
  return headsTitle(app);
}

/** The chosen heads of a layer, or of all: "Cross-attention, layer 4 of 6, heads 2, 5". */
export function headsTitle(app) {
  const { state, payload } = app;
  const { layers, heads } = payload.kinds[state.kind];
  const kind = app.say(`${state.kind} long`);
  const place = placeOf(state);
  if (state.layers) return app.say("title layers", { kind, layers, heads: headList(app) });
  if (heads > 1 && place.heads.length === heads) {
    return app.say("title all", { kind, layer: place.layer + 1, layers, heads });
  }
  if (place.heads.length === 1) {
    return app.say("title head", { kind, name: headName(app, place.layer, place.heads[0]) });
  }
  return app.say("title heads", { kind, layer: place.layer + 1, layers, heads: headList(app) });
}

/** The name of a head, as everywhere in the app: "cross 5.6". */
export function headName(app, layer, head) {
  return app.say("head name", { kind: app.say(`${app.state.kind} name`), layer: layer + 1, head: head + 1 });
}

/** The name of the merged weights: of one head, or the mean or maximum of several, or of all layers. */
export function subjectName(app) {
  const { kind, merge, layers } = app.state;
  const { layer, heads } = placeOf(app.state);
  if (heads.length === 1 && !layers) return headName(app, layer, heads[0]);
  const name = `${merge === "max" ? "max" : "mean"} name${layers ? " layers" : ""}`;
  return app.say(name, { kind: app.say(`${kind} name`), layer: layer + 1, heads: headList(app) });
}

/** A link in words: which query looks at which key. */
export function linkText(app, link) {
  const query = app.sides.queries[link.row];
  const key = app.sides.keys[link.column].label;
  return query.writes
    ? app.say("writing looks at", { query: query.label, key })
    : app.say("looks at", { query: query.name, key });
}

/** True if a head of the kind on screen is switched off, or left out with its layer. */
export function isOff(app, layer, head) {
  const { on = {}, leftOut = [] } = app.payload.header.offers?.head ?? {};
  const attention = `${app.state.kind} ${layer + 1}`;
  return `${attention} ${head + 1}` in on || leftOut.includes(attention);
}
