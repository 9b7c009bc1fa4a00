import { fillIn, make, makeSvg } from "../../../../components/javascript/dom.js";
import { ALL } from "./state.js";

/** A button with scissors for every arc that can be cut, placed on the arc if there is room. */
export function scissors(told, press) {
  return told.arcs.map((arc) => {
    if (!arc.cuttable) return null;
    const name = make("span", {}, arc.name);
    const node = make(
      "button",
      { type: "button", class: "change scissors", "data-change": arc.kind, click: () => press(arc.kind) },
      icon(), name,
    );
    const show = (shown, on) => {
      const { word, keys } = named(told, arc, shown);
      node.setAttribute("aria-label", fillIn(told.words.cut, { word, keys: keys.join(", "), head: arc.name }));
      node.title = node.getAttribute("aria-label");
      node.setAttribute("aria-pressed", String(on));
    };
    const place = ({ x, y }) => {
      node.style.setProperty("--x", `${Math.round(Math.max(x, node.offsetWidth / 2))}px`); // never over the edge
      node.style.setProperty("--y", `${Math.round(y)}px`);
    };
    return { node, show, place };
  });
}

/** The button that cuts in all heads, beside the scissors of one; null where nothing can be cut. */
export function everywhere(told, press) {
  if (!told.arcs.some(({ cuttable }) => cuttable)) return null;
  const node = make(
    "button", { type: "button", class: "change everywhere", "data-change": ALL, click: () => press(ALL) },
    icon(), told.words.everywhere,
  );
  const show = (any, on) => {
    node.hidden = !any;
    node.setAttribute("aria-pressed", String(on));
  };
  return { node, show };
}

/** The button that carries a word's memory over from the other sentence; null without such a word. */
export function carrier(told, press) {
  if (!told.carry) return null;
  const node = make(
    "button",
    { type: "button", class: "change carry", "data-change": "carry", click: () => press("carry") },
  );
  const show = (shown, on) => {
    const label = emphasised(fillIn(told.carry.label, carried(told, shown)));
    node.replaceChildren("⇄ ", make("span", {}, ...label));
    node.setAttribute("aria-pressed", String(on));
  };
  return { node, show };
}

/** The words of an arc in a sentence: the word that looks, and the words looked at, each once. */
export function named(told, { querySide, keySide, query, keys }, shown) {
  const text = (side, number) => told[side][number].texts[shown];
  const found = [...new Set(keys)].map((key) => text(keySide, key)).filter(Boolean);
  return { word: text(querySide, query), keys: found };
}

/** The word whose memory is carried over, and the word that names the other sentence. */
export function carried(told, shown) {
  return {
    word: told.source[told.carry.word].texts[shown],
    other: told.source[told.switch].texts[1 - shown],
  };
}

/** A text as nodes, with words between asterisks in bold. */
export function emphasised(text) {
  return text.split("*").map((part, n) => (n % 2 ? make("b", {}, part) : part));
}

function icon() {
  return makeSvg(
    "svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    makeSvg("circle", { cx: 6, cy: 6, r: 3 }), makeSvg("circle", { cx: 6, cy: 18, r: 3 }),
    makeSvg("path", { d: "M 8.2 8.2 L 20 20 M 8.2 15.8 L 20 4" }),
  );
}
