import { addressNow, readQuery, said, withParameters } from "../../components/javascript/address.js";
import { fillIn, make, setText, inARow } from "../../components/javascript/dom.js";
import { splitLanguage } from "../../live/target_language.js";
import { saidMessage } from "./intervention_words.js";

const PAUSE = 700; // milliseconds without a key before what was typed is asked

/**
 * The question of a page, as in the address of the app: its `sentence`, and its `edits`, the changes
 * in the model. `ask(question, answered)` is called for each one; a page that has no sentence yet
 * asks about the one that it opens with.
 */
export function followQuestion(site, ask) {
  const box = document.getElementById("sentence");
  const now = () => ({
    sentence: (said().get("sentence") ?? "").trim() || site.sentences[0].text,
    edits: (said().get("edits") ?? "").replace(/_of\.[0-9a-f]*$/, ""), // the link names its sentence itself
  });
  const take = () => {
    const question = now();
    if (document.activeElement !== box) box.value = question.sentence;
    carryOn(site, question);
    look(site, question);
    showTarget(question);
    ask(question);
  };
  const go = (parameters, replace = false) => {
    const link = withParameters(addressNow(), parameters);
    if (link === addressNow()) return;
    // A step for the Back button; without `visit`, shell/watch would take it for a change of the app.
    window.history[replace ? "replaceState" : "pushState"]({ visit: true }, "", link);
    take();
  };
  typed(site, box, (sentence, replace) => sentence !== now().sentence && go(toSentence(site, now(), sentence), replace));
  targets((language) => {
    box.value = `${language} ${splitLanguage(box.value)[1].trim()}`.trim();
    go(toSentence(site, now(), box.value));
  });
  examples(site, (query) => go({ ...toSentence(site, now(), query.get("sentence")), ...Object.fromEntries(query) }));
  window.addEventListener("popstate", take);
  carryOn(site, now());
  look(site, now());
  showTarget(now());
  if (box.value && document.activeElement === box) box.dispatchEvent(new Event("input")); // typed while the page came
  else box.value = now().sentence;
  site.model.soon();
  return { now, go };
}

/**
 * The parameters of the same page on another sentence, without those that name pieces of the old
 * one.
 */
function toSentence({ ofSentence, tied }, { edits }, sentence) {
  const kept = edits.split("_").filter((piece) => !tied.includes(piece.split(".")[0]));
  return { ...Object.fromEntries(ofSentence.map((name) => [name, ""])), sentence, edits: kept.join("_") };
}

/** Listen to the box: the first key fetches the model, and a pause or Enter asks the question. */
function typed(site, box, take) {
  let waiting = 0;
  let open = false; // whether a step in the history stands for what is being typed
  const send = (replace) => {
    clearTimeout(waiting);
    if (!box.value.trim()) return;
    take(box.value.trim(), replace && open);
    open = true;
  };
  box.addEventListener("input", () => {
    site.model.soon(0);
    clearTimeout(waiting);
    waiting = setTimeout(() => send(true), PAUSE);
  });
  box.addEventListener("change", () => {
    send(true);
    open = false;
  });
  box.form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(true);
    open = false;
  });
}

function examples({ sentences, page }, take) {
  const list = document.getElementById("examples");
  list.addEventListener("change", () => {
    const { text, link } = sentences[list.selectedIndex - 1];
    list.selectedIndex = 0;
    take(page === "attention" && link ? readQuery(link) : readQuery(`sentence=${encodeURIComponent(text)}`));
  });
}

/** The menu of target languages, for models that take one at the start of a sentence. */
function targets(take) {
  const list = document.getElementById("targets");
  list?.addEventListener("change", () => take(list.value));
}

function showTarget({ sentence }) {
  const list = document.getElementById("targets");
  if (!list) return;
  [list.value] = splitLanguage(sentence);
  if (list.selectedIndex < 0) list.selectedIndex = 0; // a language that the model does not have
}

/** Say what to look at in an example, and where else it is. */
function look({ sentences }, { sentence }) {
  const { look: text = "", ways = [] } = sentences.find((one) => one.text === sentence) ?? {};
  setText(document.getElementById("look"), text);
  const links = ways.map(([name, href]) => make("a", { href }, name));
  document.getElementById("ways").replaceChildren(...links.flatMap((link, at) => (at ? [" · ", link] : [link])));
}

/** Put the question into the links to other pages and languages. */
function carryOn({ sentences }, { sentence, edits }) {
  const own = sentence === sentences[0].text ? "" : sentence;
  for (const link of document.querySelectorAll("header nav a, .cards a")) {
    link.href = withParameters(link.href, { sentence: own, edits });
  }
}

/** Show the changes in force, each with a cross, and all of them with a button. */
export function showChanges(site, changes, go) {
  const row = document.getElementById("changes");
  row.hidden = !changes.length;
  const undo = (edits) => () => go({ edits });
  const chip = ({ text, without, words }) =>
    make(
      "button", { type: "button", class: "chip", title: site.words.undo, "data-edit": text, click: undo(without) },
      `${saidMessage(site.words, words)} ✕`,
    );
  row.replaceChildren(
    make("b", {}, site.words.changed), ...changes.map(chip),
    make("button", { type: "button", class: "reset", click: undo("") }, site.words.reset),
  );
}

/** Say that the link names a model which is not here; say nothing if it does not. */
export function strangeModel({ words, models: { name, all } }) {
  const asked = said().get("model") ?? "";
  return !asked || all.includes(asked) ? "" : fillIn(words.strangeModel, { asked: `'${asked.slice(0, 40)}'`, name });
}

/** Say what was left out of the question; "" removes the sentence. */
export function showNotes(site, { source, refused = [], leftOut = "" }) {
  const { words } = site;
  const strange = refused.map((piece) => piece.replace(/[^\w.~-]|~~+/g, "?").slice(0, 40));
  const notes = [
    strangeModel(site),
    source?.cut ? words.cut.replace("{count}", String(source.tokens.length - 1)) : "",
    strange.length ? words.refused.replace("{pieces}", strange.slice(0, 8).join(", ")) : "",
    leftOut ? words.leftOut.replace("{interventions}", leftOut.replaceAll("_", ", ").slice(0, 300)) : "",
  ];
  setText(document.getElementById("notes"), inARow(notes));
}
