import { pointIn } from "../../../../components/javascript/canvas.js";
import { fillIn, make, makeSvg, setText, setVariables } from "../../../../components/javascript/dom.js";
import { dragged } from "../../../../components/javascript/dragged.js";
import { percent } from "../../../../components/javascript/numbers.js";

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const HEIGHT = 84; // the height of the room for the arc, in CSS pixels, as in the style sheet

/**
 * The arc from the query to the key that it looks at most, above the bars; its end is a handle that
 * pointer and arrow keys move to another key. `aim` gets each key that it passes, and null when the
 * drag is over; `drop` gets another key where it is left.
 */
export function arc({ keys, query, turned, words }, columns, weights, { aim, drop }) {
  const middle = (place) => columns[place].offsetLeft + columns[place].offsetWidth / 2;
  const most = () => weights().reduce((best, weight, at, all) => (weight > all[best] ? at : best), 0);
  const leave = (place) => place !== most() && drop(place);
  const line = makeSvg("path", {});
  const said = make("div", { class: "chances", "aria-live": "polite" });
  const show = (held = null) => {
    const place = held ?? most();
    line.setAttribute("d", path(query === null ? 0 : middle(query), middle(place)));
    setVariables(end, { x: `${middle(place)}px` });
    end.setAttribute("aria-valuenow", String(place + 1));
    end.setAttribute("aria-valuetext", keys[place]);
    const [first, second] = turned[place].map(percent);
    setText(said, held === null ? words.drag : fillIn(words.likely, { key: keys[place], first, second }));
  };
  const pass = (at) => {
    aim(at && at.held);
    show(at && at.held);
  };
  const drag = dragged(most, (event) => ({ held: nearest(columns, middle, pointIn(root, event)) }), pass, leave);
  const press = (event) => {
    if (event.key === "Escape") drag.stop();
    if (!(event.key in KEYS)) return;
    event.preventDefault();
    leave(Math.max(0, Math.min(columns.length - 1, most() + KEYS[event.key])));
  };
  const end = make("button", {
    type: "button", class: "handle", role: "slider", title: words.drag, "aria-label": words.handle,
    "aria-valuemin": "1", "aria-valuemax": String(columns.length), keydown: press, ...drag.listeners,
  });
  const root = make("div", { class: "arc" }, makeSvg("svg", { "aria-hidden": "true" }, line), end, said);
  return { node: root, show };
}

function nearest(columns, middle, { x }) {
  const away = (place) => Math.abs(middle(place) - x);
  return columns.reduce((best, _, place) => (away(place) < away(best) ? place : best), 0);
}

/** An arc between two places of the row, higher for places further apart. */
function path(from, to) {
  const top = HEIGHT - 16 - Math.min(56, 18 + Math.abs(to - from) / 8);
  return `M ${from} ${HEIGHT} C ${from} ${top}, ${to} ${top}, ${to} ${HEIGHT - 10}`;
}
