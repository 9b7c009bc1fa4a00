import "./player.css";
import { fillIn, make, setText } from "../../../../components/javascript/dom.js";
import { isCalm } from "../../../../components/javascript/motion.js";
import { number } from "../../../../components/javascript/numbers.js";
import { playedLinks } from "./played.js";

const SECONDS = [1.4, 4.5, 2, 2.4, 3.5, 1.6]; // for each link
const ALL = SECONDS.length;
const STAY = 1500; // milliseconds for each link if the reader wants no motion

/**
 * The controls that play the chain link by link, or move to any moment of it. `show(key)` shows the
 * products of a key, `rest()` the chosen key's. Returns the node, and functions that draw the whole
 * chain and that stop the playing.
 */
export function player(root, s, { show, rest }) {
  const links = playedLinks(root, s, show);
  const button = make("button", { type: "button", class: "play", click: () => (timer ? stop() : start()) });
  const range = make("input", {
    type: "range", min: 0, max: ALL, step: 0.02, "aria-label": s.words.moment,
    input: () => { stop(); draw(Number(range.value)); },
  });
  const said = make("p", { class: "play-said", "aria-live": "polite" });
  const node = make("div", { class: "player" }, button, make("div", { class: "track" }, range), said);
  let [moment, timer, last] = [ALL, 0, 0];
  const sentence = () => {
    if (moment >= ALL) return s.words.playAll;
    const name = `play${Math.floor(moment) + 1}`;
    const own = s.words[name + (s.changed ? "Changed" : s.divisor === 1 ? "Undivided" : "")];
    return fillIn(own || s.words[name], { divisor: number(s.divisor), count: s.arrays.q.shape[0] });
  };
  const draw = (to) => {
    const was = moment;
    moment = to;
    links.forEach((link, at) => link(Math.max(0, Math.min(1, to - at)), to >= at && to < at + 1));
    const slid = (at) => at >= 1 && at < 2;
    if (slid(was) && !slid(to)) rest();
    range.value = String(to);
    setText(said, sentence());
    setText(button, timer ? "❚❚" : "▶");
    button.setAttribute("aria-label", timer ? s.words.pause : s.words.play);
    button.title = timer ? s.words.pause : s.words.play;
    Object.assign(root.dataset, { moment: to.toFixed(2), playing: timer ? "yes" : "" });
  };
  const stop = () => {
    if (!timer) return;
    cancelAnimationFrame(timer);
    clearTimeout(timer);
    timer = 0;
    draw(moment);
  };
  const start = () => {
    last = performance.now();
    const from = moment >= ALL ? 0 : moment;
    timer = isCalm() ? setTimeout(jump, STAY) : requestAnimationFrame(step);
    draw(isCalm() ? Math.floor(from) + 0.999 : from); // at once, without waiting for the next frame
  };
  const step = (now) => {
    const to = moment + Math.max(0, now - last) / 1000 / SECONDS[Math.floor(moment)];
    last = now;
    timer = to < ALL ? requestAnimationFrame(step) : 0;
    draw(Math.min(ALL, to));
  };
  const jump = () => {
    const to = moment + 1;
    timer = to < ALL ? setTimeout(jump, STAY) : 0;
    draw(Math.min(ALL, to));
  };
  return { node, draw: () => draw(ALL), stop };
}
