import "./story.css";
import { fillIn, make } from "../../../../components/javascript/dom.js";
import { offerToken } from "../../../../components/javascript/focus.js";
import { forget, kept, mount } from "../../../../components/javascript/mount.js";
import { appLink } from "../../../../components/javascript/visit.js";
import { arcs } from "./arcs.js";
import { numbers } from "./numbers.js";
import { line, wordSwitch } from "./words.js";

/**
 * The first page. Both sentences come with the first message; the switch between them is the
 * browser's alone. The window keeps it for the next picture: the first of all is drawn before the
 * page has one of its own.
 */
export function render({ data, parentElement }) {
  const story = kept(parentElement, () => ({ shown: window.headlightShown ?? 0, leave: () => {} }));
  if (story.data !== data.text) {
    story.leave();
    story.data = data.text;
    build(parentElement, story, JSON.parse(data.text));
    window.dispatchEvent(new Event("headlight-story"));
  }
  return () => {
    story.leave();
    forget(parentElement);
  };
}

function build(parent, story, told) {
  const { words } = told;
  const pick = (number) => {
    if (number === story.shown) return;
    story.shown = window.headlightShown = number;
    show(true);
  };
  const choice = wordSwitch(told.source[told.switch], words, pick);
  const offer = (side) => (node, number) => {
    const { texts, pieces } = told[side][number];
    const span = pieces[story.shown];
    const own = { sentence: told.sentences[story.shown], span };
    if (span) offerToken(node, side, span[0], texts[story.shown], false, own);
  };
  const switched = new Map([[told.switch, choice.node]]);
  const [from, to] = told.languages;
  const source = line("source", from, told.source, switched, offer("source"));
  const target = line("target", to, told.target, new Map(), offer("target"));
  const lines = { source, target };
  const stage = make("div", { class: "stage" }, source.node, make("div", { class: "air" }), target.node);
  const drawing = arcs(stage, lines, told);
  stage.prepend(drawing.node);
  const table = numbers(told, pick);
  const reading = make("p", { class: "reading", "aria-live": "polite" });
  const root = make(
    "main", { class: "story" },
    make("header", {}, make("h1", {}, words.name), make("p", { class: "promise" }, words.promise)),
    make("figure", { "aria-label": words.figure }, stage, reading),
    make("div", { class: "below" }, table.node, ways(told)),
    lessons(told),
  );
  root.classList.toggle("within", told.querySide === told.keySide);
  root.style.setProperty("--query", told.colours.query);
  root.style.setProperty("--key", told.colours.key);
  const show = (moving) => {
    root.dataset.shown = String(story.shown);
    for (const part of [choice, source, target, table]) part.show(story.shown);
    reading.replaceChildren(...sentence(told, story.shown));
    drawing.show(story.shown, moving);
  };
  mount(parent, root);
  const sizes = new ResizeObserver(() => drawing.moving() || show(false));
  sizes.observe(stage);
  document.fonts?.ready.then(() => root.isConnected && show(false));
  story.leave = () => {
    sizes.disconnect();
    drawing.leave();
  };
  show(false);
}

/** What is seen, in one sentence of this moment's own numbers. */
function sentence(told, shown) {
  const { words, head, nouns, query, querySide, keySide } = told;
  const keys = told[keySide].map(({ texts }) => texts[shown]);
  const weights = told.weights[shown][query];
  const strong = weights[nouns[0]] >= weights[nouns[1]] ? 0 : 1;
  const values = {
    head: head.name,
    word: told[querySide][query].texts[shown],
    one: keys[nouns[strong]],
    first: weights[nouns[strong]].toFixed(2),
    other: keys[nouns[1 - strong]],
    second: weights[nouns[1 - strong]].toFixed(2),
  };
  return fillIn(words.reading, values).split("*").map((part, n) => (n % 2 ? make("b", {}, part) : part));
}

function ways({ words, links }) {
  return make(
    "div", { class: "ways" },
    appLink({ class: "way first", href: links.follow }, words.follow),
    appLink({ class: "way", href: links.own }, words.own),
    make("p", { class: "caution" }, words.caution),
  );
}

function lessons({ words, lessons: all }) {
  if (!all.length) return null;
  const cards = all.map(({ title, lead, scenes, link }) =>
    make(
      "li", {},
      appLink(
        { href: link }, make("b", {}, title), make("span", { class: "lead" }, lead),
        make("span", { class: "count" }, scenes),
      ),
    ),
  );
  return make("section", { class: "lessons" }, make("h2", {}, words.lessons), make("ul", {}, ...cards));
}
