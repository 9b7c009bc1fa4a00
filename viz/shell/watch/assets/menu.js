import { fillIn, make } from "../../../components/javascript/dom.js";
import { linkHere, linkTo, withEdit } from "../../../components/javascript/links.js";
import { appLink } from "../../../components/javascript/visit.js";

/** The menu beside a token that was clicked: links to the pages, with this token in the focus. */
export function tokenMenu(app) {
  const node = make("div", { class: "menu", role: "menu", hidden: true });
  const close = () => (node.hidden = true);
  const open = (token) => {
    const links = linksOf(app.told, token);
    if (!links.length) return;
    const { texts } = app.told;
    node.setAttribute("aria-label", fillIn(texts.menu, { token: token.name }));
    node.replaceChildren(
      make("b", {}, token.name),
      ...links.map(([name, href]) =>
        appLink({ href, role: "menuitem", "data-name": name }, texts[name])),
    );
    for (const link of node.querySelectorAll("a")) link.addEventListener("click", close);
    node.hidden = false;
    putBelow(node, token);
    if (token.keyboard) node.querySelector("a").focus();
  };
  return { node, open, close };
}

/** Below the token, or where there is room. */
function putBelow(node, { left, bottom }) {
  const { width, height } = node.getBoundingClientRect();
  node.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
  node.style.top = `${Math.max(8, Math.min(bottom + 6, window.innerHeight - height - 8))}px`;
}

/** What a token offers, as names and links. */
function linksOf(told, token) {
  const { model, given, onlyHere, place } = token;
  if (onlyHere) return [["attention", linkHere({ step: String(place + 1) })]];
  if (model) return [["attention", linkTo("attention", { model, kind: "cross", step: place + 1 })]];
  if (given) return [["written", linkTo("decoder", { given, branch: 1, step: place + 1 })]];
  return ownLinks(told, token);
}

/** Of this sentence and the translation of the model in force: nothing for what is neither. */
function ownLinks({ words, kind, heads }, { side, place, sentence, span }) {
  const source = side === "source";
  const own = source ? "encoder" : kind === "encoder" ? "cross" : kind;
  if (!words.length || !heads[own]) return [];
  const focus = source ? { word: place + 1 } : { step: place + 1 };
  if (sentence) focus.sentence = sentence;
  const [layer, head] = heads[own];
  const stack = source ? "encoder" : "decoder";
  const chosen = { kind: own, layer: layer + 1, head: head + 1, ...focus };
  const links = [
    ["attention", linkTo("attention", chosen)],
    ["layers", linkTo("layers", { ...chosen, stack, layers: "one token" })],
    ["neighbours", linkTo("tokens", { ...chosen, tokens: "neighbours", pieces_of: side })],
  ];
  const masked = source ? span ?? words[place] : null;
  if (masked) {
    const edits = new URLSearchParams(window.location.search).get("edits") ?? "";
    const hidden = withEdit(edits, `hide.${masked[0] + 1}-${masked[1] + 1}`);
    links.push(["mask", linkTo("lab_masks", { ...chosen, edits: hidden })]);
  }
  return links;
}
