import "./lesson_bar.css";
import { finish, keepAnswer } from "../../../../components/javascript/answers.js";
import { linkOf } from "../../../../components/javascript/address.js";
import { make } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { appLink, visit } from "../../../../components/javascript/visit.js";

export function render({ data, parentElement }) {
  const card = (parentElement.getRootNode().host ?? parentElement).closest(".st-key-lesson");
  const bar = kept(parentElement, () => listen(card));
  if (bar.text !== data.text) {
    const before = bar.told?.number;
    bar.text = data.text;
    bar.told = JSON.parse(data.text);
    if (bar.told.number !== before) card?.scrollTo(0, 0);
    if (bar.told.answer) keepAnswer(bar.told.answer);
    if (bar.told.finished) finish(bar.told.name);
    mount(parentElement, drawn(bar.told));
  }
  if (card) {
    card.setAttribute("aria-live", "polite"); // the next scene and the right answer are read out
    showAnswer(bar, card);
  }
  return atEnd(parentElement, () => bar.leave());
}

function drawn({ title, number, count, before, after, leave, words }) {
  const turn = (link, sign, name, className) =>
    link
      ? appLink({ class: `turn ${className}`, href: link, title: name, "aria-label": name }, sign)
      : make("span", { class: `turn ${className} none`, "aria-hidden": "true" }, sign);
  return make(
    "nav", { class: "bar", "data-scene": number, "aria-label": title },
    make("span", { class: "title" }, title),
    make(
      "span", { class: "turns" }, turn(before, "‹", words.before, "before"),
      make("span", { class: "count" }, `${number} / ${count}`), turn(after, "›", words.after, "after"),
    ),
    toolsButton(words),
    make("button", { type: "button", class: "leave", title: words.leave, "aria-label": words.leave, click: () => visit(linkOf(leave)) }, "×"),
  );
}

/** Make the button that shows, or hides again, what lesson.css folds away on stage. */
function toolsButton(words) {
  const root = document.documentElement;
  const name = "data-headlight-tools";
  const turn = () => {
    button.setAttribute("aria-pressed", root.toggleAttribute(name));
    window.dispatchEvent(new Event("resize")); // so that pictures take the new room
  };
  const button = make("button", {
    type: "button", class: "tools", title: words.tools, "aria-label": words.tools,
    "aria-pressed": root.hasAttribute(name), click: turn,
  }, "⚙");
  return button;
}

/** Show the answer that a choice brings: on a low screen it comes below the edge of the card. */
function showAnswer(bar, card) {
  const answer = card.querySelector(".st-key-lesson-answer");
  if (!answer) bar.open = bar.told?.number;
  else if (bar.open === bar.told?.number) {
    bar.open = null;
    answer.scrollIntoView({ block: "nearest" });
  }
}

/** Listen to keys on the whole page. The explorer and others listen too, but the bar hears first. */
function listen(card) {
  const bar = { told: null, text: null, open: null }; // open: the scene that was seen without its answer
  const watching = new MutationObserver(() => showAnswer(bar, card));
  if (card) watching.observe(card, { childList: true, subtree: true });
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !bar.told) return;
    if (isForSomeoneElse(event)) return;
    const link = { ArrowLeft: bar.told.before, ArrowRight: bar.told.after }[event.key];
    if (link === undefined && event.key !== "Escape") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === "Escape") visit(linkOf(bar.told.leave));
    else if (link) visit(link);
  };
  window.addEventListener("keydown", press, true);
  const step = (event) => {
    const link = bar.told && (event.detail < 0 ? bar.told.before : bar.told.after);
    if (!link) return;
    event.preventDefault(); // claim it before the page does, which may have its own steps
    visit(link);
  };
  window.addEventListener("headlight-step", step, true);
  bar.leave = () => {
    watching.disconnect();
    window.removeEventListener("keydown", press, true);
    window.removeEventListener("headlight-step", step, true);
  };
  return bar;
}

/** Tell whether a key is for a field, a slider or a list, which use the arrows themselves. */
function isForSomeoneElse(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  const own = "input, select, textarea, dialog, canvas, [contenteditable=true], [role=listbox]," +
    " [role=slider], [role=tab], [role=radio], [role=menu], [role=dialog]";
  return target.closest(own) !== null;
}
