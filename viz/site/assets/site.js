import { addressNow, readQuery, said, withParameters, writeQuery } from "../../components/javascript/address.js";
import { fillIn, make, setText } from "../../components/javascript/dom.js";
import { attentionOf } from "./attention.js";
import { decoderOf } from "./decoder.js";
import { loaded, packed } from "./files.js";
import { headPageOf } from "./head.js";
import { labHeadsOf } from "./lab_heads.js";
import { labMasksOf } from "./lab_masks.js";
import { modelOf, showProblem } from "./model_line.js";
import { strangeModel } from "./question.js";
import { offerShare } from "./share.js";
import { storyOf } from "./story.js";
import { traceOf } from "./trace.js";

/**
 * A page of the site: the component of the app at its place, with what was recorded instead of a
 * server. The address says what the app's does: `?sentence=...&kind=cross&layer=5&head=3`.
 */
export function start() {
  const told = JSON.parse(document.getElementById("told").textContent);
  const site = { ...told, parts: window.headlightParts, model: modelOf(told) };
  leaveLinksAlone();
  offerShare(site);
  if (site.parts.menu) site.told = menu(site);
  if (isOwn(site)) site.model.start().catch(() => {}); // the page says why
  const place = document.getElementById("examples") ? 0 : choice(site);
  const draw = PICTURES[site.page](site, host("picture"), place);
  draw.catch((error) => complain(site, error));
  const redraw = () => draw.then((again) => again()).catch(() => {});
  themeSwitch(redraw);
  tongues();
  models(site);
  if (said().get("embed") === "1") embed();
}

/** Tell whether a link asks for what was not recorded: the model is on its way while the page is drawn. */
function isOwn({ sentences }) {
  const sentence = said().get("sentence") ?? sentences[0]?.text;
  return document.getElementById("examples") && (sentence !== sentences[0].text || said().get("edits"));
}

/** Leave the picture, the changes in force, and a link to the whole page in the same view. */
function embed() {
  document.documentElement.dataset.embed = "yes";
  followAddress(document.getElementById("whole"), (link) => {
    link.href = withParameters(addressNow(), { embed: "" });
  });
}

/** Keep a link up to date with the address: it is written when somebody is about to open it. */
function followAddress(link, follow) {
  for (const name of ["pointerdown", "focus", "pointerenter"]) link.addEventListener(name, () => follow(link));
  follow(link);
}

/** Make a place for a component, beyond which its style sheet does not reach. */
function host(id) {
  return document.getElementById(id).attachShadow({ mode: "open" });
}

/**
 * Components follow their links within the app. Here each page is a file of its own: so the click on
 * a link to another one does not reach them, and the browser does what it does with any link.
 */
function leaveLinksAlone() {
  const isLink = (node) =>
    node instanceof HTMLAnchorElement && node.pathname !== window.location.pathname;
  const keep = (event) => event.composedPath().some(isLink) && event.stopPropagation();
  window.addEventListener("click", keep, true);
}

/** Fill in the choice of a recorded sentence, and return the number of the chosen one. */
function choice(site) {
  const { sentences, page } = site;
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
  site.told?.(sentences[number].looks, sentences[number].text);
  return number;
}

/**
 * The function that draws each page. It resolves to a function that draws the page again, for
 * another theme.
 */
const PICTURES = {
  async index(site, parentElement) {
    return storyOf(site, parentElement);
  },
  attention: attentionOf,
  head: headPageOf,
  lab_heads: labHeadsOf,
  lab_masks: labMasksOf,
  trace: traceOf,
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

/**
 * The head that a link names, or else the head on which a sentence opens; layer and head count
 * from 0.
 */
function headOf({ head: first, arrays }) {
  const [kind, layer, head] = ["kind", "layer", "head"].map((name) => said().get(name));
  const [, , [, layers, heads]] = arrays.find(([name]) => name === kind) ?? [0, 0, [0, 0, 0]];
  const among = (number, count) => /^\d+$/.test(number ?? "") && number >= 1 && number <= count;
  return among(layer, layers) && among(head, heads) ? [kind, layer - 1, head - 1] : first;
}

function complain(site, error) {
  showProblem(error.file ? fillIn(site.words.missing, { file: error.file }) : String(error));
}

/**
 * The menu of a token, with the pages that the site has. Returns a function that makes it the menu of
 * a sentence, whose head of each kind is at `heads`, counted from 0.
 */
function menu(site) {
  const { texts, looks } = site.menu;
  const node = make("div");
  document.body.append(node);
  const parentElement = node.attachShadow({ mode: "open" });
  const show = (heads, sentence) => {
    const to = (page, kind, says) => {
      const [layer, head] = (heads[kind] ?? [0, 0]).map((number) => String(number + 1));
      return { page: site.pages[page], along: ["edits"], says: { sentence, kind, layer, head, ...says } };
    };
    const offers = {
      source: [["attention", to("attention", "encoder", { word: "{place}" })]],
      target: [
        ["attention", to("attention", "cross", { step: "{place}" })],
        ["written", to("decoder", "cross", { step: "{place}" })],
      ],
      model: [], given: [], here: [],
    };
    const told = JSON.stringify({ words: [], offers, steps: ["sentence", "edits"], texts });
    site.parts.menu.render({ data: { told }, parentElement, setTriggerValue: () => {} });
  };
  show(looks, "{sentence}"); // the words of the story say themselves of which sentence they are
  return show;
}

/**
 * The choice of another model opens the same page with what somebody has typed. A link may name a
 * model that is not here.
 */
function models(site) {
  const box = document.getElementById("models");
  box?.addEventListener("change", () => {
    const sentence = document.getElementById("examples") ? (said().get("sentence") ?? "") : "";
    const typed = site.sentences.some(({ text }) => text === sentence) ? "" : sentence;
    window.location.href = withParameters(box.value, { sentence: typed });
  });
  const strange = strangeModel(site);
  if (strange && !document.getElementById("notes")) showProblem(strange);
}

function themeSwitch(redraw) {
  const { dataset } = document.documentElement;
  document.getElementById("theme").addEventListener("click", () => {
    dataset.theme = dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.headlightTheme = dataset.theme;
    } catch {
      // This browser keeps nothing for pages that are files; the next page asks the system again.
    }
    redraw();
  });
}

/** The other language shows the same sentence and view. */
function tongues() {
  for (const tongue of document.querySelectorAll("a.tongue")) {
    const page = tongue.href;
    followAddress(tongue, (link) => {
      link.href = withParameters(page, Object.fromEntries(said())) + window.location.hash;
    });
  }
}
