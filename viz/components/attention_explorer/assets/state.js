import { stackOf } from "./payload.js";

export const VIEWS = ["lines", "grid", "matrix", "compare"];
export const HIDE = ["off", "hide", "renormalise"];
export const MERGES = ["off", "mean", "max"];
export const MASSES = [100, 95, 90, 80, 70, 60, 50];

/**
 * The initial values of everything that a reader chooses. Layers, heads and positions count from 0
 * here and from 1 in links. `places` has the layer and the heads of each kind. `focused` is the head
 * that other pages show: of the heads that are on, the last to be switched on. `beside` is what it is
 * compared with: a head, "sentence", or null for the next head.
 */
export function defaultState(header) {
  const { kind, query, heads } = header.start;
  const places = {};
  for (const name of Object.keys(header.kinds)) {
    places[name] = { layer: heads[name][0], heads: [heads[name][1]] };
  }
  return {
    kind,
    places,
    focused: heads[kind][1],
    view: "lines",
    locks: query === null ? [] : [{ side: "q", index: query }],
    hide: "off",
    words: header.start.words,
    mass: 100,
    merge: "off",
    layers: false,
    taken: false,
    rowScale: false,
    order: "position",
    beside: null,
  };
}

/** Fit a state to a recording, which may have fewer tokens, layers or heads than the one before. */
export function settled(state, payload) {
  const places = {};
  const start = defaultState(payload.header);
  const kind = Object.hasOwn(payload.kinds, state.kind) ? state.kind : start.kind;
  for (const name of Object.keys(payload.kinds)) {
    const { layers, heads } = payload.kinds[name];
    const place = state.places[name] ?? start.places[name];
    const kept = [...new Set(place.heads)].filter((head) => head < heads).sort((a, b) => a - b);
    places[name] = { layer: Math.min(place.layer, layers - 1), heads: kept.length ? kept : [0] };
  }
  const { queries, keys, statistics } = payload.kinds[kind];
  const locks = state.locks.filter(({ side, index }) => index < (side === "q" ? queries : keys));
  const order = Object.hasOwn(statistics, state.order) ? state.order : "position";
  const { heads } = places[kind];
  const focused = heads.includes(state.focused) ? state.focused : heads[0];
  const beside = state.beside === "sentence" && !payload.other ? null : state.beside;
  const taken = state.taken && payload.kinds[kind].lengths !== null;
  return { ...state, kind, places, locks, order, focused, beside, taken };
}

/**
 * Carry a state over to another recording: the recording's start, in the same view and with the same
 * aids. If the head of the start is already on, the heads beside it stay on.
 */
export function carriedOn(state, header) {
  const start = defaultState(header);
  const { kind } = start;
  const [before, now] = [state.places[kind], start.places[kind]];
  const beside = before.layer === now.layer && before.heads.includes(now.heads[0]);
  const places = { ...start.places, [kind]: beside ? before : now };
  return { ...state, kind, places, focused: start.focused, locks: start.locks };
}

/** Change the kind; a token stays locked if its side shows the same sentence as before. */
export function withKind(state, kind) {
  const locks = state.locks.filter(
    ({ side }) => stackOf(kind, side) === stackOf(state.kind, side),
  );
  return { ...state, kind, locks };
}

export function aidsText(state) {
  const aids = [];
  if (state.hide !== "off") aids.push(state.hide);
  if (state.words) aids.push("words");
  if (state.merge !== "off") aids.push(state.merge);
  if (state.layers) aids.push("layers");
  if (state.taken) aids.push("taken");
  if (state.rowScale) aids.push("rows");
  if (state.mass !== 100) aids.push(`top${state.mass}`);
  return aids.join("-");
}

function besideText(beside) {
  if (beside === null || beside === "sentence") return beside ?? "";
  return `${beside.layer + 1}.${beside.head + 1}`;
}

/** Write a state as the parameters of a link; some of them may be empty. */
export function parametersOf(state) {
  const { layer, heads } = state.places[state.kind];
  const locks = state.locks.map(({ side, index }) => `${side}${index + 1}`).join("-");
  return {
    kind: state.kind,
    layer: String(layer + 1),
    head: String(state.focused + 1),
    heads: heads.map((head) => head + 1).join("-"),
    view: state.view,
    lock: locks,
    aids: aidsText(state),
    order: state.order === "position" ? "" : state.order,
    beside: state.view === "compare" ? besideText(state.beside) : "",
  };
}

function wholeNumber(text, most) {
  if (!/^\d{1,3}$/.test(text)) return null;
  const number = Number(text);
  return number >= 1 && number <= most ? number - 1 : null;
}

export const READERS = {
  kind: (text, state, payload) => (Object.hasOwn(payload.kinds, text) ? withKind(state, text) : null),
  layer: (text, state, payload) => {
    const layer = wholeNumber(text, payload.kinds[state.kind].layers);
    return layer === null ? null : withPlace(state, { layer });
  },
  head: (text, state, payload) => {
    const head = wholeNumber(text, payload.kinds[state.kind].heads);
    return head === null ? null : { ...withPlace(state, { heads: [head] }), focused: head };
  },
  heads: (text, state, payload) => {
    const most = payload.kinds[state.kind].heads;
    const heads = text.split("-").map((part) => wholeNumber(part, most));
    return heads.includes(null) ? null : withPlace(state, { heads });
  },
  view: (text, state) => (VIEWS.includes(text) ? { ...state, view: text } : null),
  lock: (text, state, payload) => {
    const { queries, keys } = payload.kinds[state.kind];
    const locks = text.split("-").map((part) => {
      const side = part[0];
      const index = wholeNumber(part.slice(1), side === "q" ? queries : keys);
      return (side === "q" || side === "k") && index !== null ? { side, index } : null;
    });
    return locks.includes(null) ? null : { ...state, locks };
  },
  aids: (text, state) => readAids(text, state),
  order: (text, state, payload) =>
    Object.hasOwn(payload.kinds[state.kind].statistics, text) ? { ...state, order: text } : null,
  beside: (text, state, payload) => {
    if (text === "sentence") return { ...state, beside: text };
    const { layers, heads } = payload.kinds[state.kind];
    const [layer, head] = text.split(".").map((part, at) => wholeNumber(part, at ? heads : layers));
    return layer === null || head === null || head === undefined ? null : { ...state, beside: { layer, head } };
  },
};

function readAids(text, state) {
  const next = { ...state };
  for (const part of text.split("-")) {
    const top = /^top(\d+)$/.exec(part);
    if (part === "hide" || part === "renormalise") next.hide = part;
    else if (["words", "layers", "taken"].includes(part)) next[part] = true;
    else if (part === "mean" || part === "max") next.merge = part;
    else if (part === "rows") next.rowScale = true;
    else if (top && MASSES.includes(Number(top[1]))) next.mass = Number(top[1]);
    else return null;
  }
  return next;
}

/**
 * How the heads on screen are merged, by "mean" or "max"; null if they are shown apart. The matrix,
 * and the view of all layers, have room for only one picture: there the mean is the default.
 */
export function mergeOf(state) {
  if (["grid", "compare"].includes(state.view) || (placeOf(state).heads.length === 1 && !state.layers)) return null;
  if (state.merge !== "off") return state.merge;
  return state.layers || state.view === "matrix" ? "mean" : null;
}

/** Change the layer or the heads of the current kind. */
export function withPlace(state, change) {
  const place = { ...state.places[state.kind], ...change };
  return { ...state, places: { ...state.places, [state.kind]: place } };
}

/** Read a link. A part that makes no sense keeps its default, and `malformed` is true. */
export function readParameters(parameters, payload, start) {
  let state = start;
  let malformed = false;
  for (const [name, read] of Object.entries(READERS)) {
    const text = parameters.get(name);
    if (text === null || text === "") continue;
    const next = read(text, state, payload);
    if (next === null) malformed = true;
    else state = next;
  }
  return { state: settled(state, payload), malformed };
}

/** The layer and the heads on screen. */
export function placeOf(state) {
  return state.places[state.kind];
}
