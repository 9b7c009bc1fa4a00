import { make, setText } from "../../../../components/javascript/dom.js";
import { isCalm, smooth } from "../../../../components/javascript/motion.js";
import { percent } from "../../../../components/javascript/numbers.js";
import { glide } from "./glide.js";

const MOVE = 900; // milliseconds

/** The probabilities of both words: numbers, and bars that move from one value to the next. */
export function chances(told) {
  const rows = told.pieces.map((piece) => {
    const bar = make("span", { class: "bar" });
    const before = make("span", { class: "before" });
    const value = make("span", { class: "value" });
    const name = make("b", { lang: told.languages[1] }, piece);
    const node = make("div", { class: "chance" }, name, make("span", { class: "room" }, bar, before), value);
    return { node, name, bar, before, value };
  });
  const node = make("div", { class: "chances", role: "group", "aria-label": told.words.chanceOf }, ...rows.map((row) => row.node));
  let at = null; // the probabilities on screen
  let stop = () => {};
  const draw = (values) => {
    at = values;
    rows.forEach(({ bar }, place) => (bar.style.width = `${100 * values[place]}%`));
  };
  let shown = ""; // the pieces whose probabilities these are
  const show = ({ likely: goal, other = 0, changed, pieces = told.pieces }, own, moving) => {
    if (shown !== String(pieces)) at = null; // no way leads there from those of other pieces
    shown = String(pieces);
    rows.forEach(({ node: row, name, value, before }, place) => {
      setText(name, pieces[place]);
      setText(value, percent(goal[place]));
      before.style.left = `${100 * own[place]}%`;
      before.hidden = !changed;
      row.classList.toggle("first", goal[place] === Math.max(...goal, other)); // none where a third piece is written
    });
    stop();
    node.dataset.moving = "";
    if (!moving || !at || isCalm()) return draw(goal);
    const start = at;
    node.dataset.moving = "yes";
    stop = glide(MOVE, (share) => {
      draw(goal.map((end, place) => start[place] + (end - start[place]) * smooth(share)));
      if (share === 1) node.dataset.moving = "";
    });
  };
  return { node, show, leave: () => stop() };
}
