import { make } from "../../../../components/javascript/dom.js";

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** How many Latin letters a version of a sentence is as wide as: a Chinese letter counts twice. */
export function breadth(words, version) {
  const text = words.map(({ texts, spaced }) => (spaced ? " " : "") + texts[version]).join("");
  return [...text].reduce((sum, letter) => sum + (UNSPACED.test(letter) ? 2 : 1), 0);
}

/**
 * A sentence in words. A word that differs between versions changes its width with its text. `own`
 * has nodes that replace words, by their numbers; `offer` gets the node and the number of any other
 * word that is clicked.
 */
export function line(name, language, words, own, offer) {
  const nodes = [];
  const groups = [];
  words.forEach((word, number) => {
    const node = own.get(number) ?? plain(word);
    node.dataset.word = String(number);
    nodes.push(node);
    // A line must not break between words without a space, except between Chinese or Japanese ones.
    const joined = !word.spaced && groups.length;
    if (joined && !UNSPACED.test(word.texts[0])) groups.at(-1).node.append(node);
    else groups.push({ node: make("span", { class: "group" }, node), gap: joined ? make("wbr") : " " });
  });
  const node = make("p", { class: `line ${name}`, lang: language }, ...spread(groups));
  node.addEventListener("click", ({ target }) => {
    const word = target.closest("[data-word]");
    const number = Number(word?.dataset.word);
    if (word && !own.has(number)) offer(word, number);
  });
  const show = (version) => {
    for (const text of node.querySelectorAll("[data-of]")) {
      const on = text.dataset.of.split(" ").includes(String(version));
      text.classList.toggle("on", on);
      text.classList.toggle("shared", isShared(text));
      text.setAttribute("aria-hidden", String(!on));
      if (on) text.parentNode.style.width = `${text.offsetWidth}px`;
    }
  };
  /** The text of a word on screen. */
  const textOf = (number) => (nodes[number].querySelector(".on, [aria-checked='true']") ?? nodes[number]).textContent;
  /** Add a version of the line, with these texts of its words. */
  const add = (version, texts) => texts.forEach((text, number) => own.has(number) || addText(nodes[number], version, text));
  return { node, nodes, show, textOf, add };
}

/** True if both sentences have this text of a word: it only changes with the model. */
function isShared(text) {
  const versions = text.dataset.of.split(" ");
  return versions.includes("0") && versions.includes("1");
}

/** Add the text of a version to a word. */
function addText(word, version, text) {
  if (!word.querySelector("[data-of]")) {
    if (word.textContent === text) return;
    const before = Array.from({ length: version }, (_, number) => number).join(" ");
    word.classList.add("changing");
    word.replaceChildren(make("span", { "data-of": before }, word.textContent));
  }
  const same = [...word.children].find((span) => span.textContent === text);
  if (same) same.dataset.of += ` ${version}`;
  else word.append(make("span", { "data-of": String(version) }, text));
}

function spread(groups) {
  return groups.flatMap(({ node, gap }, number) => (number ? [gap, node] : [node]));
}

/** A word. If its versions differ, it holds each text once, with the numbers of that text's versions. */
function plain({ texts }) {
  const versions = [...new Set(texts)];
  if (versions.length === 1) return make("span", { class: "word" }, texts[0]);
  const numbers = (text) => texts.flatMap((one, number) => (one === text ? [number] : [])).join(" ");
  return make(
    "span", { class: "word changing" },
    ...versions.map((text) => make("span", { "data-of": numbers(text) }, text)),
  );
}

/** The word that differs, as the switch between the sentences. */
export function wordSwitch({ texts }, words, pick) {
  const buttons = texts.map((text, number) =>
    make("button", { type: "button", role: "radio", "data-sentence": number, click: () => pick(number) }, text),
  );
  const keys = { ArrowLeft: 0, ArrowUp: 0, ArrowRight: 1, ArrowDown: 1 };
  const press = (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    pick(keys[event.key]);
    buttons[keys[event.key]].focus();
  };
  const node = make(
    "span", { class: "word switch", role: "radiogroup", "aria-label": words.switch, keydown: press },
    ...buttons,
  );
  const show = (shown) =>
    buttons.forEach((button, number) => {
      button.setAttribute("aria-checked", String(number === shown));
      button.tabIndex = number === shown ? 0 : -1;
    });
  return { node, show };
}
