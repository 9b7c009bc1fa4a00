import "./my_answers.css";
import { answersKept, forgetLessons } from "../../../../components/javascript/answers.js";
import { fillIn, make, setText } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";

/** The answers that this browser keeps: their number, and a file to hand in. Nothing is sent. */
export function render({ data, parentElement }) {
  const box = kept(parentElement, create);
  box.told = JSON.parse(data.text);
  show(box);
  mount(parentElement, box.root);
  return atEnd(parentElement, () => window.removeEventListener("headlight-answers", box.heard));
}

function create() {
  const box = { told: null };
  box.said = make("p", { class: "said", role: "status" });
  box.label = make("span", {});
  box.name = make("input", { type: "text", maxlength: "100", autocomplete: "name" });
  box.save = make("button", { type: "button", class: "save", click: () => save(box) });
  box.clear = make("button", { type: "button", class: "clear", click: forgetLessons });
  const name = make("label", {}, box.label, box.name);
  box.root = make("div", { class: "my-answers" }, box.said, name, box.save, box.clear);
  box.heard = () => show(box);
  window.addEventListener("headlight-answers", box.heard);
  return box;
}

function show(box) {
  const { words } = box.told;
  const answers = answersKept();
  const right = answers.filter((answer) => answer.right).length;
  setText(box.said, answers.length ? fillIn(words.kept, { count: answers.length, right }) : words.none);
  setText(box.label, words.name);
  setText(box.save, words.save);
  setText(box.clear, words.forget);
  box.save.disabled = box.clear.disabled = !answers.length;
  box.root.dataset.count = answers.length;
}

function save({ told, name }) {
  const content = { kind: told.kind, name: name.value.trim(), answers: answersKept() };
  const file = new Blob([JSON.stringify(content, null, 1)], { type: "application/json" });
  const link = make("a", { href: URL.createObjectURL(file), download: "headlight-answers.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
