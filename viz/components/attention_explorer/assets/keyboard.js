import { make } from "../../javascript/dom.js";
import { withKind } from "./state.js";
import { allHeads, stepHead, stepLayer } from "./toolbar.js";

/** Handle keys on the whole page, except keys for a field, another widget or a browser's shortcut. */
export function keyboard(app) {
  const keys = {
    ArrowUp: () => stepLayer(app, -1),
    ArrowDown: () => stepLayer(app, 1),
    ArrowLeft: () => stepHead(app, -1),
    ArrowRight: () => stepHead(app, 1),
    1: () => chooseKind(app, "encoder"),
    2: () => chooseKind(app, "decoder"),
    3: () => chooseKind(app, "cross"),
    l: () => app.set({ view: "lines" }),
    g: () => app.set({ view: "grid" }),
    m: () => app.set({ view: "matrix" }),
    c: () => app.set({ view: "compare" }),
    a: () => allHeads(app),
    Escape: () => app.set({ locks: [] }),
    "?": () => app.help(),
  };
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.shiftKey && event.key.startsWith("Arrow")) return; // these move through the matrix
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!app.payload || !app.root.isConnected || !(key in keys) || isForSomeoneElse(event, app.root)) return;
    event.preventDefault();
    event.stopPropagation(); // Streamlit has single-letter shortcuts of its own
    keys[key]();
  };
  window.addEventListener("keydown", press, true);
  return () => window.removeEventListener("keydown", press, true);
}

function chooseKind(app, kind) {
  if (kind in app.payload.kinds) app.set(withKind(app.state, kind));
}

function isForSomeoneElse(event, root) {
  const path = event.composedPath();
  const target = path[0];
  if (!(target instanceof Element)) return false;
  if (target.closest("select, textarea, [contenteditable=true], dialog, .panel:not([hidden])")) return true;
  if (event.key === "Escape" && target.closest(".dropdown")?.querySelector(".panel:not([hidden])")) {
    return true; // Escape closes the panel
  }
  const input = target.closest("input");
  if (input && input.type !== "checkbox") return true;
  if (target.closest(".head-board") && event.key.startsWith("Arrow")) return true;
  if (target.closest("[role=slider]") && (event.key === "Escape" || event.key.startsWith("Arrow"))) return true;
  if (path.includes(root)) {
    const inList = target.closest("[role=listbox]");
    return inList !== null && (event.key === "ArrowUp" || event.key === "ArrowDown");
  }
  const others = "input, [role=dialog], [role=listbox], [role=menu], [role=slider], [role=tab], [role=radio]";
  return target.closest(others) !== null;
}

/** The dialog with the list of keys and clicks. */
export function helpDialog(app) {
  const rows = [
    ["← →", "key heads"], ["↑ ↓", "key layers"], ["1 2 3", "key kinds"], ["L G M C", "key views"],
    ["A", "key all"], ["Esc", "key free"], ["?", "key help"], ["Tab", "key tab"],
    ["Shift ↑ ↓ ← →", "key cells"], [app.say("mouse click"), "key lock"],
    [app.say("mouse shift"), "key add"], [app.say("mouse double"), "key solo"],
  ];
  const list = make(
    "dl", {},
    ...rows.map(([keys, name]) =>
      make("div", {}, make("dt", {}, make("kbd", {}, keys)), make("dd", {}, app.say(name))),
    ),
  );
  const close = make(
    "button", { type: "button", class: "plain", click: () => node.close() }, app.say("close"),
  );
  const node = make(
    "dialog", { "aria-label": app.say("help"), click: (event) => event.target === node && node.close() },
    make("div", { class: "help" }, make("h3", {}, app.say("help")), list, close),
  );
  return { node, open: () => node.open || node.showModal() };
}
