/**
 * The only module that reads and writes query strings. It knows no parameter by name: Python gives
 * the names, and their values in a link (viz/link/offers.py).
 */

/** The address of the page. If the server has just changed it, this is already the new address. */
export function addressNow() {
  return window.headlightAwaited ?? window.location.href; // see shell/watch/assets/history.js
}

/** Change the address without a step in the browser's history. */
export function replaceAddress(link) {
  if (window.headlightAwaited) window.headlightAwaited = link;
  else if (link !== window.location.href) window.history.replaceState(window.history.state, "", link);
}

/** The parameters of the address. */
export function said() {
  return new URL(addressNow()).searchParams;
}

/** The parameters of a text such as "kind=cross&layer=2". */
export function readQuery(text) {
  return new URLSearchParams(text);
}

/** Parameters as such a text; empty parameters are left out. */
export function writeQuery(parameters) {
  return String(withValues(new URLSearchParams(), parameters));
}

/** A link with other values of some parameters; an empty value removes its parameter. */
export function withParameters(link, parameters) {
  const url = new URL(link, window.location.href);
  withValues(url.searchParams, parameters);
  return url.href;
}

/** The link of an offer with these values filled in; parameters without a value are left out. */
export function linkOf({ page, along, says }, values = {}) {
  const known = Object.entries(says).map(([name, text]) => [name, valued(text, values)]);
  const own = Object.fromEntries(known.filter(([, text]) => text !== null));
  if (along === null) return withParameters(addressNow(), own);
  const now = said();
  const carried = Object.fromEntries(along.map((name) => [name, now.get(name) ?? ""]));
  return `${page}?${writeQuery({ ...carried, ...own })}`;
}

/** The value, in a link of an offer, of the parameter into which the offer fills a value of this name. */
export function valueWith({ says }, name, link) {
  const [parameter] = Object.entries(says).find(([, text]) => text.includes(`{${name}}`));
  return new URL(link, window.location.href).searchParams.get(parameter);
}

/** The address of the picture alone: of a link of the app, or of another page with its parameters. */
export function embedded(link, page) {
  const [own, query = ""] = link.split("?");
  return withParameters(`${page || own}?${query}`, { embed: "1" });
}

/** The address of the whole page of such a picture. */
export function wholePage(link) {
  return withParameters(link, { embed: "" });
}

const TIE = /_of\.[^_]*$/; // the sentence of the changes in the model, which the server adds: see viz/link/edits.py

/** True if these parameters say another thing in a link than in the address. */
export function differs(link, names) {
  const [now, then] = [window.location.href, link].map((one) => new URL(one, window.location.href).searchParams);
  const untied = (parameters, name) => parameters.get(name)?.replace(TIE, "") ?? null;
  return names.some((name) => untied(now, name) !== untied(then, name));
}

/** A link of the app in one fixed form, "./PAGE?...", without some parameters and sorted. */
export function plainLink(link, without) {
  const url = new URL(link, window.location.href);
  for (const name of without) url.searchParams.delete(name);
  url.searchParams.sort();
  return `./${url.pathname.split("/").pop()}?${url.searchParams}`;
}

/** The values of some parameters in the address; "" for a missing parameter. */
export function saidOf(names) {
  const now = said();
  return Object.fromEntries(names.map((name) => [name, now.get(name) ?? ""]));
}

function withValues(all, parameters) {
  for (const [name, value] of Object.entries(parameters)) {
    if ((all.get(name) ?? "") === value) continue; // setting it could write the whole link differently
    if (value) all.set(name, value);
    else all.delete(name);
  }
  return all;
}

/** A text with values in place of the names in braces; null if a value is unknown. */
function valued(text, values) {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (names.some((name) => values[name] === undefined || values[name] === null)) return null;
  return text.replace(/\{(\w+)\}/g, (_whole, name) => String(values[name]));
}
