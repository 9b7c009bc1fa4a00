import { tellFocus } from "../../javascript/focus.js";
import { defaultState, parametersOf, readParameters, settled, writeParameters } from "./state.js";

const PAUSE = 120; // milliseconds after the last change
const OWN = ["heads", "view", "lock", "aids", "order", "beside"];

/**
 * The link of the app. Each change is a step in the browser's history; the server hears of it too,
 * as what is chosen here is chosen on all pages.
 */
export function pageAddress() {
  const page = window.location.pathname;
  const isHere = () => window.location.pathname === page;
  const read = () => new URLSearchParams(window.location.search);
  const write = (state) => {
    const url = new URL(window.location.href);
    writeParameters(state, url.searchParams);
    if (isHere() && url.href !== window.location.href) {
      window.history.pushState({ visit: true }, "", url.href);
    }
    tellFocus(parametersOf(state));
  };
  const link = (state, header) => {
    const url = new URL(window.location.href);
    if (!url.searchParams.get("sentence")) url.searchParams.set("sentence", header.sentence);
    writeParameters(state, url.searchParams);
    return url.href;
  };
  return { read, write, link, isHere, inApp: true };
}

/** Whether this explorer has an address; a frame inside a notebook has none. */
export function inOwnFile() {
  return window.location.protocol !== "about:";
}

export function fileAddress(parameters) {
  const read = () => new URLSearchParams(window.location.hash.slice(1) || parameters);
  const write = (state) => {
    if (!inOwnFile()) return;
    const written = new URLSearchParams();
    writeParameters(state, written);
    window.history.replaceState(null, "", `#${written}`);
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
