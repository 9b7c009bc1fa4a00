import { readQuery, said, withParameters, writeQuery } from "../../javascript/address.js";
import { tellFocus } from "../../javascript/focus.js";
import { defaultState, parametersOf, readParameters, settled } from "./state.js";

const PAUSE = 120; // milliseconds after the last change
const OWN = ["heads", "view", "lock", "aids", "order", "beside"];

/**
 * The link of the app. Each change is a step in the browser's history; the server hears of it too,
 * as what is chosen here is chosen on all pages.
 */
export function pageAddress() {
  const page = window.location.pathname;
  const isHere = () => window.location.pathname === page;
  const read = said;
  const write = (state) => {
    const now = withParameters(window.location.href, parametersOf(state));
    if (isHere() && now !== window.location.href) window.history.pushState({ visit: true }, "", now);
    tellFocus(parametersOf(state));
  };
  return { read, write, isHere, inApp: true };
}

/** Whether this explorer has an address; a frame inside a notebook has none. */
export function inOwnFile() {
  return window.location.protocol !== "about:";
}

export function fileAddress(parameters) {
  const read = () => readQuery(window.location.hash.slice(1) || parameters);
  const write = (state) => {
    if (!inOwnFile()) return;
    window.history.replaceState(null, "", `#${writeQuery(parametersOf(state))}`);
  };
  const link = (state) => {
    write(state);
    return window.location.href;
  };
  return { read, write, link, isHere: () => false };
}

/** Write it soon: a browser takes a hundred changes in half a minute and then refuses. */
export function writeAddressSoon(app) {
  clearTimeout(app.writing);
  app.writing = setTimeout(() => flushAddress(app), PAUSE);
}

/** Write now what waits to be written: somebody may be about to leave. */
export function flushAddress(app) {
  if (!app.writing) return;
  clearTimeout(app.writing);
  app.writing = 0;
  app.address.write(app.state);
}

/**
 * The view that the address asks for, and whether it made sense. A link to a view says which tokens
 * are locked, and whether words are merged; where it says nothing of the view, the query that is
 * looked at is locked, and the recording says whether to begin with words.
 */
export function firstState({ address }, payload) {
  const parameters = address.read();
  const start = settled(defaultState(payload.header), payload);
  const linked = OWN.some((name) => parameters.get(name));
  return readParameters(parameters, payload, linked ? { ...start, locks: [], words: false } : start);
}
