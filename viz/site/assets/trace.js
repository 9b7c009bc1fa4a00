import { said } from "../../components/javascript/address.js";
import { make, setText } from "../../components/javascript/dom.js";
import { makeAsker } from "./asker.js";
import { loaded } from "./files.js";
import { followQuestion, showChanges, showNotes } from "./question.js";

/**
 * The trace of any two sentences: the opening pair was recorded, and the model computes all others,
 * with one run for each cell. A press on a cell takes that vector from the other sentence, and the
 * translation follows. Resolves to a function that draws it again.
 */
export async function traceOf(site, parentElement) {
  const { header: first } = await loaded(site, "trace-0");
  const app = { shown: null, key: "" }; // the key names the two sentences and the view that are shown
  const second = document.getElementById("second");
  const page = tracePage(parentElement, first, (name) => question.go({ traced: name === first.views[0][2] ? "" : name }));

  let asked = "";
  const draw = (shown = app.shown, key = app.key) => {
    Object.assign(app, { shown, key });
    drawTrace(site, page, first, shown, (edits) => question.go({ edits }));
  };
  const opening = () => {
    showNotes(site, {});
    showChanges(site, [], question.go);
    draw(first, JSON.stringify([first.sentence, first.second, first.part]));
  };
  const answered = ({ message, changes, ...answer }) => {
    showNotes(site, answer);
    showChanges(site, changes, question.go);
    draw(message, asked);
  };
  const asker = makeAsker(site, parentElement.host, answered, opening, (coming) => page.count(coming));
  const other = () => (said().get("second") ?? "").trim() || first.second;
  const take = ({ sentence, edits }) => {
    const part = (first.views.find(([, , name]) => name === said().get("traced")) ?? first.views[0])[0];
    const donor = other();
    page.count(null);
    if (document.activeElement !== second) second.value = donor;
    const isOwn = sentence === first.sentence && donor === first.second && !edits && part === first.part;
    if (isOwn) return asker.open();
    asked = JSON.stringify([sentence, donor, part]);
    const values = asked === app.key ? app.shown.maps.map((one) => one.values) : null;
    return asker.ask({ ask: "trace", text: sentence, donor, part, edits, values });
  };
  const question = followQuestion(site, take);
  second.value = other();
  second.addEventListener("input", () => site.model.soon(0));
  second.addEventListener("change", () => {
    const text = second.value.trim();
    question.go({ second: text === first.second ? "" : text, edits: withoutPatches() });
  });
  const pairs = document.getElementById("pairs");
  pairs.addEventListener("change", () => {
    const [, sentence, donor] = site.pairs[pairs.selectedIndex - 1];
    pairs.selectedIndex = 0;
    question.go({ sentence, second: donor === first.second ? "" : donor, edits: withoutPatches() });
  });
  await take(question.now());
  return () => draw();
}

/** The changes in force, without the vectors that were taken from another sentence. */
function withoutPatches() {
  const pieces = (said().get("edits") ?? "").split("_");
  return pieces.filter((piece) => !piece.startsWith("patch.")).join("_");
}

/** The places of the parts: the choice of a view, how far the runs are, the maps, and the translations. */
function tracePage(parentElement, { views, texts }, choose) {
  const buttons = views.map(([part, text, name]) =>
    make("button", { type: "button", "data-part": part, click: () => choose(name) }, text),
  );
  const bar = make("progress", { "aria-label": texts.doing });
  const counted = make("span");
  const progress = make("p", { class: "counted", role: "status" }, counted, " ", bar);
  const told = make("p", { class: "told" });
  const maps = make("div", { class: "trace-maps" });
  const translations = make("dl", { class: "translations" });
  parentElement.append(make("slot"));
  parentElement.host.before(progress);
  parentElement.host.append(make("div", { class: "views", role: "group" }, ...buttons), told, maps, make("p", { class: "told" }, texts.press), translations);
  const count = (coming) => {
    progress.hidden = !coming;
    if (!coming) return;
    const [done, all] = coming;
    Object.assign(bar, { value: done, max: all });
    setText(counted, `${texts.doing}: ${done} / ${all}`);
  };
  count(null);
  return { buttons, told, translations, count, host: maps.attachShadow({ mode: "open" }) };
}

function drawTrace(site, page, { frames, scales, titles, texts }, shown, press) {
  const { part, answers, arrows, maps, translations } = shown;
  const { told, ...frame } = frames[part];
  for (const button of page.buttons) button.setAttribute("aria-pressed", String(button.dataset.part === part));
  setText(page.told, told);
  page.count(null);
  const data = {
    ...frame,
    scale: scales[document.documentElement.dataset.theme],
    rivals: shown.rivals,
    answers: answers.map((likely, at) => ({ title: titles[at], likely })),
    arrows: arrows.map(({ from, to, moves }) => ({ from, to, words: moves ? texts.moves : "" })),
    maps: frame.maps.map((one, at) => {
      const { rows, values, on } = maps[at];
      const lacking = values.map((row) => (row.every((value) => value === null) ? texts.lacking : ""));
      return { ...one, rows, values, on, lacking };
    }),
  };
  const setTriggerValue = (_name, { name, row, column }) =>
    press(maps.find((one) => one.name === name).edits[row][column]);
  site.parts.trace.render({ data, parentElement: page.host, setTriggerValue });
  page.translations.replaceChildren(
    ...translations.flatMap((text, at) => [make("dt", {}, texts.translations[at]), make("dd", {}, text)]),
  );
}
