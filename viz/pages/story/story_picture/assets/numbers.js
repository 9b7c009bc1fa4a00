import { make } from "../../../../components/javascript/dom.js";

/** Both sentences' numbers side by side; a row is a switch too. */
export function numbers(told, pick) {
  const { words, source, likely } = told;
  const keys = told[told.keySide];
  const nouns = [...new Set(told.nouns)];
  const head = make(
    "tr", {},
    make("th", {}, ""),
    ...nouns.map((noun) => make("th", { scope: "col", class: "of-key" }, nameOf(keys[noun]))),
    ...told.pieces.map((piece) => make("th", { scope: "col", class: "of-query", lang: told.languages[1] }, piece)),
  );
  const rows = likely.map((chances, number) => {
    const weights = told.weights[number][told.query];
    const best = [largest(nouns.map((noun) => weights[noun])), largest(chances)];
    const name = make(
      "button", { type: "button", tabindex: -1, click: () => pick(number) }, source[told.switch].texts[number],
    );
    return make(
      "tr", {},
      make("th", { scope: "row" }, "… ", name),
      ...nouns.map((noun, n) => cell(weights[noun].toFixed(2), nouns.length > 1 && n === best[0])),
      ...chances.map((chance, n) => cell(`${(100 * chance).toFixed(1)}%`, n === best[1])),
    );
  });
  const groups = make(
    "tr", { class: "groups" }, make("td", {}, ""),
    make("th", { colspan: nouns.length, scope: "colgroup", class: "of-key" }, words.weightOf),
    make("th", { colspan: 2, scope: "colgroup", class: "of-query" }, words.chanceOf),
  );
  const node = make(
    "table", { class: "numbers" }, make("thead", {}, groups, head), make("tbody", {}, ...rows),
  );
  const show = (shown) =>
    rows.forEach((row, number) => row.classList.toggle("on", number === shown));
  return { node, show };
}

/** A word that differs has two names: its own in each sentence. */
function nameOf({ texts: [one, other] }) {
  return one === other ? one : `${one} / ${other}`;
}

function largest(values) {
  return values.indexOf(Math.max(...values));
}

function cell(text, best) {
  return make("td", { class: best ? "best" : null }, text);
}
