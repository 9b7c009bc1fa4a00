import "./tools.css";
import { embedded, linkOf, wholePage } from "../../../../components/javascript/address.js";
import { copyText } from "../../../../components/javascript/clipboard.js";
import { make, makeSvg, setText } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { escaped } from "../../../../components/javascript/writing.js";
import { WRITES } from "../../../../components/javascript/visit.js";
import { keepCursor } from "./cursor.js";
import { figuresForPaper } from "./figures.js";
import { presenter } from "./presenter.js";

const LINK = "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1";
const FRAME = "M8 7l-5 5 5 5M16 7l5 5-5 5";
const SCREEN = "M3 5h18v11H3zM12 16v4M8 20h8";
const TALL = 600; // pixels of a frame
const SHOWN = 2500; // milliseconds that a message stays
const TRIED = 60_000; // milliseconds that a busy server may need to bring the page with the box

export function render({ data, parentElement, setTriggerValue }) {
  const tools = kept(parentElement, create);
  tools.ask = (on) => setTriggerValue("stage", on ? "on" : "off");
  tools.told = JSON.parse(data.text);
  tools.draw();
  mount(parentElement, tools.root);
  return atEnd(parentElement, () => {
    tools.mode.leave();
    tools.endFigures();
    tools.endCursor();
    window.removeEventListener("keydown", leaveBox);
  });
}

function create() {
  const tools = { told: null, ending: 0, writing: 0 };
  const share = button(LINK, () => copy(tools, linkOf(tools.told.view), "copied", "refused"));
  const frame = button(FRAME, () => copy(tools, frameOf(tools.told), "framed", "refusedFrame"));
  const present = button(SCREEN, () => tools.mode.toggle());
  tools.mode = presenter(() => tools.told.modes, (on) => {
    present.node.setAttribute("aria-pressed", String(on));
    if (on !== tools.told.stage) tools.ask(on); // figures have letters of another size
  });
  window.addEventListener("keydown", leaveBox);
  document.getElementById("whole-page")?.addEventListener("pointerdown", (event) => {
    event.currentTarget.href = wholePage(linkOf(tools.told.view)); // in a frame: what has been chosen there since
  });
  tools.endCursor = keepCursor();
  tools.endFigures = figuresForPaper(() => tools.told.paper);
  tools.said = make("span", { class: "said", role: "status" });
  tools.root = make("div", { class: "tools" }, share.node, frame.node, present.node, tools.said);
  tools.draw = () => {
    const { words } = tools.told;
    document.documentElement.lang = tools.told.language;
    share.name(words.share, words.copy);
    frame.name(words.embed, words.frame);
    frame.node.hidden = tools.told.frame === null;
    tools.root.dataset.stage = String(tools.told.stage); // what the server has drawn the figures for
    present.name(words.present, words.mode);
    tools.mode.keep();
    if (sessionStorage.getItem(WRITES)) write(tools);
  };
  return tools;
}

/**
 * Put the cursor into the box, as the previous page asked, so that typing replaces its text. While a
 * page loads, the box may be replaced at any moment, and a page that is left may be the one that
 * reads the wish: so it is kept until the cursor is there, and tried until somebody does something.
 */
function write(tools) {
  if (tools.writing) return;
  const stop = () => {
    clearInterval(tools.writing);
    tools.writing = 0;
    sessionStorage.removeItem(WRITES);
    acts.forEach((act) => window.removeEventListener(act, stop, true));
  };
  const acts = ["pointerdown", "keydown", "input"];
  acts.forEach((act) => window.addEventListener(act, stop, true));
  const last = performance.now() + TRIED;
  tools.writing = setInterval(() => (performance.now() > last ? stop() : chooseText()), 200);
}

/** Leave the box on Enter, so that the beginning of its text is shown, and the translation. */
function leaveBox({ key, isComposing, target }) {
  if (key === "Enter" && !isComposing && target.closest?.(".st-key-sentence")) setTimeout(() => target.blur());
}

/** Select the text of the box, and again where a redraw has put the cursor behind the text. */
function chooseText() {
  const box = document.querySelector(".st-key-sentence input");
  const { activeElement } = document;
  if (!box || ![document.body, box].includes(activeElement)) return;
  if (activeElement === box && box.selectionStart === 0 && box.selectionEnd === box.value.length) return;
  box.focus();
  box.select();
  sessionStorage.removeItem(WRITES);
  requestAnimationFrame(() => (box.scrollLeft = 0)); // show the beginning of the text, not its end
}

function button(path, click) {
  const text = make("span", { class: "name" });
  const icon = makeSvg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, makeSvg("path", { d: path }));
  const node = make("button", { type: "button", class: "tool", click }, icon, text);
  const name = (short, long) => {
    setText(text, short);
    node.title = long;
    node.setAttribute("aria-label", long);
  };
  return { node, name };
}

/** The element that shows this view in a page of another site. */
function frameOf({ view, frame }) {
  const address = escaped(embedded(linkOf(view), frame));
  return `<iframe src="${address}" title="Headlight" width="100%" height="${TALL}" style="border: 0" loading="lazy"></iframe>`;
}

/** Copy a text, and say so; show the text where the browser refuses to copy. */
async function copy(tools, text, copied, refused) {
  const { words } = tools.told;
  try {
    await copyText(text);
  } catch {
    window.prompt(words[refused], text);
    return;
  }
  setText(tools.said, words[copied]);
  clearTimeout(tools.ending);
  tools.ending = setTimeout(() => setText(tools.said, ""), SHOWN);
}
