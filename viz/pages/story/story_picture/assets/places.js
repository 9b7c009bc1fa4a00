import { zoomOf } from "../../../../components/javascript/canvas.js";

const CLEAR = 20; // pixels between an arc above a sentence and the upper edge of the stage

/** The middle of a word's upper or lower edge, on the stage; of the switch, that of the word on screen. */
export function edge(stage, word, side) {
  const frame = stage.getBoundingClientRect();
  const box = (word.querySelector("[aria-checked='true']") ?? word).getBoundingClientRect();
  const zoom = zoomOf(stage);
  const y = (side === "top" ? box.top : box.bottom) - frame.top;
  const x = (box.left + box.right) / 2 - frame.left;
  return { x: x / zoom, y: y / zoom + (side === "top" ? -4 : 4) };
}

/** The places where an arc begins, at its query, and ends, at its key. */
export function ends(stage, lines, { querySide, keySide }, query, key) {
  const side = (of) => (querySide === keySide || of === "target" ? "top" : "bottom");
  return {
    from: edge(stage, lines[querySide].nodes[query], side(querySide)),
    to: edge(stage, lines[keySide].nodes[key], side(keySide)),
  };
}

/** The path of an arc, and its middle. Above a sentence it rises no higher than the stage. */
export function curve(from, to, same) {
  const x = (from.x + to.x) / 2;
  if (same) {
    const rise = 0.35 * Math.abs(from.x - to.x);
    const upper = Math.min(from.y, to.y);
    const high = Math.max(upper - rise, Math.min(upper - 12, (8 * CLEAR - from.y - to.y) / 6));
    return {
      d: `M ${from.x} ${from.y} C ${from.x} ${high}, ${to.x} ${high}, ${to.x} ${to.y}`,
      middle: { x, y: (from.y + to.y + 6 * high) / 8 },
    };
  }
  const bend = 0.62 * (to.y - from.y);
  return {
    d: `M ${from.x} ${from.y} C ${from.x} ${from.y + bend}, ${to.x} ${to.y - bend}, ${to.x} ${to.y}`,
    middle: { x, y: (from.y + to.y) / 2 },
  };
}
