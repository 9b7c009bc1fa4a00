import { fillIn, make } from "../../../../components/javascript/dom.js";
import { finePercent } from "../../../../components/javascript/numbers.js";
import { chip } from "./parts.js";
import { logProbOf, nats, sideBySide } from "./scene.js";
import { removeBranch, show } from "./view.js";

/** All branches side by side: where they part, their log-probabilities, and buttons to undo them. */
export function makeBranches(app) {
  const { words } = app;
  const undo = make(
    "button",
    { type: "button", class: "plain undo", click: () => removeBranch(app, app.view.branches.length) },
    words.undo,
  );
  const hint = make("span", { class: "small" }, words["branches hint"]);
  const list = make("div", { class: "branch-list" });
  const title = make("div", { class: "row" }, make("h3", {}, words.branches), hint, undo);
  const node = make("section", { class: "card branches" }, title, list);
  const update = () => {
    const branches = sideBySide(app.scene);
    undo.hidden = app.view.branches.length === 0;
    hint.hidden = branches.length > 1;
    list.replaceChildren(...branches.map((branch, number) => branchRow(app, branch, number)));
  };
  return { node, update };
}

function branchRow(app, branch, number) {
  const { scene, view, words } = app;
  const active = number === view.branch && view.node === null;
  const choose = (step) => () => {
    Object.assign(view, { branch: number, node: null });
    show(app, step ? { step } : {});
  };
  const name = make("button", { type: "button", class: "branch-name", click: choose(null) });
  name.append(branchName(app, branch, number));
  const first = scene.branches[0];
  const chips = branch.steps.map(({ chosen, rank }, at) => {
    const values = { step: at + 1, probability: finePercent(Math.exp(chosen[2])), rank };
    const title = fillIn(words["piece hint"], values);
    const now = active && at === view.step - 1 ? "now" : "";
    const style = pieceStyle(branch, at, first);
    return chip(chosen[1], { class: `${style} ${now}`, title, "data-step": at + 1, click: choose(at + 1) });
  });
  const parting = partingOf(branch, first);
  if (number > 0 && parting < chips.length) chips.splice(parting, 0, partingMark(words, parting));
  return make(
    "div", { class: `branch${active ? " active" : ""}`, "data-branch": number },
    make("div", { class: "branch-head" }, name, worth(app, branch, number)),
    make("div", { class: "chips" }, ...chips),
    make("div", { class: "small", lang: app.scene.language }, branch.text),
  );
}

function branchName({ words, view }, branch, number) {
  if (branch.kind === "given") return words["your translation"];
  if (number > 0) return fillIn(words["what if"], { number });
  return words[view.strategy === "sampling" ? "free draw" : "free"];
}

/** The first step, from 0, at which a branch takes another piece than the first branch. */
function partingOf(branch, first) {
  const parts = ({ chosen }, at) => first.steps[at]?.chosen[0] !== chosen[0];
  const found = branch.steps.findIndex(parts);
  return found < 0 ? branch.steps.length : found;
}

function partingMark(words, parting) {
  const title = fillIn(words.parts, { step: parting + 1 });
  return make("span", { class: "parting", title, role: "img", "aria-label": title });
}

function pieceStyle(branch, at, first) {
  if (branch.kind === "forced" && at >= branch.kept && at < branch.kept + branch.forced) {
    return "forced";
  }
  return branch !== first && at < partingOf(branch, first) ? "shared" : "";
}

function worth(app, branch, number) {
  const { scene, words } = app;
  const own = logProbOf(branch);
  const node = make("span", { class: "worth" });
  node.append(make("span", {}, fillIn(words["log prob"], { value: nats(own) })));
  node.title = words["log prob hint"];
  if (number > 0) {
    const gap = own - logProbOf(scene.branches[0]);
    const value = `${gap >= 0 ? "+" : ""}${nats(gap)}`;
    node.append(make("small", { title: words["difference hint"] }, `Δ ${value}`));
  }
  if (branch.kind === "forced") {
    const click = () => removeBranch(app, number);
    const title = words.remove;
    node.append(make("button", { type: "button", class: "remove", title, "aria-label": title, click }, "×"));
  }
  return node;
}
