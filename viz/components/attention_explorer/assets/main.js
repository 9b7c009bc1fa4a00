import "./style.css";
import { fillIn, make } from "../../javascript/dom.js";
import { offerAt } from "../../javascript/focus.js";
import { atEnd, kept, mount } from "../../javascript/mount.js";
import { currentColours } from "../../javascript/palette.js";
import { fileAddress, firstState, flushAddress, pageAddress, siteAddress, writeAddressSoon } from "./address.js";
import { draw, schedule } from "./draw.js";
import { buildParts, translationLine } from "./frame.js";
import { keyboard } from "./keyboard.js";
import { FAINTEST } from "./lines.js";
import { readPayload, stackOf } from "./payload.js";
import { carriedOn, placeOf, settled } from "./state.js";
import { trials } from "./trials.js";

/** Draw a recording. Streamlit calls this for every message, theme change and small rerun. */
export function render({ data, parentElement }) {
  const app = kept(parentElement, () => createApp(parentElement, pageAddress()));
  app.receive(data);
  return atEnd(parentElement, () => app.leave());
}

/** Draw the explorer in a separate file and return it; the address after # holds the view. */
export function standalone(host, base64, parameters) {
  const app = createApp(host, fileAddress(parameters));
  app.receive(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
  return app;
}

/** Draw the explorer in a page without a server and return it, to receive more recordings. */
export function inSite(host, bytes) {
  const app = createApp(host, siteAddress());
  app.receive(bytes);
  return app;
}

function createApp(parent, address) {
  const root = make("div", { class: "explorer" });
  mount(parent, root);
  const app = {
    root, address, payload: null, state: null, hovered: null, faintest: FAINTEST,
    bytes: null, walked: false, parts: null, pending: null, frames: 0, writing: 0,
  };
  app.say = (name, values) => fillIn(app.payload.header.words[name] ?? name, values);
  app.link = () => app.address.link(app.state);
  app.writeAddress = () => writeAddressSoon(app);
  app.set = (change, playing = false) => {
    if (!playing) app.parts?.toolbar.play.stop(); // any choice of the reader stops the playing of layers
    app.walked = false;
    const before = placeOf(app.state).heads;
    const next = settled({ ...app.state, ...change }, app.payload);
    const added = placeOf(next).heads.filter((head) => !before.includes(head));
    app.state = added.length === 1 ? { ...next, focused: added[0] } : next;
    if (!playing) app.writeAddress();
    schedule(app, "all");
  };
  app.hover = (target) => {
    if (JSON.stringify(target) === JSON.stringify(app.hovered)) return;
    app.hovered = target;
    schedule(app, "hover");
  };
  app.offer = (side, index, box) => {
    const unit = (side === "q" ? app.sides.queries : app.sides.keys)[index];
    offerAt(box, stackOf(app.state.kind, side), unit.pieces[0], unit.name);
  };
  app.help = () => app.parts.help.open();
  app.receive = (data) => receive(app, data);
  app.trials = trials(app);
  const unwatch = watch(app);
  app.leave = () => {
    app.trials.leave();
    unwatch();
  };
  return app;
}

/** Take a recording. The same recording is only redrawn, as the theme or the size may have changed. */
async function receive(app, data) {
  if (data === app.bytes) return schedule(app, "all");
  app.bytes = data;
  const payload = await readPayload(data);
  if (data !== app.bytes) return null;
  const other = app.payload && app.payload.header.id !== payload.header.id;
  const first = app.payload === null;
  app.payload = payload;
  app.hovered = null;
  if (first) {
    app.colours = currentColours(app.root, payload.header.colours);
    const { state, malformed } = firstState(app, payload);
    app.state = state;
    app.parts = buildParts(app);
    app.parts.notice.show(malformed);
  } else {
    app.root.firstChild.replaceWith(translationLine(app));
    if (app.walked) app.state = firstState(app, payload).state;
    else if (other) app.state = carriedOn(app.state, payload.header);
    app.state = settled(app.state, payload);
  }
  app.pending = "all";
  return draw(app); // at once, without waiting for the next frame
}

/** Show the state of the address after a step through the browser's history, if the page is the same. */
function walkTo(app) {
  if (!app.payload || !app.address.isHere()) return;
  app.parts.toolbar.play.stop();
  clearTimeout(app.writing);
  app.writing = 0;
  app.walked = true; // the next message may bring the head on which the page opens
  app.state = firstState(app, app.payload).state;
  schedule(app, "all");
}

/** Follow the size, the keys, the history and clicks elsewhere; returns a function that stops it. */
function watch(app) {
  const sizes = new ResizeObserver(() => {
    const { parts, root, width } = app;
    if (parts && root.isConnected && parts.picture.frame.clientWidth !== width) schedule(app, "all");
  });
  sizes.observe(app.root);
  const closePanels = (event) => app.parts?.drops.forEach((drop) => drop.closeIfOutside(event));
  const flush = () => flushAddress(app);
  window.addEventListener("pointerdown", closePanels, true);
  window.addEventListener("pointerdown", flush, true);
  const walk = () => walkTo(app);
  window.addEventListener("popstate", walk);
  const forgetKeys = keyboard(app);
  return () => {
    app.parts?.toolbar.play.stop();
    flush();
    window.removeEventListener("popstate", walk);
    sizes.disconnect();
    forgetKeys();
    window.removeEventListener("pointerdown", closePanels, true);
    window.removeEventListener("pointerdown", flush, true);
  };
}
