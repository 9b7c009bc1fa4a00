import { linkOf } from "../../../components/javascript/address.js";
import { fillIn, make } from "../../../components/javascript/dom.js";
import { appLink } from "../../../components/javascript/visit.js";

/** Make the menu for a clicked token: links to the pages, with this token in focus. */
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

/** Put the menu below the token, or as near to it as there is room. */
function putBelow(node, { left, bottom }) {
  const { width, height } = node.getBoundingClientRect();
  node.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
  node.style.top = `${Math.max(8, Math.min(bottom + 6, window.innerHeight - height - 8))}px`;
}

/** Return the names and links that a token offers; tokens of another translation have their own. */
function linksOf({ offers, words }, token) {
  const { side, place, model, given, sentence, onlyHere } = token;
  const whose = onlyHere ? "here" : model ? "model" : given ? "given" : side;
  const masked = whose === "source" ? token.span ?? words[place] : null;
  const values = { place: place + 1, model, given, sentence, first: masked?.[0] + 1, last: masked?.[1] + 1 };
  return offers[whose]
    .filter(([name]) => name !== "mask" || masked)
    .map(([name, offer]) => [name, linkOf(offer, values)]);
}
