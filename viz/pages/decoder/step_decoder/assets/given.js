import { fillIn, make, setText } from "../../../../components/javascript/dom.js";
import { finePercent } from "../../../../components/javascript/numbers.js";
import { bar } from "./bars.js";
import { chip } from "./parts.js";
import { logProbOf, nats, shownBranch, sideBySide } from "./scene.js";
import { ask, show } from "./view.js";

/** Teacher forcing: the reader's own translation, with the model's probability of each piece. */
export function makeGiven(app) {
  const { words } = app;
  const input = make("input", {
    type: "text", "aria-label": words["given label"], placeholder: words["given label"],
    class: "wide", maxlength: 2000,
  });
  const submit = (event) => {
    event.preventDefault();
    setText(problem, input.value.trim() ? "" : words["given empty"]);
    if (input.value.trim()) judge(app, input.value.trim());
  };
  const clear = make(
    "button",
    { type: "button", class: "plain", click: () => ask(app, { given: "", branch: 0, node: null }) },
    words.clear,
  );
  const button = make("button", { class: "plain" }, words.judge);
  const form = make("form", { class: "row", submit }, input, button, clear);
  const table = make("div", { class: "scroll", tabindex: "0" });
  const problem = make("p", { class: "problem", role: "alert" });
  const hint = make("p", { class: "small" }, words["given hint"]);
  const node = make("div", {}, hint, form, problem, table);
  let shown = null;
  const update = () => {
    const { scene, view } = app;
    if (view.given !== shown) input.value = shown = view.given;
    clear.hidden = !view.given;
    const given = scene.branches.find(({ kind }) => kind === "given");
    table.replaceChildren(...(given ? givenTable(app, given) : []));
  };
  return { node, update };
}

function judge(app, text) {
  ask(app, { given: text, branch: app.view.branches.length + 1, node: null, step: 1 });
}

function givenTable(app, given) {
  const { words, scene } = app;
  const heads = ["step", "your piece", "probability", "rank", "model says"];
  const head = make("tr", {}, ...heads.map((name) => make("th", {}, words[name])));
  const rows = given.steps.map((step, at) => givenRow(app, given, step, at));
  const own = nats(logProbOf(scene.branches[0]));
  const sentence = words[app.view.strategy === "sampling" ? "total draw" : "total"];
  const total = fillIn(sentence, { log_prob: nats(logProbOf(given)), own });
  return [
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)),
    make("p", { class: "small" }, total),
  ];
}

function givenRow(app, given, step, at) {
  const { words, view } = app;
  const [id, token, logProb] = step.chosen;
  const [bestId, best, bestLogProb] = step.top[0];
  const now = shownBranch(app.scene, view) === given && at === view.step - 1;
  const choose = () => {
    view.branch = sideBySide(app.scene).indexOf(given);
    view.node = null;
    show(app, { step: at + 1 });
  };
  const says = id === bestId
    ? [words.same]
    : [chip(best), ` ${finePercent(Math.exp(bestLogProb))}`];
  const cells = [
    [String(at + 1)],
    [chip(token, { click: choose })],
    [bar(Math.exp(logProb), null), finePercent(Math.exp(logProb))],
    [String(step.rank)],
    says,
  ];
  const row = make("tr", { class: now ? "now" : "", "data-rank": step.rank });
  row.append(...cells.map((cell) => make("td", {}, ...cell)));
  return row;
}
