import { mixed } from "../../javascript/colours.js";
import { isCalm } from "../../javascript/motion.js";
import { headColour } from "../../javascript/palette.js";
import { placeOf } from "./state.js";

const MOVE = 320; // milliseconds
const AHEAD = 40; // so that the very first frame shows a change
const MOST = 600; // more lines would not move smoothly

/** Lines go over into those of another layer or head; at once where somebody wants no motion. */
export function moving(app) {
  let before = null;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    app.root.dataset.moving = "";
  };
  const go = (links, stroke) => {
    const { layer, heads } = placeOf(app.state);
    const now = { links, sides: app.sides, place: `${layer} ${heads}`, count: app.series.length };
    const from = before;
    before = now;
    if (!from || from.sides !== now.sides || from.place === now.place || from.count !== now.count) return;
    if (isCalm() || Math.max(from.links.length, links.length) > MOST) return;
    const pairs = paired(from.links, links);
    const began = performance.now() - AHEAD;
    app.root.dataset.moving = "yes";
    const step = () => {
      const share = Math.min(1, (performance.now() - began) / MOVE);
      if (share === 1) {
        stroke(links);
        return stop();
      }
      stroke(onTheWay(app.colours, pairs, share));
      frame = requestAnimationFrame(step);
    };
    step();
  };
  return { go, stop };
}

/** Each line before with the one it becomes; one that comes or goes has weight 0 on the other side. */
function paired(from, to) {
  const name = ({ row, column, place }) => `${row} ${column} ${place}`;
  const pairs = new Map(from.map((link) => [name(link), [link, { ...link, weight: 0 }]]));
  for (const link of to) {
    const pair = pairs.get(name(link));
    if (pair) pair[1] = link;
    else pairs.set(name(link), [{ ...link, weight: 0 }, link]);
  }
  return [...pairs.values()];
}

function onTheWay(colours, pairs, share) {
  const inks = new Map(); // a few heads, many lines
  const ink = (one, other) => {
    const key = `${one.head} ${other.head}`;
    if (!inks.has(key)) {
      inks.set(key, mixed(headColour(colours, one.head), headColour(colours, other.head), share));
    }
    return inks.get(key);
  };
  return pairs.map(([one, other]) => ({
    ...other, weight: one.weight + (other.weight - one.weight) * share, colour: ink(one, other),
  }));
}
