import { makeSvg } from "../../../../components/javascript/dom.js";
import { curve, ends } from "./places.js";

const BETWEEN = 22; // pixels between the ends of faint arcs at one word

/**
 * Faint arcs: what the other words of the translation look at most, in the head of the first arc between
 * the sentences. `grips` are the handles at their ends, by word. An arc that is turned is drawn alone.
 */
export function faintArcs(stage, lines, told, look, grips) {
  const node = makeSvg("g", { class: "faint" });
  const arc = told.arcs.find(({ querySide, keySide }) => querySide !== keySide);
  const place = (turned) => {
    const { shown, aim, turn } = look;
    const asked = arc.weights[shown].map((weights, query) => ({ query, weight: Math.max(...weights), weights }));
    const others = asked.filter(({ query }) => query !== arc.query && [undefined, query].includes(turned));
    const keys = others.map(({ query, weight, weights }) => (turned === query ? (aim ?? turn).word : weights.indexOf(weight)));
    return others.map(({ query, weight }, number) => {
      const { from, to } = ends(stage, lines, arc, query, keys[number]);
      const alike = keys.filter((key) => key === keys[number]).length;
      const before = keys.slice(0, number).filter((key) => key === keys[number]).length;
      const rest = { ...to, x: to.x + BETWEEN * (before - (alike - 1) / 2) };
      const at = aim?.line === query ? aim.point : rest;
      grips[query]?.put(at);
      const [width, opacity] = turned === query ? [4, 0.8] : [1 + 3 * weight, 0.22 * weight];
      return { d: curve(from, at, false).d, "stroke-width": width, opacity };
    });
  };
  const draw = (isEarly) => {
    const turned = (look.aim ?? look.turn)?.line;
    const isHidden = !arc || isEarly || (look.effect().changed && turned === undefined);
    node.style.display = isHidden ? "none" : "";
    grips.forEach((grip, number) => grip?.hide(isHidden || ![undefined, number].includes(turned)));
    if (isHidden) return;
    const paths = place(turned);
    while (node.childNodes.length > paths.length) node.lastChild.remove();
    while (node.childNodes.length < paths.length) node.append(makeSvg("path"));
    paths.forEach((path, number) => Object.entries(path).forEach(([name, value]) => node.childNodes[number].setAttribute(name, String(value))));
  };
  return { node, draw };
}
