import { addressNow, readQuery, replaceAddress, said, withParameters, writeQuery } from "../../javascript/address.js";
import { make } from "../../javascript/dom.js";
import { tellFocus } from "../../javascript/focus.js";
import { defaultState, parametersOf, readParameters, settled } from "./state.js";

const PAUSE = 120; // milliseconds from the last change to the writing of the address
const OWN = ["heads", "view", "lock", "aids", "order", "beside"];

/**
 * The address in the app. Each change is a step in the browser's history. The server is told of
 * it, as a choice here holds for all pages.
 */
export function pageAddress() {
  const page = window.location.pathname;
  const isHere = () => window.location.pathname === page;
  const read = said;
  const write = (state) => {
    const now = withParameters(addressNow(), parametersOf(state));
    if (isHere() && now !== addressNow()) window.history.pushState({ visit: true }, "", now);
    tellFocus(parametersOf(state));
  };
  return { read, write, isHere, inApp: true };
}

/** True if the page around this explorer has an address; a frame inside a notebook has none. */
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

/** Whether others can open this address in a frame of theirs: that of a file, nobody can. */
function inPage() {
  return window.location.protocol !== "file:";
}

/** The address of a page without a server: its query holds the view, as in the app. */
export function siteAddress() {
  const query = Object.fromEntries(["word", "step", "query"].map((name) => [name, ""])); // `lock` says it
  const write = (state) => replaceAddress(withParameters(addressNow(), { ...query, ...parametersOf(state) }));
  const link = (state) => {
    write(state);
    return withParameters(window.location.href, { embed: "" });
  };
  const frame = (state) => {
    const src = withParameters(link(state), { embed: "1" });
    return make("iframe", { src, title: document.title, width: "100%", height: "720", style: "border:0" }).outerHTML;
  };
  return { read: said, write, link, frame: inPage() ? frame : null, isHere: () => true };
}

/** Write the address after a pause: browsers refuse more than a hundred changes in half a minute. */
export function writeAddressSoon(app) {
  clearTimeout(app.writing);
  app.writing = setTimeout(() => flushAddress(app), PAUSE);
}

/** Write the address at once if it is waiting: the reader may be about to leave the page. */
export function flushAddress(app) {
  if (!app.writing) return;
  clearTimeout(app.writing);
  app.writing = 0;
  app.address.write(app.state);
}

/**
 * The state that the address asks for; `malformed` if parts of it made no sense. A link with any of
 * `OWN` describes the whole view: tokens that it does not name are not locked. Any other link begins
 * with the recording's start: its query is locked, and pieces are merged into words if it says so.
 */
export function firstState({ address }, payload) {
  const parameters = address.read();
  const start = settled(defaultState(payload.header), payload);
  const linked = OWN.some((name) => parameters.get(name));
  return readParameters(parameters, payload, linked ? { ...start, locks: [], words: false } : start);
}
