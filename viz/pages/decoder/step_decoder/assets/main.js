const TABS = ["alignment", "tree", "given", "growth"];
const apps = new WeakMap();

/** Build the page once; later calls bring new numbers, or another theme. */
export default function ({ data, parentElement, setTriggerValue }) {
  const scene = readScene(data);
  let app = apps.get(parentElement);
  const answer = (value) => setTriggerValue("answer", value);
  if (!app || !app.root.isConnected) {
    app = build(scene, parentElement);
    apps.set(parentElement, app);
  }
  app.answer = answer;
  if (!app.turn || scene.turn === app.turn) {
    adopt(app, scene);
    app.root.dataset.busy = "false";
    app.say(scene.problem);
  }
  app.colours = currentColours(app.root, scene.colours);
  paint(app);
  app.draw();
  return () => {
    clearInterval(app.playing);
    clearTimeout(app.sending);
    document.removeEventListener("keydown", app.onKey);
    apps.delete(parentElement);
  };
}

function build(scene, parentElement) {
  const root = make("div", { class: "decoder" });
  parentElement.querySelector(".decoder")?.remove();
  parentElement.append(make("style", {}, STYLE), root);
  const app = {
    root, scene, words: scene.words, view: { ...scene.view }, speed: 1, playing: null,
    turn: "", tab: scene.view.given ? "given" : scene.view.strategy === "beam" ? "tree" : "alignment",
  };
  app.onKey = (event) => onKey(app, event);
  document.addEventListener("keydown", app.onKey);
  const bars = makeBars(app);
  const top = [makeControls(app), makeTransport(app), makeNodeBanner(app)];
  const picture = makePicture(app);
  const [branches, tabs] = [makeBranches(app), makeTabs(app)];
  const parts = [...top, picture, bars, branches, tabs];
  const left = make("div", { class: "left" }, picture.node, branches.node);
  const stage = make("div", { class: "main" }, left, bars.node);
  root.append(...top.map(({ node }) => node), stage, tabs.node);
  app.draw = () => {
    for (const part of parts) part.update();
    root.dataset.step = app.view.step;
    root.dataset.branch = app.view.branch;
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

/** Hand the colours of this moment to the style sheet. */
function paint({ root, colours }) {
  const given = {
    text: colours.text, muted: colours.muted, border: colours.border, panel: colours.panel,
    background: colours.background, query: colours.query, key: colours.key,
    cross: colours.kinds.cross, self: colours.kinds.decoder,
  };
  for (const [name, value] of Object.entries(given)) root.style.setProperty(`--${name}`, value);
}
