import { linkOf } from "../../javascript/address.js";
import { make, setText } from "../../javascript/dom.js";
import { appLink } from "../../javascript/visit.js";
import "./head_links.css";

/** The link to other places where a head looks like this, perhaps from a query to a key (pieces from 0). */
export function alikeLink({ kind, layer, head }, offers, query = null, key = null) {
  const at = query === null ? null : query + 1;
  return linkOf(offers.alike, {
    kind, layer: layer + 1, head: head + 1,
    word: kind === "encoder" ? at : null, step: kind === "encoder" ? null : at, key: key === null ? null : key + 1,
  });
}

/**
 * The links of the chosen head: to its numbers, to similar places, and to switch it off or on; those
 * that are offered. With `several` heads on screen, the links name their head.
 */
export function linksOfHead(texts) {
  const numbers = appLink({ "data-link": "numbers" }, texts.numbers);
  const off = appLink({ "data-link": "off" }, texts.off);
  const alike = appLink({ "data-link": "alike", title: texts.alikeLong }, texts.alike);
  const name = make("span", { class: "which" });
  const node = make("span", { class: "head-links", role: "group", "aria-label": texts.group }, name, numbers, alike, off);
  const show = (place, offers, { query, key, several = false } = {}) => {
    const values = { kind: place.kind, layer: place.layer + 1, head: place.head + 1 };
    setText(name, several ? `${values.layer}.${values.head}:` : "");
    name.hidden = !several;
    if (offers.alike) alike.href = alikeLink(place, offers, query, key);
    alike.hidden = !offers.alike || (!offers.apart && window.location.pathname.endsWith("/atlas"));
    const on = offers.on[`${values.kind} ${values.layer} ${values.head}`];
    if (offers.numbers) numbers.href = linkOf(offers.numbers, values);
    numbers.hidden = !offers.numbers || window.location.pathname.endsWith("/head");
    setText(off, on ? texts.on : texts.off);
    const change = on ?? offers.off[values.kind];
    off.hidden = !change;
    if (change) off.href = linkOf(change, values);
    node.dataset.off = String(Boolean(on));
  };
  return { node, show };
}
