import { make } from "../../javascript/dom.js";
import { linkHere } from "../../javascript/links.js";
import { segmented } from "../../javascript/segmented.js";
import { visit } from "../../javascript/visit.js";
import { besideOf } from "./comparison.js";
import { parametersOf } from "./state.js";

/** What the head is compared with: another head, or itself on another sentence. */
export function compareChoice(app) {
  let asking = false; // for a sentence that is not there yet
  const mode = segmented(
    app.say("compare with"),
    [["head", app.say("another head")], ["sentence", app.say("another sentence")]],
    (name) => {
      asking = name === "sentence" && !app.payload.other;
      if (asking) show();
      else app.set({ beside: name === "sentence" ? "sentence" : null });
      if (name === "sentence") second.input.focus();
    },
  );
  const heads = headChoice(app);
  const second = sentenceChoice(app);
  const both = app.address.inApp || app.payload.other;
  const node = make(
    "div", { class: "compare-choice" },
    make("span", { class: "label" }, app.say("compare with")), both ? mode.node : null, heads.node, second.node,
  );
  const show = () => {
    const sentence = asking || app.state.beside === "sentence";
    mode.show(sentence ? "sentence" : "head");
    heads.node.hidden = sentence;
    second.node.hidden = !sentence || !app.address.inApp;
    heads.show();
  };
  return { node, show: () => { if (app.payload.other) asking = false; show(); } };
}

function headChoice(app) {
  const choose = () => app.set({ beside: { layer: Number(layer.value), head: Number(head.value) } });
  const layer = make("select", { "aria-label": app.say("beside layer"), change: choose });
  const head = make("select", { "aria-label": app.say("beside head"), change: choose });
  const node = make("span", { class: "heads-beside" }, layer, head);
  const fill = (select, count, name) => {
    if (select.options.length === count) return;
    select.replaceChildren(...Array.from({ length: count }, (_, at) =>
      make("option", { value: at }, app.say(name, { head: at + 1, layer: at + 1 }))));
  };
  const show = () => {
    const { layers, heads } = app.payload.kinds[app.state.kind];
    fill(layer, layers, "layer number");
    fill(head, heads, "head");
    const beside = besideOf(app);
    layer.value = String(beside.layer);
    head.value = String(beside.head);
  };
  return { node, show };
}

/** The app records the other sentence: so it goes into the link, which the app follows. */
function sentenceChoice(app) {
  const { header, other } = app.payload;
  const input = make("input", {
    type: "text", maxlength: 600, "aria-label": app.say("other sentence"),
    value: other?.header.sentence ?? header.sentence,
  });
  const submit = (event) => {
    event.preventDefault();
    if (!input.value.trim()) return;
    const own = parametersOf({ ...app.state, view: "compare", beside: "sentence" });
    visit(linkHere({ ...own, second: input.value }));
  };
  const node = make(
    "form", { class: "sentence-beside", submit }, input,
    make("button", { type: "submit", class: "plain" }, app.say("compare")),
  );
  return { node, input };
}
