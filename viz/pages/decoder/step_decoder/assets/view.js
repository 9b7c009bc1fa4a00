import { idsBefore, shownBranch } from "./scene.js";

/** Write the reader's choices as the parameters that Python reads; layers and heads from 1. */
function toParameters(view) {
  const place = (number) => (number === null ? "mean" : String(number + 1));
  const written = {
    ...view,
    attention_layer: place(view.attention_layer),
    attention_head: place(view.attention_head),
    branches: view.branches.map(writeForcing).join("_"),
    node: view.node === null ? "" : view.node,
  };
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, String(value)]));
}

function writeForcing({ prefix, forced }) {
  return (prefix.length ? `${prefix.join("-")}.` : "") + forced.join("-");
}

export function stepCount(app) {
  return shownBranch(app.scene, app.view).steps.length;
}

/** Go to a step, from 1: draw it at once, and tell Python a moment later. */
export function goTo(app, step) {
  const target = Math.min(Math.max(1, step), stepCount(app));
  if (target === app.view.step) return;
  app.view.step = target;
  app.draw();
  sendSoon(app);
}

/** Change the view without new numbers from the model: draw at once, tell Python a moment later. */
export function show(app, change) {
  Object.assign(app.view, change);
  app.view.step = Math.min(app.view.step, stepCount(app));
  app.draw();
  sendSoon(app);
}

/** Change the view so that the model must run: tell Python at once. */
export function ask(app, change, extra = {}) {
  Object.assign(app.view, change);
  app.draw();
  send(app, extra);
  app.root.dataset.busy = "true";
}

const LINK_DELAY = 350;

export function sendSoon(app) {
  clearTimeout(app.sending);
  if (!app.playing) app.sending = setTimeout(() => send(app), LINK_DELAY);
}

function send(app, extra = {}) {
  clearTimeout(app.sending);
  app.turn = `${Date.now()}`;
  app.sent = { ...app.view };
  app.answer({ ...toParameters(app.view), ...extra, turn: app.turn });
}

/** Take a new scene, but keep what the reader has changed since the model was asked. */
export function adopt(app, scene) {
  const late = ["step", "attention_layer", "attention_head"];
  const view = { ...scene.view };
  if (app.sent) {
    for (const name of late) if (app.view[name] !== app.sent[name]) view[name] = app.view[name];
  }
  app.scene = scene;
  app.view = view;
  app.view.step = Math.min(Math.max(1, view.step), stepCount(app));
  app.sent = { ...app.view };
}

/** Force a piece at the step on screen: this opens a branch, or adds one that parts here. */
export function forcePiece(app, id) {
  const { scene, view } = app;
  const branch = shownBranch(scene, view);
  const prefix = idsBefore(branch, view.step - 1);
  const ids = [...prefix, id].join("-");
  const same = ({ prefix: kept, forced }) => [...kept, ...forced].join("-") === ids;
  const known = view.branches.findIndex(same);
  if (known >= 0) return ask(app, { branch: known + 1, node: null });
  if (branch.steps[view.step - 1].chosen?.[0] === id && branch.kind !== "node") return null;
  if (view.branches.length >= scene.maxBranches) return app.say(app.words.many);
  const branches = [...view.branches, { prefix, forced: [id] }];
  return ask(app, { branches, branch: branches.length, node: null });
}

export function forceTyped(app, typed) {
  const { scene, view } = app;
  if (view.branches.length >= scene.maxBranches) return app.say(app.words.many);
  const prefix = idsBefore(shownBranch(scene, view), view.step - 1).join("-");
  return ask(app, {}, { typed, prefix });
}

export function removeBranch(app, number) {
  const branches = app.view.branches.filter((_, index) => index !== number - 1);
  const { branch } = app.view;
  const next = branch === number ? number - 1 : branch > number ? branch - 1 : branch;
  ask(app, { branches, branch: next, node: null });
}

/** Continue from the chosen hypothesis, as a separate branch. */
export function goOnFromNode(app) {
  const node = shownBranch(app.scene, app.view);
  const ids = node.steps.flatMap(({ chosen }) => (chosen ? [chosen[0]] : []));
  const branches = [...app.view.branches, { prefix: ids.slice(0, -1), forced: ids.slice(-1) }];
  ask(app, { branches, branch: branches.length, node: null });
}
