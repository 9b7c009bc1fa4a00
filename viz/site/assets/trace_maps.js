import { fillIn, make, setText, spaceAfter, inARow } from "../../components/javascript/dom.js";
import { filledParts } from "./head_said.js";
import { saidMessage } from "./intervention_words.js";

/**
 * The maps of a trace with what they show, in places of their own below `host`: a function that draws
 * a message of viz/live/messages/trace_map.js. `first` is the recorded opening with all words, and
 * `press(edits)` hears of a cell.
 */
export function traceMaps(site, host, first, press) {
  const { frames, scales, titles, texts } = first;
  const finding = make("p", { class: "finding" });
  const [told, caution, note] = ["", "", ""].map(() => make("p", { class: "told" }));
  const place = make("div", { class: "trace-maps" });
  const translations = make("dl", { class: "translations" });
  host.append(finding, told, caution, place, note, translations);
  const parentElement = place.attachShadow({ mode: "open" });
  return (shown, offers) => {
    const frame = frames[shown.heads ? "z" : shown.part][Number(shown.restored)];
    const isChanged = shown.translations.length > 1;
    const parts = shown.finding.map((one) => saidParts(site.finding, one)).flatMap((own) => [...own, [spaceAfter(own.at(-1)[0]), false]]);
    finding.replaceChildren(...parts.map(([text, isBold]) => (isBold ? make("b", {}, text) : text)));
    setText(told, frame.told);
    setText(caution, inARow([shown.caution && saidMessage(site.finding, shown.caution), isChanged && texts.unchanged]));
    setText(note, frame.press);
    const data = {
      ...frame,
      scale: scales[document.documentElement.dataset.theme],
      rivals: shown.rivals,
      answers: shown.answers.map((likely, at) => ({ title: titles[at], likely })),
      arrows: shown.arrows.map(({ from, to, moves }) => ({ from, to, words: moves ? texts.moves : "" })),
      maps: frame.maps.map((one, at) => mapOf(site, texts, one, shown.maps[at], shown.heads)),
      heads: shown.heads?.first ? JSON.stringify(headsOf(site, first.links, shown, offers)) : "",
    };
    const setTriggerValue = (_name, { name, row, column }) =>
      press(shown.maps.find((one) => one.name === name).edits[row][column]);
    site.parts.trace.render({ data, parentElement, setTriggerValue });
    drawTranslations(translations, texts.translations, shown.translations);
  };
}

/** The translation, and that of the changed model if there is one. */
export function drawTranslations(node, names, translations) {
  node.replaceChildren(
    ...translations.flatMap((text, at) => [make("dt", {}, names[at]), make("dd", {}, text)]),
  );
}

/** A message with its bold parts; none of its values is read as Markdown. */
export function saidParts(words, { text, values }) {
  const said = ([name, value]) => [name, saidMessage(words, { text: `{${name}}`, values: { [name]: value } })];
  return filledParts(words.changes[text], Object.fromEntries(Object.entries(values).map(said)));
}

function mapOf(site, texts, frame, { values, on, rows }, heads) {
  const lacking = values.map((row) => (row.every((value) => value === null) ? texts.lacking : ""));
  if (!heads) return { ...frame, rows, values, on, lacking };
  const title = fillIn(texts.at, { kind: site.finding.kinds[frame.name], token: heads.tokens[frame.name] });
  return { ...frame, title, values, on, lacking };
}

/** What stands below maps of heads: the links of a head, at first of the one that moves most. */
function headsOf(site, texts, { maps, heads: { links, first } }, offers) {
  const name = (kind, layer, head) => `${site.finding.kinds[kind]} ${layer + 1}.${head + 1}`;
  const names = maps.map(({ name: kind, values }) => [
    kind, values.map((row, layer) => row.map((_, head) => name(kind, layer, head))),
  ]);
  return { offers: { ...site.offers, ...offers }, texts, names: Object.fromEntries(names), links, first };
}
