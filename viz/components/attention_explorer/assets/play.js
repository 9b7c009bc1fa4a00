import { make, setText } from "../../javascript/dom.js";
import { placeOf, withPlace } from "./state.js";

const STAY = 1000; // milliseconds that a layer is looked at

/** A button that shows the layers one after the other, from the first to the last. */
export function playLayers(app) {
  const button = make("button", { type: "button", class: "step play", click: () => toggle() });
  let timer = 0;
  const go = (layer) => app.set(withPlace(app.state, { layer }), true);
  const stop = () => {
    if (!timer) return;
    clearInterval(timer);
    timer = 0;
    app.writeAddress();
    show();
  };
  const step = () => {
    const next = placeOf(app.state).layer + 1;
    if (next < app.payload.kinds[app.state.kind].layers) go(next);
    else stop();
  };
  const toggle = () => {
    if (timer) return stop();
    timer = setInterval(step, STAY);
    go(0);
  };
  const show = () => {
    const name = app.say(timer ? "stop layers" : "play layers");
    setText(button, timer ? "⏸" : "▶");
    button.title = name;
    button.setAttribute("aria-label", name);
    app.root.dataset.playing = timer ? "yes" : "";
  };
  return { node: button, show, stop, isOn: () => timer !== 0 };
}
