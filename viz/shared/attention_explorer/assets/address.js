import { defaultState, READERS, readParameters, settled, writeParameters } from "./state.js";

const ADDRESS_PAUSE = 120; // milliseconds after the last change

/** The address bar of the app. The view of the last visit to the page is kept in this tab. */
export function pageAddress() {
  const read = () => new URLSearchParams(window.location.search);
  const write = (state, header) => {
    const url = new URL(window.location.href);
    if (!url.searchParams.get("sentence")) url.searchParams.set("sentence", header.sentence);
    writeParameters(state, url.searchParams);
    if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
    window.headlightExplorerState = state;
  };
  return { read, write, kept: () => window.headlightExplorerState ?? null };
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
  return { read, write, kept: () => null };
}

/** Write the view into the address now. */
export function writeAddress(app) {
  clearTimeout(app.writing);
  app.address.write(app.state, app.payload.header);
}

/** Write it soon: a browser takes a hundred changes in half a minute and then refuses. */
export function writeAddressSoon(app) {
  clearTimeout(app.writing);
  app.writing = setTimeout(() => writeAddress(app), ADDRESS_PAUSE);
}

/** The view that the address asks for, on top of the one that is kept, and whether it made sense. */
export function firstState({ address }, payload) {
  const start = settled(address.kept() ?? defaultState(payload.header), payload);
  const fresh = settled(defaultState(payload.header), payload);
  const parameters = address.read();
  const linked = Object.keys(READERS).some((name) => parameters.has(name));
  return readParameters(parameters, payload, linked ? fresh : start);
}
