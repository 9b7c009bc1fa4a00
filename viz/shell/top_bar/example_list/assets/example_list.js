import "./example_list.css";
import { linkOf } from "../../../../components/javascript/address.js";
import { make, makeSvg } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { appLink } from "../../../../components/javascript/visit.js";

const LIST = "M4 6h.01M8 6h12M4 12h.01M8 12h12M4 18h.01M8 18h12";

export function render({ data, parentElement, setTriggerValue }) {
  const list = kept(parentElement, () => ({ text: null, take: null }));
  list.take = (place) => setTriggerValue("taken", place);
  if (list.text !== data.text) {
    list.text = data.text;
    mount(parentElement, drawn(JSON.parse(data.text), list));
  }
  return atEnd(parentElement);
}

/** Make a button and its list, which the browser opens, closes and puts above the whole page. */
function drawn(told, list) {
  const panel = make("div", { class: "panel", popover: "auto", role: "dialog", "aria-label": told.words.name });
  const close = () => panel.hidePopover();
  const take = (place) => {
    close();
    list.take(place);
  };
  panel.append(make("div", { class: "groups" }, ...told.groups.map((group) => groupOf(group, told, take, close))));
  const icon = makeSvg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, makeSvg("path", { d: LIST }));
  const name = make("span", { class: "name" }, told.words.name);
  const button = make("button", { type: "button", class: "opener", "aria-label": told.words.name, title: told.words.name }, icon, name);
  button.popoverTargetElement = panel;
  panel.addEventListener("toggle", ({ newState }) => {
    if (newState === "open") panel.querySelector("button")?.focus();
    else if (panel.contains(panel.getRootNode().activeElement)) button.focus(); // Chromium forgets it in a shadow
  });
  return make("div", { class: "examples" }, button, panel);
}

function groupOf({ title, cards }, { language, words }, take, close) {
  const own = cards.map(({ place, text, look, link }) => {
    const pick = () => take(place);
    const sentence = make("button", { type: "button", class: "sentence", lang: language || null, click: pick }, text);
    if (!look) return make("li", {}, sentence);
    // The address may change while the list is open: the link is completed when it is followed.
    const there = link && appLink({ class: "there", href: linkOf(link), "aria-label": `${words.look}: ${text}` }, words.look);
    there?.addEventListener("pointerdown", () => { there.href = linkOf(link); });
    there?.addEventListener("click", close);
    return make("li", {}, sentence, make("p", {}, look, " ", there));
  });
  const heading = title ? make("h2", {}, title) : null;
  return make("section", {}, heading, make("ul", {}, ...own));
}
