import { fillIn, make, setText } from "../../components/javascript/dom.js";
import { boardsOf, placeOfPress } from "./head.js";
import { filledParts } from "./head_said.js";
import { drawTranslations } from "./trace_maps.js";

const WEIGHT_PARTS = ["picker", "links", "row", "bars", "trace"];

/**
 * The weights of one query of one head, set by hand, below `host`: a function that draws a message of
 * viz/live/messages/trace_weights.js. `choose(parameters)` hears of another head or query, `press(edits)`
 * of a button, and `weigh(question)` of weights that were dragged.
 */
export function traceWeights(site, host, first, { choose, press, weigh }) {
  const { weights: told, texts } = first;
  const places = Object.fromEntries(WEIGHT_PARTS.map((name) => [name, make("div", { class: `part-${name}` })]));
  const presets = make("div", { class: "trace-choices presets" });
  const note = make("p", { class: "told" });
  const translations = make("dl", { class: "translations" });
  const explained = make("p", { class: "told" }, ...filledParts(told.explained, {}).map(([text, isBold]) => (isBold ? make("b", {}, text) : text)));
  const { picker, links, row, bars, trace } = places;
  host.append(make("div", { class: "head-choice" }, picker, links), row, bars, trace, presets, note, translations, explained);
  const hosts = Object.fromEntries(WEIGHT_PARTS.map((name) => [name, places[name].attachShadow({ mode: "open" })]));
  const render = (name, data, setTriggerValue) =>
    site.parts[name].render({ data, parentElement: hosts[name], setTriggerValue });
  return (shown, offers) => {
    const { row: place, queries, keys, rivals, answers, edits } = shown;
    const theme = document.documentElement.dataset.theme;
    const boards = Object.fromEntries(Object.entries(shown.boards).map(([kind, tile]) => [`tiles ${kind}`, tile]));
    const header = { picker: told.picker, place, off: shown.off, scales: told.scales };
    const pickerData = boardsOf(header, boards, theme);
    const head = pickerData.name;
    render("picker", pickerData, (_name, chosen) => choose(placeOfPress(header, chosen)));
    render("links", { told: JSON.stringify({ place, offers: { ...site.offers, ...offers }, texts: first.links }) });
    const isSource = place.kind === "encoder";
    render("row", {
      ...told.row, tokens: queries, special: shown.special, chosen: place.query, model: "", side: isSource ? "source" : "target",
      note: isSource ? "" : fillIn(told.writing, { word: queries[place.query + 1] ?? told.end }),
    }, (_name, query) => choose({ query: "", lock: "", [isSource ? "word" : "step"]: String(query + 1) }));
    const [one, two] = rivals;
    const words = {
      handle: told.bars.handle, drag: fillIn(told.bars.drag, { head }),
      likely: fillIn(told.bars.likely, { head, first: `${one} {first}`, second: `${two} {second}` }),
    };
    const data = {
      keys, weights: shown.weights, own: shown.own, turned: shown.turned, words,
      query: place.kind === "cross" ? null : place.query,
      colour: told.colours[place.kind], legend: told.bars.legend, axis: told.bars.axis,
    };
    render("bars", data, (name, value) => weigh({ row: place, [name === "turned" ? "key" : "weights"]: value }));
    const titled = answers.map((likely, at) => ({ title: first.titles[at], likely }));
    render("trace", { maps: [], rivals, answers: titled, scale: first.scales[theme], arrows: [], heads: "", ends: ["", ""] }, () => {});
    const buttons = Object.entries(told.presets).filter(([name]) => name !== "other" || edits.other !== null);
    presets.replaceChildren(...buttons.map(([name, text]) => make("button", {
      type: "button", "data-preset": name, disabled: edits[name] === null, click: () => press(edits[name]),
    }, fillIn(text, { layer: place.layer + 1 }))));
    setText(note, edits.other === null ? told.partner : "");
    drawTranslations(translations, texts.translations, shown.translations);
  };
}
