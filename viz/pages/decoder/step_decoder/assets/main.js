import "./style.css";
import { make, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { currentColours } from "../../../../components/javascript/palette.js";
import { segmented } from "../../../../components/javascript/segmented.js";
import { makeAlignment } from "./alignment.js";
import { makeBars } from "./bars.js";
import { makeBranches } from "./branches.js";
import { makeControls } from "./controls.js";
import { makeGiven } from "./given.js";
import { makeGrowth } from "./growth.js";
import { makePicture } from "./picture.js";
import { readScene } from "./scene.js";
import { makeTransport, onKey, onStep } from "./transport.js";
import { makeNodeBanner, makeTree } from "./tree.js";
import { adopt, stepCount } from "./view.js";

const TABS = ["alignment", "tree", "given", "growth"];

/** Build the decoder once; later calls bring new numbers, or another theme. */
export function render({ data, parentElement, setTriggerValue }) {
  const scene = readScene(data);
  const app = kept(parentElement, () => build(scene));
  mount(parentElement, app.root);
  app.answer = (value) => setTriggerValue("answer", value);
  if (!app.turn || scene.turn === app.turn) {
    adopt(app, scene);
    app.root.dataset.busy = "false";
    app.say(scene.problem);
  }
  app.colours = currentColours(app.root, scene.colours);
  paint(app);
  app.draw();
  return atEnd(parentElement, () => {
    clearInterval(app.playing);
    clearTimeout(app.sending);
    document.removeEventListener("keydown", app.onKey);
    window.removeEventListener("headlight-step", app.onStep);
  });
}

function build(scene) {
  const root = make("div", { class: "decoder" });
  const app = {
    root, scene, words: scene.words, view: { ...scene.view }, speed: 1, playing: null,
    turn: "", tab: scene.view.given ? "given" : scene.view.strategy === "beam" ? "tree" : "alignment",
  };
  app.onKey = (event) => onKey(app, event);
  document.addEventListener("keydown", app.onKey);
  app.onStep = (event) => onStep(app, event);
  window.addEventListener("headlight-step", app.onStep);
  const bars = makeBars(app);
  const top = [makeControls(app), makeTransport(app), makeNodeBanner(app)];
  const picture = makePicture(app);
  const [branches, tabs] = [makeBranches(app), makeTabs(app)];
  const parts = [...top, picture, bars, branches, tabs];
  const left = make("div", { class: "left" }, picture.node, branches.node);
  const stage = make("div", { class: "main" }, left, bars.node);
  root.append(...top.map(({ node }) => node), stage, tabs.node);
  app.draw = () => {
    app.view.step = Math.min(app.view.step, stepCount(app)); // another branch may end earlier
    for (const part of parts) part.update();
    root.dataset.step = app.view.step;
    root.dataset.branch = app.view.branch;
    root.dataset.strategy = app.view.strategy;
    root.dataset.drawn = String(Number(root.dataset.drawn ?? 0) + 1);
  };
  app.drawOdds = () => bars.update();
  return app;
}

function makeTabs(app) {
  const { words } = app;
  const made = {
    alignment: makeAlignment(app), tree: makeTree(app), given: makeGiven(app), growth: makeGrowth(app),
  };
  const options = TABS.map((name) => [name, words[`tab ${name}`]]);
  const choice = segmented(words["tab alignment"], options, (name) => {
    app.tab = name;
    update();
  });
  const panels = TABS.map((name) => made[name].node);
  const node = make("section", { class: "card tabs" }, choice.node, ...panels);
  const update = () => {
    choice.show(app.tab);
    for (const name of TABS) made[name].node.hidden = name !== app.tab;
    made[app.tab].update();
  };
  return { node, update };
}

/** Give the current colours to the style sheet. */
function paint({ root, colours }) {
  const { text, muted, border, panel, background, query, key, kinds } = colours;
  const [cross, self] = [kinds.cross, kinds.decoder];
  setVariables(root, { text, muted, border, panel, background, query, key, cross, self });
}
