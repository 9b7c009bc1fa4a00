import { channels } from "../../javascript/colours.js";
import { make, setText } from "../../javascript/dom.js";
import { headColour } from "../../javascript/palette.js";
import { lockedUnits } from "./transform.js";

const LEAST = 0.005; // a smaller weight would be written 0.00, so it gets neither a figure nor a band

/**
 * One column of tokens: a list of options, of which some may be locked. It is one stop of the Tab
 * key; the up and down keys move inside the list and single out the token that they reach.
 */
export function tokenList(app, side) {
  const node = make("ul", {
    class: `tokens ${side === "q" ? "queries" : "keys"}`,
    role: "listbox",
    "aria-multiselectable": "true",
    "aria-label": app.say(side === "q" ? "query axis" : "key axis"),
  });
  const list = { node, side, items: [], stop: 0 };
  let shown = null;
  listenToTokens(app, list);

  const rebuild = (units) => {
    list.items = units.map((unit, index) => tokenItem(unit, index, app.payload.header.words));
    moveStop(list, list.stop);
    node.replaceChildren(...list.items.map(({ element }) => element));
  };
  const show = (layout, active, said, weight) => {
    const units = side === "q" ? app.sides.queries : app.sides.keys;
    if (units !== shown) rebuild(units);
    shown = units;
    const marks = targetMarks(app, side, active);
    const mine = side === "q" ? active.rows : active.columns;
    const locked = lockedUnits(app.state, app.sides)[side === "q" ? "rows" : "columns"];
    list.items.forEach((item, index) => {
      item.mark("active", mine.has(index));
      item.mark("locked", locked.has(index));
      item.mark("named", index === said);
      setText(item.value, marks ? marks[index].text : index === said ? weight : "");
      const bands = marks ? marks[index].bands : "";
      if (item.painted !== bands) item.bands.style.background = bands;
      item.painted = bands;
    });
  };
  /** Mark the token under a dragged end; null for none. */
  const aim = (wanted) => list.items.forEach(({ mark }, index) => mark("aimed", index === wanted));
  return { node, show, aim };
}

/** Let the Tab key stop at one token of a list only. */
function moveStop(list, wanted) {
  list.stop = Math.max(0, Math.min(list.items.length - 1, wanted));
  list.items.forEach(({ element }, index) => element.setAttribute("tabindex", index === list.stop ? 0 : -1));
}

/** Read the token that the pointer, the focus or a key reaches; a click, Enter or space locks it. */
function listenToTokens(app, list) {
  const { node, side } = list;
  const indexOf = (event) => {
    const item = event.composedPath().find((part) => part.dataset?.index !== undefined);
    return item ? Number(item.dataset.index) : null;
  };
  // Not pointerover: it also comes when the page moves under a pointer at rest.
  node.addEventListener("pointermove", (event) => {
    const index = indexOf(event);
    if (index !== null) app.hover({ side, index });
  });
  node.addEventListener("pointerleave", () => app.hover(null));
  node.addEventListener("click", (event) => {
    const index = indexOf(event);
    if (index === null) return;
    toggleLock(app, side, index, event.shiftKey);
    if (!event.shiftKey) app.offer(side, index, list.items[index].element.getBoundingClientRect());
  });
  node.addEventListener("focusin", (event) => {
    const index = indexOf(event);
    if (index === null) return;
    list.stop = index;
    if (list.items[index].element.matches(":focus-visible")) app.hover({ side, index });
  });
  node.addEventListener("focusout", () => app.hover(null));
  node.addEventListener("keydown", (event) => {
    const { items, stop } = list;
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -items.length, End: items.length };
    if (event.key in steps) {
      moveStop(list, stop + steps[event.key]);
      items[list.stop].element.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      toggleLock(app, side, stop, event.shiftKey);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function tokenItem(unit, index, words) {
  const marked = unit.label.startsWith("·") && unit.label.length > 1;
  const text = make("span", { class: "text" });
  if (marked) text.append(make("span", { class: "space" }, "·"));
  text.append(marked ? unit.label.slice(1) : unit.label);
  const [before, after] = (unit.writes ? words.writing : "{word}").split("{word}");
  if (before) text.prepend(make("span", { class: "writes" }, before));
  if (after) text.append(make("span", { class: "writes" }, after));
  const bands = make("span", { class: "bands" });
  const chip = make("span", { class: "token" }, text, bands);
  if (unit.next !== null) chip.insertBefore(make("span", { class: "next" }, `→ ${unit.next}`), bands);
  const value = make("span", { class: "value" });
  const element = make(
    "li",
    { role: "option", "data-index": index, title: unit.name, "aria-label": unit.name,
      class: unit.special ? "special" : unit.masked ? "masked" : null },
    chip, value,
  );
  const marks = {}; // each hover visits up to 256 tokens, so unchanged marks are not set again
  const mark = (name, on) => {
    if (marks[name] === on) return;
    marks[name] = on;
    if (name === "locked") element.setAttribute("aria-selected", String(on));
    else element.classList.toggle(name, on);
  };
  return { element, value, bands, mark, painted: "" };
}

/** Toggle the lock of a token. With `add`, other locks stay; without it, this becomes the only lock. */
export function toggleLock(app, side, index, add) {
  const unit = (side === "q" ? app.sides.queries : app.sides.keys)[index];
  const mine = (lock) => lock.side === side && unit.pieces.includes(lock.index);
  const locked = app.state.locks.some(mine);
  const others = app.state.locks.filter((lock) => !mine(lock));
  const kept = add ? others : [];
  const frees = locked && (add || others.length === 0);
  app.set({ locks: frees ? kept : [...kept, { side, index: unit.pieces[0] }] });
}

/** The token whose weights are written: under the pointer, or else locked last. */
function readToken(app, active) {
  if (app.hovered && app.hovered.side) return app.hovered;
  const last = app.state.locks[app.state.locks.length - 1];
  if (!last) return null;
  const units = last.side === "q" ? app.sides.queries : app.sides.keys;
  const index = units.findIndex((unit) => unit.pieces.includes(last.index));
  const set = last.side === "q" ? active.rows : active.columns;
  return set.has(index) ? { side: last.side, index } : null;
}

/** For the column opposite that token: each weight in figures, and a band for each head. */
function targetMarks(app, side, active) {
  const read = readToken(app, active);
  if (!read || read.side === side) return null;
  const count = side === "q" ? app.rows : app.columns;
  const inks = app.series.map(({ head }) => channels(headColour(app.colours, head)).join(" "));
  return Array.from({ length: count }, (_, index) => {
    const at = side === "q" ? index * app.columns + read.index : read.index * app.columns + index;
    const all = app.series.map(({ weights }) => weights[at]);
    const mean = all.reduce((sum, weight) => sum + weight, 0) / all.length;
    return { text: mean >= LEAST ? mean.toFixed(2) : "", bands: all.some((one) => one >= LEAST) ? bandsOf(all, inks) : "" };
  });
}

function bandsOf(weights, inks) {
  const wide = 100 / weights.length;
  const bands = weights.map((weight, place) =>
    `rgb(${inks[place]} / ${weight.toFixed(3)}) ${place * wide}% ${(place + 1) * wide}%`);
  return `linear-gradient(90deg, ${bands.join(", ")})`;
}
