import { linkOf, withParameters } from "../../javascript/address.js";
import { make } from "../../javascript/dom.js";
import { segmented } from "../../javascript/segmented.js";
import { visit } from "../../javascript/visit.js";
import { headName } from "./aids.js";
import { boardChoice } from "./board.js";
import { besideOf } from "./comparison.js";
import { dropdown } from "./dropdown.js";
import { parametersOf } from "./state.js";

/** The choice of a comparison: another head, or the same head on another sentence. */
export function compareChoice(app) {
  let asking = false; // true while a second sentence is wanted but not recorded yet
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
  const other = () => besideOf(app);
  const named = () => headName(app, other().layer, other().head);
  const heads = boardChoice(app, {
    label: app.say("beside head"), chosen: other, said: named,
    pick: (layer, head) => app.set({ beside: { layer, head } }),
  });
  const drop = dropdown(app.say("another head"), "beside-head", heads.node);
  drop.button.title = app.say("beside head");
  drop.fill = heads.show;
  const second = sentenceChoice(app);
  const both = app.address.inApp || app.payload.other;
  const node = make(
    "div", { class: "compare-choice" },
    make("span", { class: "label" }, app.say("compare with")), both ? mode.node : null, drop.node, second.node,
  );
  const show = () => {
    const sentence = asking || app.state.beside === "sentence";
    mode.show(sentence ? "sentence" : "head");
    drop.node.hidden = sentence;
    drop.name(named());
    second.node.hidden = !sentence || !app.address.inApp;
    if (!drop.panel.hidden) heads.show();
  };
  return { node, drop, show: () => { if (app.payload.other) asking = false; show(); } };
}

/** The box for the other sentence. It goes into a link of the app, which records it there. */
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
    visit(withParameters(linkOf(header.offers.compare, { second: input.value }), own));
  };
  const node = make(
    "form", { class: "sentence-beside", submit }, input,
    make("button", { type: "submit", class: "plain" }, app.say("compare")),
  );
  return { node, input };
}
