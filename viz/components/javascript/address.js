/**
 * The only module that reads and writes query strings. It knows no parameter by name: Python says
 * which there are, and what a link says of them (viz/link/offers.py).
 */

/** The parameters of the address. */
export function said() {
  return new URLSearchParams(window.location.search);
}

/** The parameters of a text such as "kind=cross&layer=2". */
export function readQuery(text) {
  return new URLSearchParams(text);
}

/** Parameters as such a text; without those that are empty. */
export function writeQuery(parameters) {
  return String(withValues(new URLSearchParams(), parameters));
}

/** A link with other values of some parameters; an empty one takes it out. */
export function withParameters(link, parameters) {
  const url = new URL(link, window.location.href);
  withValues(url.searchParams, parameters);
  return url.href;
}

/** The link of an offer, with these values filled in; of one that is not known nothing is said. */
export function linkOf({ page, along, says }, values = {}) {
  const known = Object.entries(says).map(([name, text]) => [name, valued(text, values)]);
  const own = Object.fromEntries(known.filter(([, text]) => text !== null));
  if (along === null) return withParameters(window.location.href, own);
  const now = said();
  const carried = Object.fromEntries(along.map((name) => [name, now.get(name) ?? ""]));
  return `${page}?${writeQuery({ ...carried, ...own })}`;
}

/** Whether a link says something else of these parameters than the address does. */
export function differs(link, names) {
  const [now, then] = [window.location.href, link].map((one) => new URL(one, window.location.href).searchParams);
  return names.some((name) => now.get(name) !== then.get(name));
}

/** A link of the app without some parameters, the same however it is written: "./PAGE?..." */
export function plainLink(link, without) {
  const url = new URL(link, window.location.href);
  for (const name of without) url.searchParams.delete(name);
  url.searchParams.sort();
  return `./${url.pathname.split("/").pop()}?${url.searchParams}`;
}

/** What the address says of some parameters. */
export function saidOf(names) {
  const now = said();
  return Object.fromEntries(names.map((name) => [name, now.get(name) ?? ""]));
}

function withValues(all, parameters) {
  for (const [name, value] of Object.entries(parameters)) {
    if ((all.get(name) ?? "") === value) continue; // else the whole would be written anew, maybe otherwise
    if (value) all.set(name, value);
    else all.delete(name);
  }
  return all;
}

/** A text with the values of the names in braces; null where one of them is not known. */
function valued(text, values) {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (names.some((name) => values[name] === undefined || values[name] === null)) return null;
  return text.replace(/\{(\w+)\}/g, (_whole, name) => String(values[name]));
}
