import { make, setText } from "../../../../components/javascript/dom.js";
import { percent } from "../../../../components/javascript/numbers.js";

/** The table of both sentences' numbers, with the current changes; a row is also a switch. */
export function numbers(told, pick) {
  const { words, source } = told;
  const columns = told.arcs.map((arc) => {
    const places = arc.keys[0] === arc.keys[1] ? [0] : [0, 1];
    const names = places.map((place) => nameOf(told[arc.keySide][arc.keys[place]]));
    return { arc, places, names, kind: arc === told.arcs.at(-1) ? "of-key" : "of-key of-first" };
  });
  const head = make(
    "tr", {},
    make("td", {}),
    ...columns.flatMap(({ names, kind }) => names.map((name) => make("th", { scope: "col", class: kind }, name))),
    ...told.pieces.map((piece) => make("th", { scope: "col", class: "of-query", lang: told.languages[1] }, piece)),
  );
  const rows = told.likely.map((_chances, number) => {
    const name = make(
      "button", { type: "button", tabindex: -1, click: () => pick(number) }, source[told.switch].texts[number],
    );
    const weights = columns.map(({ places, kind }) => places.map(() => make("td", { class: kind })));
    const chances = told.pieces.map(() => make("td", {}));
    const node = make("tr", {}, make("th", { scope: "row" }, "… ", name), ...weights.flat(), ...chances);
    const show = (look) => {
      const { likely, onKeys } = look.effect(number);
      node.classList.toggle("on", number === look.shown);
      weights.forEach((cells, place) => {
        // A single column is of the word that each sentence has there.
        const own = cells.length > 1 ? onKeys[place] : [onKeys[place][number]];
        fill(cells, own, (weight) => weight.toFixed(2));
      });
      fill(chances, likely, percent);
    };
    return { node, show };
  });
  const groups = make(
    "tr", { class: "groups" }, make("td", {}, ""),
    ...columns.map(({ arc, places, kind }) =>
      make("th", { colspan: places.length, scope: "colgroup", class: kind }, arc.weightOf)),
    make("th", { colspan: 2, scope: "colgroup", class: "of-query" }, words.chanceOf),
  );
  const node = make(
    "table", { class: "numbers" }, make("thead", {}, groups, head),
    make("tbody", {}, ...rows.map((row) => row.node)),
  );
  const show = (look) => rows.forEach((row) => row.show(look));
  return { node, show };
}

/** The name of a word: both texts if it differs between the sentences. */
function nameOf({ texts: [one, other] }) {
  return one === other ? one : `${one} / ${other}`;
}

/** Write numbers into cells, and mark the largest of several. */
function fill(cells, values, written) {
  const best = values.indexOf(Math.max(...values));
  cells.forEach((cell, place) => {
    setText(cell, written(values[place]));
    cell.classList.toggle("best", cells.length > 1 && place === best);
  });
}
