import { said } from "../../components/javascript/address.js";
import { lookup } from "../../components/javascript/colours.js";
import { make } from "../../components/javascript/dom.js";
import { inflated } from "../../components/javascript/message.js";
import { betweenPresses } from "../../components/javascript/presses.js";
import { paintTile } from "../../components/javascript/tile.js";
import { makeAsker } from "./asker.js";
import { loaded } from "./files.js";
import { drawLikelihoods } from "./likelihoods.js";
import { outcomeData } from "./outcome_words.js";
import { followQuestion, showChanges, showNotes } from "./question.js";

/**
 * A page that changes the model, for any sentence: the experiments and the outcome above a `panel` of
 * its own, whose state is in `page`.
 *
 * @typedef {{ places: string[], below: string[], state: object, asked: (page: object) => object,
 *   draw: (page: object) => void, measure: (page: object) => Promise<object> & { cancel: () => void }
 *   | null }} Panel `asked` is what the page's question has beside the sentence and its edits, and
 *   `places` name parts of the page, and `below` those below the probabilities; one whose name ends in
 *   "board" is a component's.
 */
export async function labOf(site, parentElement, panel) {
  const recorded = await loaded(site, `${site.page}-0`);
  const { lab } = recorded.header;
  const page = { site, lab, message: null, measured: null, ...panel.state, ...partsOf(parentElement, panel) };
  const opening = { ...recorded.header, tiles: await inflated(recorded.body) };
  page.redraw = () => {
    drawOutcome(page);
    panel.draw(page);
    const { likely } = page.message;
    const told = { ...lab.likelihoods, colours: lab.likelihoods.colours[themeNow()] };
    drawLikelihoods(page.likelihoods, told, likely, likely?.ahead);
  };
  page.measure = () => {
    page.measuring?.cancel();
    page.measuring = panel.measure(page);
  };
  const show = (message) => {
    page.message = message;
    page.redraw();
    page.measure();
  };
  const asker = makeAsker(site, parentElement.host, ({ message, changes, ...answer }) => {
    showNotes(site, answer);
    showChanges(site, changes, page.go);
    const { header, arrays } = message;
    const named = Object.entries(arrays).map(([name, { shape }]) => [name, 1, shape]);
    const tiles = Uint8Array.from(Object.values(arrays).flatMap(({ values }) => [...values]));
    show({ ...header, arrays: named, tiles });
  }, () => {
    showNotes(site, {});
    showChanges(site, [], page.go);
    show(opening);
  });
  const take = ({ sentence, edits }) => {
    page.measuring?.cancel();
    const own = panel.asked(page, edits);
    if (sentence === site.sentences[0].text && !edits && !own.other) return asker.open();
    const step = Number(said().get("step")) - 1;
    const focus = { rivals: site.rivals, step: step >= 0 ? step : null };
    return asker.ask({ ask: "change", text: sentence, edits, ...focus, ...own });
  };
  const question = followQuestion(site, take);
  Object.assign(page, { now: question.now, go: question.go, again: () => take(question.now()) });
  await page.again();
  return page.redraw;
}

/** The parts of the page: components in places of their own, and controls that the page's style reaches. */
function partsOf(shadow, { places, below }) {
  const names = ["experiments", "outcome_board", ...places, "likelihoods", ...below];
  const parts = Object.fromEntries(names.map((name) => [name, make("div", { class: name.replaceAll("_", "-") })]));
  shadow.append(make("slot"));
  shadow.host.append(...Object.values(parts));
  for (const name of names.filter((one) => one.endsWith("board"))) {
    parts[name] = parts[name].attachShadow({ mode: "open" });
  }
  return parts;
}

function drawOutcome(page) {
  const { site, lab, message: { outcome }, go } = page;
  const experiments = lab.experiments.map((one, at) => ({ ...one, edits: editsOf(page, at) }));
  const ahead = outcome.foreseen && experiments.find(({ foreseen }) => foreseen);
  const foreseen = ahead ? { name: ahead.name, part: "" } : null;
  const data = outcomeData(site.outcome, outcome, foreseen, lab.colours);
  site.parts.outcome.render({ data, parentElement: page.outcome_board });
  const now = said().get("edits") ?? "";
  page.experiments.replaceChildren(...experiments.map(({ name, doing, edits }) => make("button", {
    type: "button", title: doing, disabled: edits === null, "aria-pressed": String(edits === now && now !== ""),
    click: () => go({ edits: edits === now ? "" : edits }),
  }, name)));
}

/**
 * The edits of an experiment, which are known, depend on the sentence, or are measured; null
 * before that.
 */
function editsOf(page, at) {
  const { lab, message, mode } = page;
  return lab.experiments[at].edits?.[mode] ?? message.edits?.[at] ?? measuredNow(page)?.edits[at] ?? null;
}

/**
 * Ask the model which edits follow from the edits in force and a press, one press after the other,
 * and put them into the address; `refused(answer)` is called for an answer without edits.
 */
export function changeEdits(page, question, refused = () => {}) {
  const change = async () => {
    const { sentence, edits } = page.now();
    const answer = await page.site.model.ask({ text: sentence, edits, ...question });
    if (answer.edits === undefined) refused(answer);
    else if (answer.edits === edits) page.redraw();
    else page.go({ edits: answer.edits });
  };
  page.changing = (page.changing ?? Promise.resolve()).then(change).catch(() => {}); // the page has said why
}

/** What was measured on this sentence, in this mode; null before that. */
export function measuredNow({ measured, message, mode }) {
  return measured?.sentence === message.sentence && measured.mode === mode ? measured : null;
}

/** Ask the model to measure, and draw the page again with what it found. */
export function measuredBy(page, question, told) {
  const { site, message: { sentence }, mode } = page;
  const asked = site.model.ask({ ...question, text: sentence }, told);
  asked.then(async (found) => {
    await betweenPresses();
    page.measured = { ...found, sentence, mode };
    page.redraw();
  }, () => {}); // what needs it stays grey
  return asked;
}

/**
 * Tell whether heads or words of this sentence are measured: the model has been loaded, and the
 * sentence is not long.
 */
export function canMeasure(page) {
  return !measuredNow(page) && page.message.source.length <= page.lab.most && Boolean(document.body.dataset.model);
}

/** A choice among a few options under a name. */
export function optionsOf(label, options, current, pick) {
  const buttons = Object.entries(options).map(([value, text]) =>
    make("button", {
      type: "button", "aria-pressed": String(value === current), "data-value": value, click: () => pick(value),
    }, text));
  return make("fieldset", {}, make("legend", {}, label), ...buttons);
}

/** The miniatures of each kind as an image, in the colours of the theme. */
export function picturesOf({ lab, message }) {
  const table = lookup(lab.scale[themeNow()]);
  let start = 0;
  return message.arrays.map(([, , [rows, columns]]) => {
    const canvas = make("canvas");
    paintTile(canvas, message.tiles.subarray(start, start + rows * columns), rows, columns, table);
    start += rows * columns;
    return canvas.toDataURL();
  });
}

export function themeNow() {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}
