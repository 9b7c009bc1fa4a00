import { said } from "../../components/javascript/address.js";
import { levelOf, lookup } from "../../components/javascript/colours.js";
import { fillIn, make, setText } from "../../components/javascript/dom.js";
import { inflated, readMessage } from "../../components/javascript/message.js";
import { makeAsker } from "./asker.js";
import { bodyOf, loaded, packed } from "./files.js";
import { readFocus } from "./focus.js";
import { formulaLinks } from "./formulas.js";
import { headFinding } from "./head_said.js";
import { mathOf } from "./mathml.js";
import { followQuestion, showChanges, showNotes } from "./question.js";

const PARTS = ["picker", "links", "row", "head", "products"];
const LIMITS = { least: 0.1, most: 5 }; // of the temperature, as in the app

/**
 * One head of any sentence by its numbers: the opening sentence was recorded, and the model
 * computes all others. Resolves to a function that draws it again.
 */
export async function headPageOf(site, parentElement) {
  const { header: first, body } = await loaded(site, "head-0");
  const recorded = { header: { ...first, off: {} }, offers: site.offers, body: await inflated(body) };
  const page = builtParts(site, parentElement, first.texts, (parameters) => choose(parameters));
  const app = { shown: null };

  const draw = (shown = app.shown) => {
    app.shown = shown;
    const { kind, layer, head } = shown.header.place;
    site.told({ ...site.menu.looks, [kind]: [layer, head] }, shown.header.sentence);
    drawParts(site, page, shown, choose);
  };
  const opening = () => {
    showNotes(site, {});
    showChanges(site, [], question.go);
    draw(recorded);
  };
  const answered = async ({ message: { header, arrays, off }, offers, changes, ...answer }) => {
    showNotes(site, answer);
    showChanges(site, changes, question.go);
    const { arrays: named, body: numbers } = bodyOf(arrays);
    draw({ header: { ...first, ...header, off, arrays: named }, offers, body: numbers });
  };
  const asker = makeAsker(site, parentElement.host, answered, opening);
  const take = ({ sentence, edits }) => {
    const focus = focusNow();
    const teaching = teachingNow();
    const isOwn = sentence === site.sentences[0].text && !edits && !Object.keys(teaching).length;
    const isThere = Object.entries(focus).every(([name, value]) => value === null || value === placeNow(recorded.header)[name]);
    if (isOwn && isThere) return asker.open();
    const opens = site.sentences.find(({ text }) => text === sentence)?.opens ?? null;
    const { aligned, story } = site;
    return asker.ask({ ask: "head", text: sentence, edits, focus, teaching, opens, aligned, story });
  };
  const question = followQuestion(site, take);
  function choose(parameters) {
    question.go(parameters, true);
  }
  await take(question.now());
  return () => draw();
}

/** The head and the query of the address; what is said of any query is said of both kinds. */
export function focusNow() {
  const { query, ...focus } = readFocus(said());
  return { ...focus, word: focus.word ?? query, step: focus.step ?? query };
}

/** The head and the query of a picture in the form of the address; the other kinds have no query. */
function placeNow({ place }) {
  const { kind, layer, head, query } = place;
  return { kind, layer, head, [kind === "encoder" ? "word" : "step"]: query };
}

/** What the address changes in the formula. */
function teachingNow() {
  const found = {};
  if (said().get("scaled") === "false") found.divide = false;
  if (said().get("rescaled") === "true") found.divide = true;
  const text = said().get("temperature") ?? "";
  const temperature = /^\d{1,2}(\.\d{1,3})?$/.test(text) ? Number(text) : 1;
  if (temperature >= LIMITS.least && temperature <= LIMITS.most && temperature !== 1) found.temperature = temperature;
  return found;
}

/** The places of the parts, and the controls of the formula, below one another. */
function builtParts({ formulas: { box } }, parentElement, texts, choose) {
  const finding = make("p", { class: "finding" });
  const places = Object.fromEntries(PARTS.map((name) => [name, make("div", { class: `part-${name}` })]));
  const divide = make("input", {
    type: "checkbox", change: () => choose({ scaled: "", rescaled: "", [divide.name]: divide.checked === divide.defaultChecked ? "" : String(divide.checked) }),
  });
  const value = make("output");
  const temperature = make("input", {
    type: "range", min: LIMITS.least, max: LIMITS.most, step: 0.1,
    input: () => setText(value, Number(temperature.value).toFixed(1)),
    change: () => choose({ temperature: Number(temperature.value) === 1 ? "" : String(Number(temperature.value)) }),
  });
  const entropy = make("span", { class: "entropy", role: "status" });
  const off = make("strong", { class: "off", role: "status" });
  const formula = make(
    "div", { class: "formula" },
    make("label", {}, divide, ` ${texts.divide}`), make("label", {}, `${texts.temperature} `, temperature, value), entropy, off,
  );
  const formulas = make("div", { class: "formulas" });
  const { picker, links, row, head, products } = places;
  parentElement.append(make("slot"));
  parentElement.host.append(make("div", { class: "head-choice" }, picker, links), row, finding, head, formula, make("details", {}, make("summary", {}, box), formulas), products);
  const hosts = Object.fromEntries(PARTS.map((name) => [name, places[name].attachShadow({ mode: "open" })]));
  return { hosts, finding, formulas, divide, temperature, value, entropy, off };
}

function drawParts(site, { hosts, finding, formulas, divide, temperature, value, entropy, off }, { header, offers, body }, choose) {
  const { place, queries, texts } = header;
  const theme = document.documentElement.dataset.theme;
  const render = (name, data, setTriggerValue) =>
    site.parts[name].render({ data, parentElement: hosts[name], setTriggerValue });
  const data = packed({ ...header, colours: header.themes[theme] }, body);
  const { arrays } = readMessage(data);
  render("picker", boardsOf(header, arrays, theme), (_name, press) => choose(placeOfPress(header, press)));
  render("links", { told: JSON.stringify({ place, offers, texts: header.links }) });
  const isSource = place.kind === "encoder";
  const writes = queries[place.query + 1] ?? texts.end;
  const row = {
    ...header.row, tokens: queries, special: header.special, chosen: place.query, model: "",
    side: isSource ? "source" : "target", note: isSource ? "" : fillIn(texts.writing, { word: writes }),
  };
  const asked = isSource ? "word" : "step";
  render("row", row, (_name, query) => choose({ query: "", lock: "", [asked]: String(query + 1) }));
  const weights = Array.from(arrays.weights.values);
  const isOff = header.isSilent || header.off[place.kind]?.[place.layer][place.head];
  const parts = headFinding(texts, { ...header, weights, isOff });
  finding.replaceChildren(...parts.map(([text, isBold]) => (isBold ? make("b", {}, text) : text)));
  render("head", data);
  formulas.replaceChildren(...formulaLinks(site.formulas, header, arrays).map(formulaBox));
  render("products", {});
  Object.assign(divide, { name: header.divides ? "scaled" : "rescaled", defaultChecked: header.divides });
  divide.checked = teachingNow().divide ?? header.divides;
  temperature.value = String(header.temperature);
  setText(value, header.temperature.toFixed(1));
  const [before, now] = header.entropy.map((nats) => nats.toFixed(2));
  setText(entropy, fillIn(header.isOther ? texts.changed : texts.entropy, { now, before }));
  setText(off, header.isSilent ? texts.silent : isOff ? texts.off : "");
}

/** A link of the chain with its formulas, in the order of the chain. */
function formulaBox({ title, text, formulas }, at) {
  return make(
    "section", {}, make("h3", {}, `${at + 1} · ${title}`), make("p", {}, text),
    make("div", { tabindex: "0", role: "group", "aria-label": title }, ...formulas.map((latex) => mathOf(latex, mathNode))),
  );
}

function mathNode(name, children, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/1998/Math/MathML", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** The parameters of a press on the boards; on the name of a kind, the place stays. */
export function placeOfPress({ place, picker }, { kind, layer, head }) {
  const { layers } = picker.boards.find((one) => one.kind === kind);
  const says = { kind, layer: layer ?? Math.min(place.layer, layers - 1), head: head ?? place.head };
  return { ...says, layer: String(says.layer + 1), head: String(says.head + 1), heads: "" };
}

/** What the boards show: a miniature of each head, those that are off, and the chosen one. */
export function boardsOf({ picker, place, off, scales }, arrays, theme) {
  const table = lookup(scales[theme]);
  const boards = picker.boards.map((board) => ({
    ...board, picture: painted(arrays[`tiles ${board.kind}`], table), off: off[board.kind] ?? board.off,
  }));
  const { kind, layer, head } = place;
  const { names } = boards.find((one) => one.kind === kind);
  return { ...picker, boards, chosen: { kind, layer, head }, name: names[layer][head] };
}

/** Levels as a picture in the colours of a table, as a data address. */
function painted({ shape: [height, width], values }, table) {
  const canvas = make("canvas", { width, height });
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  values.forEach((level, at) => image.data.set([...levelOf(table, level), 255], 4 * at));
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}
