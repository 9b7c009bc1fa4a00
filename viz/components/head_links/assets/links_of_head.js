import { focusHere, headOff, isOff, linkHere, linkTo, withEdit, withoutHead } from "../../javascript/links.js";
import { make, setText } from "../../javascript/dom.js";
import { appLink } from "../../javascript/visit.js";
import "./head_links.css";

/** What the chosen head offers beside its name: its numbers, and to switch it off or on again. */
export function linksOfHead(texts) {
  const numbers = appLink({ "data-link": "numbers" }, texts.numbers);
  const off = appLink({ "data-link": "off" }, texts.off);
  const node = make("span", { class: "head-links", role: "group", "aria-label": texts.group }, numbers, off);
  const show = (place, edits) => {
    const { kind, layer, head } = place;
    const chosen = { kind, layer: layer + 1, head: head + 1 };
    numbers.href = linkTo("head", { ...chosen, ...focusHere() });
    numbers.hidden = window.location.pathname.endsWith("/head");
    const silent = isOff(edits, place);
    setText(off, silent ? texts.on : texts.off);
    off.href = linkHere({
      ...chosen, edits: silent ? withoutHead(edits, place) : withEdit(edits, headOff(place)),
    });
    node.dataset.off = String(silent);
  };
  return { node, show };
}
