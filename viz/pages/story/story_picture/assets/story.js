import "./story.css";
import { lessonsFinished } from "../../../../components/javascript/answers.js";
import { make } from "../../../../components/javascript/dom.js";
import { offerToken } from "../../../../components/javascript/focus.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { appLink, WRITES } from "../../../../components/javascript/visit.js";
import { arcs } from "./arcs.js";
import { chances } from "./chances.js";
import { carrier, emphasised, everywhere, scissors } from "./cuts.js";
import { asker } from "./asking.js";
import { arcEnd, handle, lineEnd } from "./handle.js";
import { numbers } from "./numbers.js";
import { pairForm } from "./pair.js";
import { done, seen } from "./said.js";
import { lookAt, turnName } from "./state.js";
import { worded } from "./wording.js";
import { breadth, line, wordSwitch } from "./words.js";

const SHORT = 44; // letters: shorter sentences are written larger
const LARGEST = 1.35;

/**
 * The first page. The message has both sentences under every combination of changes, so switching
 * and cutting need no server. The address holds what is on screen, by which the page's own picture
 * follows the first picture of a visit, and the phones of a class follow their teacher.
 */
export function render({ data, parentElement, setTriggerValue }) {
  const story = kept(parentElement, () => begun());
  story.send = setTriggerValue;
  if (story.data !== data.text) {
    story.leave();
    story.data = data.text;
    story.told = { ...worded(JSON.parse(data.text)), known: new Map() };
    if (!setTriggerValue) story.told.lines = [[], []]; // nobody answers
    build(parentElement, story);
    window.dispatchEvent(new Event("headlight-story"));
  } else if (story.asked !== data.asked) story.follow();
  story.asked = data.asked;
  if (data.line) story.learn(data.line);
  story.form.follow(story.told, data, Boolean(setTriggerValue));
  return atEnd(parentElement, () => story.leave());
}

function begun() {
  const story = { leave: () => {} };
  story.form = pairForm((pair) => story.send("pair", pair));
  return story;
}

function build(parent, story) {
  const { told, form } = story;
  const look = lookAt(told);
  const choices = choicesOf(look, (moving) => show(moving));
  const questions = asker(told, look, (question) => story.send("line", question));
  const scene = stageOf(told, look, choices);
  const bars = chances(told);
  const table = numbers(told, choices.pick);
  const reading = make("p", { class: "reading", "aria-live": "polite" });
  const result = make("p", { class: "done", "aria-live": "polite" });
  const effect = make("div", { class: "effect" }, bars.node, result);
  const focused = form.node.contains(parent.activeElement) && parent.activeElement;
  form.say(told);
  const root = article(told, [scene.stage, effect, reading], form.node, table.node);
  const show = (moving) => {
    const { shown } = look;
    root.dataset.shown = String(shown);
    root.dataset.changed = look.changed();
    root.dataset.turned = turnName(look.turn);
    questions.ask();
    scene.lay();
    table.show(look);
    const after = look.effect();
    bars.show(after, after.before ?? told.likely[shown][0], moving);
    reading.replaceChildren(...seen(told, look));
    result.replaceChildren(...done(told, look));
    scene.drawing.show(moving);
  };
  mount(parent, root);
  if (focused) focused.focus();
  // An arc that is moving measures the places of the words in each frame by itself.
  const moved = () => {
    scene.lay();
    if (!scene.drawing.moving()) scene.drawing.show(false);
  };
  const sizes = new ResizeObserver(moved);
  sizes.observe(scene.stage);
  document.fonts?.ready.then(() => root.isConnected && moved());
  story.follow = () => look.read() && show(true);
  story.learn = (answer) => {
    const version = questions.learn(answer);
    if (version === null) return;
    if (answer.texts) scene.lines.target.add(version, answer.texts);
    show(!look.aim);
  };
  story.leave = () => {
    sizes.disconnect();
    bars.leave();
    scene.drawing.leave();
  };
  show(false);
}

/** What a press, a drag or a key changes of the view, each followed by `show`. */
function choicesOf(look, show) {
  const pick = (number) => {
    if (number === look.shown) return;
    look.pick(number);
    show(true);
  };
  const press = (name) => {
    look.toggle(name);
    show(true);
  };
  const aim = (turn) => {
    look.aim = turn;
    show(false);
  };
  const drop = (turn) => {
    look.aim = null;
    look.turnTo(turn);
    show(true);
  };
  return { pick, press, aim, drop };
}

function article(told, figure, form, table) {
  const { words, colours, arcs: all } = told;
  const root = make(
    "article", { class: "story" },
    make("header", {}, make("h1", {}, words.name), make("p", { class: "promise" }, words.promise)),
    make("figure", { "aria-label": words.figure }, ...figure),
    form,
    make("div", { class: "below" }, table, ways(told)),
    lessons(told),
  );
  root.classList.toggle("within", all.at(-1).querySide === all.at(-1).keySide);
  root.style.setProperty("--query", colours.query);
  root.style.setProperty("--key", colours.key);
  const sides = [told.source, told.target];
  const letters = Math.max(...sides.flatMap((side) => [0, 1].map((shown) => breadth(side, shown))));
  root.style.setProperty("--larger", String(Math.max(1, Math.min(LARGEST, SHORT / letters))));
  return root;
}

/** Both sentences with their arcs, and the buttons that change the model. */
function stageOf(told, look, { pick, press, aim, drop }) {
  const choice = wordSwitch(told.source[told.switch], told.words, pick);
  const shownVersion = () => look.effect().version;
  const offer = (side) => (node, number) => {
    const { texts, pieces } = told[side][number];
    const span = pieces[look.shown];
    // Other pages show the unchanged model, so they lack words that a change has made.
    const made = side === "target" && shownVersion() !== look.shown;
    const own = { sentence: told.sentences[look.shown], span };
    if (span && !made) offerToken(node, side, span[0], texts[look.shown], false, own);
  };
  const switched = new Map([[told.switch, choice.node]]);
  const [from, to] = told.languages;
  const source = line("source", from, told.source, switched, offer("source"));
  const target = line("target", to, told.target, new Map(), offer("target"));
  const cuts = scissors(told, press);
  const carry = carrier(told, press);
  const all = everywhere(told, press);
  const back = make("button", { type: "button", class: "change back", click: () => drop(null) }, `↺ ${told.words.back}`);
  const buttons = [...[...cuts, all, carry].filter(Boolean).map(({ node }) => node), back];
  const row = make("div", { class: "changes", role: "group", "aria-label": told.words.changes }, ...buttons);
  const stage = make(
    "div", { class: "stage" }, source.node, make("div", { class: "air" }), target.node, rolesOf(told.words), look.any || told.coming ? row : null,
  );
  const lines = { source, target };
  const grip = (end, keys) => handle(end, stage, keys, told.words.drag);
  const grips = told.arcs.map(({ keySide }, place) => grip(arcEnd(told, place, lines[keySide], look, { aim, drop }), lines[keySide]));
  const lineGrips = told.target.map((_word, number) => grip(lineEnd(told, number, look, { aim, drop }), source));
  const drawing = arcs(stage, lines, told, look, cuts, { grips, lineGrips });
  stage.prepend(drawing.node);
  const lay = () => {
    choice.show(look.shown);
    source.show(look.shown);
    target.show(shownVersion());
    cuts.forEach((cut, place) => cut?.show(look.shown, look.on.has(told.arcs[place].kind)));
    all?.show(look.cuts(), look.everywhere());
    carry?.show(look.shown, look.on.has("carry"));
    [...grips, ...lineGrips].forEach((one) => one?.show());
    back.hidden = !look.turn;
    for (const side of ["source", "target"]) {
      const aimed = look.aim && (told.arcs[look.aim.arc]?.keySide ?? "source") === side ? look.aim.word : null;
      lines[side].nodes.forEach((node, word) => node.classList.toggle("aimed", word === aimed));
    }
  };
  return { stage, drawing, lines, lay };
}

/** The colours of query and key, for a narrow screen, whose words have no room for names beside them. */
function rolesOf({ query, key }) {
  const ends = [["key", key], ["query", query]].map(([name, text]) => make("span", { class: `end ${name}` }, text));
  return make("p", { class: "roles" }, ...ends);
}

function ways({ words, links }) {
  const own = appLink({ class: "way", href: links.own }, words.own);
  own.addEventListener("click", () => sessionStorage.setItem(WRITES, "yes"));
  return make(
    "div", { class: "ways" },
    appLink({ class: "way first", href: links.follow }, words.follow),
    own,
    make("p", { class: "caution" }, ...emphasised(words.caution)),
    make("p", { class: "more" }, ...links.more.map(([text, href]) => appLink({ class: "alike", href }, text))),
  );
}

function lessons({ words, lessons: all }) {
  if (!all.length) return null;
  const finished = lessonsFinished();
  const cards = all.map(({ name, title, lead, scenes, start, link }) =>
    make(
      "li", {},
      appLink(
        { href: link, "data-lesson": name },
        start ? make("span", { class: "start" }, start) : null,
        make("b", {}, title), make("span", { class: "lead" }, lead),
        make(
          "span", { class: "count" }, scenes,
          finished.includes(name) ? make("span", { class: "finished" }, `✓ ${words.finished}`) : null,
        ),
      ),
    ),
  );
  return make("section", { class: "lessons" }, make("h2", {}, words.lessons), make("ul", {}, ...cards));
}
