import { linkOf } from "../../javascript/address.js";
import { make, setText } from "../../javascript/dom.js";
import { appLink } from "../../javascript/visit.js";
import "./head_links.css";

/** What the chosen head offers beside its name: its numbers, where else it does that, and to switch it off. */
export function linksOfHead(texts) {
  const numbers = appLink({ "data-link": "numbers" }, texts.numbers);
  const off = appLink({ "data-link": "off" }, texts.off);
  const alike = appLink({ "data-link": "alike", title: texts.alikeLong }, texts.alike);
  const node = make("span", { class: "head-links", role: "group", "aria-label": texts.group }, numbers, alike, off);
  const show = (place, offers) => {
    const values = { kind: place.kind, layer: place.layer + 1, head: place.head + 1 };
    alike.href = linkOf(offers.alike, values);
    alike.hidden = window.location.pathname.endsWith("/atlas");
    const on = offers.on[`${values.kind} ${values.layer} ${values.head}`];
    numbers.href = linkOf(offers.numbers, values);
    numbers.hidden = window.location.pathname.endsWith("/head");
    setText(off, on ? texts.on : texts.off);
    off.href = linkOf(on ?? offers.off[values.kind], values);
    node.dataset.off = String(Boolean(on));
  };
  return { node, show };
}
