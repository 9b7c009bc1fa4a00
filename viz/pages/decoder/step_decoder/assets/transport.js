import { fillIn, make, setText } from "../../../../components/javascript/dom.js";
import { segmented } from "../../../../components/javascript/segmented.js";
import { goTo, sendSoon, stepCount } from "./view.js";

const SPEEDS = [["0.5", "0.5×"], ["1", "1×"], ["2", "2×"], ["4", "4×"]];

/** The controls of the steps: previous, next, play, a slider and the speed. */
export function makeTransport(app) {
  const { words } = app;
  // A click with the mouse does not move the focus, so that the space bar still plays.
  const stay = (event) => event.preventDefault();
  const button = (text, title, click) => {
    return make("button", { type: "button", class: "plain", title, click, mousedown: stay }, text);
  };
  const previous = button(`‹ ${words.previous}`, words.keys, () => goTo(app, app.view.step - 1));
  const next = button(`${words.next} ›`, words.keys, () => goTo(app, app.view.step + 1));
  const play = button("", words.keys, () => setPlaying(app, !app.playing));
  play.classList.add("play");
  const position = make("input", {
    type: "range", min: 1, "aria-label": words.step, class: "position",
    input: () => goTo(app, Number(position.value)),
  });
  const label = make("output", { class: "step-label" });
  const speed = segmented(words.speed, SPEEDS, (value) => {
    app.speed = Number(value);
    speed.show(value);
    if (app.playing) setPlaying(app, true);
  });
  speed.show("1");
  const pace = make("div", { class: "field speeds", mousedown: stay }, make("span", {}, words.speed), speed.node);
  const parts = [previous, play, next, position, label, pace];
  const node = make("div", { class: "row transport" }, ...parts);
  const update = () => {
    const [step, count] = [app.view.step, stepCount(app)];
    position.max = count;
    position.value = step;
    previous.disabled = step <= 1;
    next.disabled = step >= count;
    setText(label, fillIn(words["step of"], { step, steps: count }));
    setText(play, app.playing ? `❚❚ ${words.pause}` : `▶ ${words.play}`);
  };
  return { node, update };
}

/** Play from here, or from the first step if this is the last; or stop playing. */
function setPlaying(app, wanted) {
  clearInterval(app.playing);
  app.playing = null;
  if (wanted) {
    if (app.view.step >= stepCount(app)) goTo(app, 1);
    app.playing = setInterval(() => advance(app), 1000 / app.speed);
  } else {
    sendSoon(app);
  }
  app.draw();
}

function advance(app) {
  if (!app.root.isConnected) return clearInterval(app.playing);
  if (app.view.step >= stepCount(app)) return setPlaying(app, false);
  return goTo(app, app.view.step + 1);
}

/** Handle left, right and space, except when a field, a slider or a list has the focus. */
export function onKey(app, event) {
  if (!app.root.isConnected || event.ctrlKey || event.metaKey || event.altKey) return;
  const [target] = event.composedPath();
  if (target instanceof Element && target.closest("input, textarea, select")) return;
  if (event.key === " " && target instanceof Element && target.closest("button, a, summary")) return;
  const actions = {
    ArrowLeft: () => goTo(app, app.view.step - 1),
    ArrowRight: () => goTo(app, app.view.step + 1),
    " ": () => setPlaying(app, !app.playing),
  };
  if (!(event.key in actions)) return;
  event.preventDefault();
  actions[event.key]();
}

/** Handle a remote control in presenter mode: a step on or back, unless a lesson takes the key. */
export function onStep(app, event) {
  if (!app.root.isConnected || event.defaultPrevented) return;
  event.preventDefault();
  goTo(app, app.view.step + event.detail);
}
