import { fillIn, make } from "../../components/javascript/dom.js";
import { drawDifference } from "./difference.js";
import { canMeasure, changeEdits, labOf, measuredBy, optionsOf, themeNow } from "./lab.js";
import { drawPicker, headNamed, shownToken, viewOf } from "./lab_picker.js";
import { showProblem } from "./model_line.js";

/** The page on which masks are changed: the links of a head, and the switches of all masks. */
export function labMasksOf(site, parentElement) {
  return labOf(site, parentElement, {
    places: ["choices", "words", "lead_line", "links_board", "scopes", "picker_board"],
    below: ["difference"],
    state: { scope: "head", strokes: 0 },
    asked: (page) => {
      const { isOther, kind, layer, head } = viewOf(page);
      const view = { kind, layer, head };
      return { view, shown: view, other: isOther };
    },
    draw: drawMasks,
    measure: (page) => (canMeasure(page) ? measuredBy(page, { ask: "alone" }) : null),
  });
}

function drawMasks(page) {
  const { site, lab, message: { links, controls }, scope } = page;
  const name = headNamed(lab, links.view);
  const [, bold, rest] = fillIn(lab.lead, { head: name }).split("**");
  page.lead_line.replaceChildren(make("b", {}, bold), `${rest} `, hatched(lab, links));
  site.parts.lab_masks.render({
    data: {
      ...lab.mask[themeNow()][links.view.kind], ...links, name, turn: page.strokes,
      queries: links.queries.map(shownToken), keys: links.keys.map(shownToken),
    },
    parentElement: page.links_board,
    setTriggerValue: (_name, stroke) => act(page, "stroke", { stroke, view: links.view, scope }),
  });
  page.scopes.replaceChildren(
    optionsOf(...lab.scope, scope, (chosen) => {
      page.scope = chosen;
      page.redraw();
    }),
  );
  drawControls(page, controls);
  drawPicker(page, links.view);
  drawDifference(page, links.view);
}

/** Say how many links the masks hide; say nothing if they hide none. */
function hatched(lab, { masked, forbidden }) {
  const count = masked.flatMap((row, at) => row.filter((hidden, key) => hidden && !forbidden[at][key])).length;
  return count ? fillIn(lab.hatched, { count, all: masked.length * masked[0].length }).replaceAll("**", "") : "";
}

/** The switches of the masks, the padding, and the words of the source. */
function drawControls(page, { words, lookAhead, padding, pieces, longest, length }) {
  const { lab } = page;
  const slider = make("input", {
    type: "range", min: String(pieces), max: String(longest), value: String(length), "aria-label": lab.length,
    change: ({ target }) => act(page, "length", { length: Number(target.value), pieces }),
  });
  slider.value = String(length);
  page.choices.replaceChildren(
    optionsOf(...lab.lookAhead, lookAhead, (chosen) => act(page, "lookAhead", chosen)),
    optionsOf(lab.padding, lab.paddings, padding ? "on" : "off", (chosen) => act(page, "padding", chosen === "on")),
    make("fieldset", {}, make("legend", {}, `${lab.length}: ${length}`), slider),
  );
  const hide = (at) => words.filter((word, place) => word.hidden !== (place === at)).map(({ span }) => span);
  page.words.replaceChildren(
    make("fieldset", {}, make("legend", {}, lab.words), ...words.map(({ text, hidden }, at) =>
      make("button", {
        type: "button", "aria-pressed": String(hidden), "data-word": String(at), click: () => act(page, "words", hide(at)),
      }, text))),
  );
}

/** Change the masks. A change that would leave a query without any key is refused in a sentence. */
function act(page, name, value) {
  const { lab } = page;
  page.strokes++;
  showProblem("");
  changeEdits(page, { ask: "mask", act: name, value }, ({ query }) => {
    const token = query.token.replaceAll("\u2581", "");
    page.redraw();
    showProblem(fillIn(lab.refused, { head: headNamed(lab, query), query: token, number: query.query + 1 }));
  });
}
