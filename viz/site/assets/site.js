import { readQuery, said, withParameters, writeQuery } from "../../components/javascript/address.js";
import { fillIn, make, setText } from "../../components/javascript/dom.js";
import { decoderOf } from "./decoder.js";
import { loaded, packed } from "./files.js";
import { modelOf, showProblem } from "./model_line.js";

/**
 * A page of the site: the component of the app at its place, with what was recorded instead of a
 * server. The address says what the app's does: `?sentence=...&kind=cross&layer=5&head=3`.
 */
export function start() {
  const told = JSON.parse(document.getElementById("told").textContent);
  const site = { ...told, parts: window.headlightParts, model: modelOf(told) };
  leaveLinksAlone();
  const place = choice(site);
  const draw = PICTURES[site.page](site, host("picture"), place);
  draw.catch((error) => complain(site, error));
  const redraw = () => draw.then((again) => again()).catch(() => {});
  themeSwitch(redraw);
  tongues();
  if (site.parts.menu) menu(site, place);
}

/** A place of its own for a component, whose style sheet reaches no further. */
function host(id) {
  return document.getElementById(id).attachShadow({ mode: "open" });
}

/**
 * Components follow their links within the app, which a file cannot: it may not change its path.
 * So the click does not reach them, and the browser does what it does with any link.
 */
function leaveLinksAlone() {
  const isLink = (node) => node instanceof HTMLAnchorElement;
  const keep = (event) => event.composedPath().some(isLink) && event.stopPropagation();
  window.addEventListener("click", keep, true);
}

/** Fill in the choice of a sentence, and return the number of the chosen one. */
function choice({ sentences, page }) {
  if (!sentences.length) return 0;
  const asked = sentences.findIndex(({ text }) => text === said().get("sentence"));
  const number = Math.max(0, asked);
  const box = document.getElementById("sentence");
  const linkTo = (at) => `${page}.html?${writeQuery({ sentence: sentences[at].text })}`;
  const at = (step) => (number + step + sentences.length) % sentences.length;
  box.value = sentences[number].text;
  box.addEventListener("change", () => (window.location.href = linkTo(box.selectedIndex)));
  document.getElementById("before").href = linkTo(at(-1));
  document.getElementById("after").href = linkTo(at(1));
  const { look, ways } = sentences[number];
  setText(document.getElementById("look"), look);
  const links = ways.map(([name, href]) => make("a", { href }, name));
  document.getElementById("ways").replaceChildren(...links.flatMap((link, n) => (n ? [" · ", link] : [link])));
  return number;
}

/** How each page draws; the promise is of a function that draws it again, for another theme. */
const PICTURES = {
  async index({ common, parts }, parentElement) {
    const shown = Math.max(0, common.sentences.indexOf(said().get("sentence")));
    const data = { text: JSON.stringify({ ...common, shown }) };
    const draw = () => parts.index.render({ data, parentElement });
    draw();
    return draw;
  },
  async attention(site, parentElement, number) {
    const { header, body } = await loaded(site, `attention-${number}`);
    const app = site.parts.attention.inFile(parentElement, packed(header, body), lookOf(said()));
    return () => app.receive(app.bytes);
  },
  async decoder(site, parentElement, number) {
    const hash = window.location.hash.slice(1);
    return decoderOf(site, parentElement, number, readQuery(hash.includes("=") ? hash : said()));
  },
  async learning(site, parentElement, number) {
    const { header, body } = await loaded(site, `learning-${number}`);
    const data = packed({ ...header, head: headOf(header) }, body);
    const draw = () => site.parts.learning.render({ data, parentElement });
    draw();
    return draw;
  },
};

/** The view of the explorer that a link asks for: what the app calls a word or a step is a query that is locked. */
function lookOf(asked) {
  const view = readQuery(String(asked));
  const query = asked.get(asked.get("kind") === "encoder" ? "word" : "step");
  for (const name of ["sentence", "word", "step"]) view.delete(name);
  if (query && !view.has("lock")) {
    view.set("lock", `q${query}`);
    if (!view.has("aids")) view.set("aids", "words");
  }
  return String(view);
}

/** The head that a link names, else the one that a sentence opens at; layer and head from 0. */
function headOf({ head: first, arrays }) {
  const [kind, layer, head] = ["kind", "layer", "head"].map((name) => said().get(name));
  const [, , [, layers, heads]] = arrays.find(([name]) => name === kind) ?? [0, 0, [0, 0, 0]];
  const among = (number, count) => /^\d+$/.test(number ?? "") && number >= 1 && number <= count;
  return among(layer, layers) && among(head, heads) ? [kind, layer - 1, head - 1] : first;
}

function complain(site, error) {
  showProblem(error.file ? fillIn(site.words.missing, { file: error.file }) : String(error));
}

/** The menu of a token, with the pages that the site has. */
function menu(site, number) {
  const { texts } = site.menu;
  // The words of the story say themselves of which sentence they are.
  const { text: sentence, looks } = site.sentences[number] ?? { text: "{sentence}", looks: site.menu.looks };
  const to = (page, kind, says) => {
    const [layer, head] = (looks[kind] ?? [1, 1]).map(String);
    return { page: site.pages[page], along: [], says: { sentence, kind, layer, head, ...says } };
  };
  const offers = {
    source: [["attention", to("attention", "encoder", { word: "{place}" })]],
    target: [
      ["attention", to("attention", "cross", { step: "{place}" })],
      ["written", to("decoder", "cross", { step: "{place}" })],
    ],
    model: [], given: [], here: [],
  };
  const node = make("div");
  document.body.append(node);
  const told = JSON.stringify({ words: [], offers, steps: [], texts });
  const parentElement = node.attachShadow({ mode: "open" });
  site.parts.menu.render({ data: { told }, parentElement, setTriggerValue: () => {} });
}

function themeSwitch(redraw) {
  const { dataset } = document.documentElement;
  document.getElementById("theme").addEventListener("click", () => {
    dataset.theme = dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.headlightTheme = dataset.theme;
    } catch {
      // a browser that keeps nothing for files: the next page asks the system again
    }
    redraw();
  });
}

/** The other language shows the same sentence and view. */
function tongues() {
  for (const link of document.querySelectorAll("a.tongue")) {
    const page = link.href;
    const follow = () => {
      const all = Object.fromEntries(said());
      link.href = withParameters(page, all) + window.location.hash;
    };
    for (const name of ["pointerdown", "focus", "pointerenter"]) link.addEventListener(name, follow);
    follow();
  }
}
