import "./class_link.css";
import { plainLink, saidOf, withParameters } from "../../../../components/javascript/address.js";
import { fillIn, make, setText } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { visit } from "../../../../components/javascript/visit.js";
import { waitForNews, tellMove } from "./asking.js";

const LOOK = 100; // milliseconds between two looks at a teacher's address

/**
 * What lasts from page to page in this tab:
 * - `follows`: whether it follows the class
 * - `moved`: the time of the last move of the class that it obeyed; 0: it must go there now
 * - `gathered`: a text that changes whenever the teacher calls all back
 * - `told`, `telling`: the link that a teacher told the server last, and whether it is on its way
 * - `led`: whether the teacher's other browser moved last
 * - `own`: the link of somebody who looks around, to come back to
 * - `shown`: the link at which a tab that follows has come to rest
 * - `touched`: whether its visitor has pressed anything since it was led there
 * - `away`: whether its visitor has gone elsewhere since; the teacher's next move leads it on
 */
function lasting(code) {
  if (window.headlightClass?.code !== code) {
    window.headlightClass = {
      code, follows: true, moved: 0, gathered: null, told: "", telling: false, led: true, own: "",
      shown: "", touched: false, away: false,
    };
  }
  return window.headlightClass;
}

export function render({ data, parentElement, setTriggerValue }) {
  const tie = kept(parentElement, create);
  tie.send = (screen) => setTriggerValue("news", screen);
  tie.tell(JSON.parse(data.text));
  mount(parentElement, tie.root);
  return atEnd(parentElement, () => tie.leave());
}

function create() {
  const tie = { told: null, asked: null, state: null, lost: false };
  const name = make("b", { class: "code" });
  tie.said = make("span", { class: "said", role: "status" });
  tie.button = make("button", { type: "button", class: "turn", click: () => turn(tie) });
  tie.root = make("div", { class: "class-link" }, name, tie.said, tie.button);
  tie.tell = (told) => {
    tie.told = told;
    tie.asked = null;
    if (!told.key && !document.cookie.includes(told.cookie.split(";")[0])) document.cookie = told.cookie;
    setText(name, told.words.class);
    show(tie);
    if (tie.state) obey(tie, tie.state);
  };
  const reached = (connected) => {
    if (tie.lost === !connected) return;
    tie.lost = !connected;
    show(tie);
  };
  const stopNews = waitForNews(
    () => tie.told, (state) => obey(tie, state), () => tie.send("gone"), reached,
  );
  const stopWatching = [watchTeacher(tie), watchFollower(tie)];
  tie.leave = () => {
    stopNews();
    for (const stop of stopWatching) stop();
  };
  return tie;
}

/** Leave the class to look around, or come back to it. */
function turn(tie) {
  const here = lasting(tie.told.code);
  here.follows = here.away || !here.follows;
  here.away = false;
  here.shown = "";
  here.moved = 0;
  show(tie);
  if (tie.state) obey(tie, tie.state);
}

function show(tie) {
  const { words, key, screen } = tie.told;
  const { follows, away } = lasting(tie.told.code);
  const { people = 0, answered = 0, asked = 0 } = tie.state ?? {};
  tie.root.dataset.follows = String(follows);
  tie.root.dataset.screen = screen;
  const own = screen ? "" : away ? words.away : follows ? words.follow : words.free;
  setText(tie.said, tie.lost ? words.lost : key ? fillIn(words.count, { people }) : own);
  setText(tie.button, follows && !away ? words.leave : words.back);
  tie.button.hidden = Boolean(key) || screen !== "";
  for (const node of document.querySelectorAll("[data-class-answered]")) {
    setText(node, fillIn(words.answered, { answered, people: asked }));
  }
}

/** Go where the class is, or ask the server to draw another screen. */
function obey(tie, state) {
  const { told } = tie;
  const here = lasting(told.code);
  tie.state = state;
  if (here.gathered !== null && here.gathered !== state.gathered) {
    here.follows = true;
    here.moved = 0;
  }
  here.gathered = state.gathered;
  show(tie);
  const comesBack = !told.key && told.screen !== "" && state.screen === "";
  if (comesBack) here.moved = 0;
  if (told.key && !here.moved && saysSomething(told)) {
    here.led = false; // opening a link is a move, but a bare one leads to where the class is
    here.moved = state.moved;
  }
  const follows = told.key ? !here.telling : here.follows && state.screen === "";
  if (state.screen !== "over" && follows && state.moved > here.moved) {
    here.moved = state.moved;
    if (go(tie, state.link, state)) return;
  } else if (comesBack && here.own && go(tie, here.own, state)) return;
  if (state.screen !== told.screen && tie.asked !== state.screen) {
    if (told.screen === "") here.own = window.location.href; // a question on the whole screen empties the address
    tie.asked = state.screen;
    tie.send(`${state.screen} ${Date.now()}`);
  }
}

function saysSomething({ apart }) {
  return !plainLink(window.location.href, apart).endsWith("/?");
}

/**
 * Go to a link and return true; return false if the tab is there already. The server draws a new
 * screen too.
 */
function go(tie, link, state) {
  const { apart, code } = tie.told;
  const there = plainLink(link, apart);
  const here = lasting(code);
  here.touched = false; // what changes the address from now on is the page, which completes it
  if (there === plainLink(window.location.href, apart)) {
    here.away = false; // the page has completed its address before the teacher's did, or was here first
    here.shown = there;
    show(tie);
    return false;
  }
  here.led = true;
  here.away = false;
  here.shown = "";
  here.told = there;
  tie.asked = state.screen;
  visit(withParameters(link, saidOf(apart)));
  return true;
}

/**
 * Notice when a visitor who follows goes elsewhere by hand: only what comes to rest counts, as a page
 * completes its address by itself.
 */
function watchFollower(tie) {
  let before = "";
  const touch = () => {
    if (tie.told) lasting(tie.told.code).touched = true;
  };
  const look = () => {
    const { told } = tie;
    if (!told || told.key || told.screen !== "" || !tie.state) return;
    const here = lasting(told.code);
    const now = plainLink(window.location.href, told.apart);
    const still = now === before;
    before = now;
    if (!still || !here.follows) return;
    if (!here.shown || !(here.touched || here.away)) {
      here.shown = now;
      return;
    }
    const away = now !== here.shown;
    if (away === here.away) return;
    here.away = away;
    here.touched = false;
    show(tie);
  };
  return watched(look, touch);
}

/**
 * Tell the server where a teacher is once the address stays the same, unless another browser
 * changed it.
 */
function watchTeacher(tie) {
  let before = null;
  const act = () => {
    if (tie.told?.key) lasting(tie.told.code).led = false;
  };
  const look = async () => {
    const { told } = tie;
    if (!told?.key || told.screen === "over" || !tie.state) return;
    const here = lasting(told.code);
    const now = plainLink(window.location.href, told.apart);
    const still = now === before;
    before = now;
    if (!still || here.led || here.told === now) return;
    here.told = now;
    here.telling = true;
    const moved = await tellMove(told, now);
    here.telling = false;
    here.moved = Math.max(here.moved, moved);
    if (moved) obey(tie, tie.state);
  };
  return watched(look, act);
}

/** Look again and again, and notice what a visitor does, until the returned function is called. */
function watched(look, act) {
  const events = ["pointerdown", "keydown"];
  const again = setInterval(look, LOOK);
  for (const event of events) window.addEventListener(event, act, true);
  return () => {
    clearInterval(again);
    for (const event of events) window.removeEventListener(event, act, true);
  };
}
