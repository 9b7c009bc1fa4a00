import "./watch.css";
import { offerToken } from "../../../components/javascript/focus.js";
import { atEnd, kept, mount } from "../../../components/javascript/mount.js";
import { make } from "../../../components/javascript/dom.js";
import { loadCharts } from "./charts.js";
import { oneEntryAPage } from "./history.js";
import { tokenMenu } from "./menu.js";

/** Listen to the components of the page: send on what they tell, and show what they offer. */
export function render({ data, parentElement, setTriggerValue }) {
  window.headlightAnswered = performance.now(); // to whoever told something before
  const told = JSON.parse(data.told);
  const app = kept(parentElement, () => {
    loadCharts(told.charts);
    return listen();
  });
  app.send = (parameters) => setTriggerValue("chosen", parameters);
  app.told = told;
  oneEntryAPage(told.steps);
  mount(parentElement, app.root);
  return atEnd(parentElement, () => app.leave());
}

/** Give a token that the server wrote into the page the menu that tokens in components have. */
function offerCard(event) {
  const card = event.target instanceof Element && event.target.closest("[data-source-place], [data-target-place]");
  if (!card) return;
  const { sourcePlace, targetPlace } = card.dataset;
  const side = sourcePlace === undefined ? "target" : "source";
  const whose = {
    given: card.closest("[data-given]")?.dataset.given, model: card.closest("[data-model]")?.dataset.model,
  };
  offerToken(card, side, Number(sourcePlace ?? targetPlace), card.title, event.type === "keydown", whose);
}

function listen() {
  const app = { told: null, send: null, root: make("div") };
  const menu = tokenMenu(app);
  app.root.append(menu.node);
  const take = (event) => app.send(event.detail);
  const offer = (event) => menu.open(event.detail);
  const close = (event) => event.composedPath().includes(menu.node) || menu.close();
  const press = (event) => {
    if (event.key === "Escape") menu.close();
    if (event.key === "Enter") offerCard(event);
  };
  const heard = [
    ["headlight-focus", take], ["headlight-token", offer], ["pointerdown", close],
    ["wheel", menu.close], ["keydown", press], ["click", offerCard], ["popstate", menu.close],
  ];
  for (const [name, listener] of heard) window.addEventListener(name, listener, true);
  app.leave = () => {
    for (const [name, listener] of heard) window.removeEventListener(name, listener, true);
  };
  return app;
}
