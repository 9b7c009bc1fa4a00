import { pointIn } from "../../../../components/javascript/canvas.js";
import { make } from "../../../../components/javascript/dom.js";

/* All heads of one kind as small pictures on one canvas: layers down, heads across. */

const GAP = 2;
const [SMALLEST, LARGEST] = [14, 36];
const BETWEEN = 16; // pixels between two boards, as in timeline.css

/** The side of a tile with which all boards, by their numbers of heads, fit beside each other. */
export function tileFor(room, heads) {
  const free = room.clientWidth - (heads.length - 1) * BETWEEN;
  const tile = Math.floor(free / heads.reduce((sum, count) => sum + count, 0));
  return tile < SMALLEST ? LARGEST : Math.min(LARGEST, tile);
}

/** `choose` is called with a click, `step` with a key. */
export function boardOf(kind, choose, step) {
  const title = make("div", { class: "title" });
  const canvas = make("canvas", { class: "tiles", tabindex: "0", role: "img", click: choose, keydown: step });
  const frame = make("div", { class: "frame" });
  const node = make("div", { class: "board", "data-kind": kind }, title, make("div", { class: "area" }, canvas, frame));
  return { kind, title, canvas, frame, node };
}

/** Draw a pixel of the canvas for each weight; its CSS size enlarges the tiles. */
export function drawBoard(board, { shape, values }, moment, table, tile) {
  const [, layers, heads, queries, keys] = shape;
  const { canvas } = board;
  const [width, height] = [heads * (keys + GAP), layers * (queries + GAP)];
  if (board.tile !== tile) {
    board.tile = tile;
    canvas.style.width = `${heads * tile}px`;
    canvas.style.height = `${layers * tile}px`;
    canvas.dataset.tile = String(tile);
  }
  if (canvas.width !== width || canvas.height !== height || !board.image) {
    Object.assign(canvas, { width, height });
    board.image = new ImageData(width, height);
  }
  const pixels = board.image.data;
  let at = moment * layers * heads * queries * keys;
  for (let place = 0; place < layers * heads; place++) {
    const top = Math.floor(place / heads) * (queries + GAP);
    const left = (place % heads) * (keys + GAP);
    for (let row = 0; row < queries; row++) {
      let pixel = 4 * ((top + row) * width + left);
      for (let key = 0; key < keys; key++, pixel += 4) {
        const level = 3 * values[at++];
        pixels[pixel] = table[level];
        pixels[pixel + 1] = table[level + 1];
        pixels[pixel + 2] = table[level + 2];
        pixels[pixel + 3] = 255;
      }
    }
  }
  canvas.getContext("2d").putImageData(board.image, 0, 0);
}

export function headAt(board, shape, event) {
  const { x, y } = pointIn(board.canvas, event);
  const layer = Math.floor(y / board.tile);
  const head = Math.floor(x / board.tile);
  return layer >= 0 && head >= 0 && layer < shape[1] && head < shape[2] ? { layer, head } : null;
}

/** Frame the chosen head, or none with null. */
export function outline(board, shape, chosen) {
  board.frame.hidden = !chosen;
  if (!chosen) return;
  Object.assign(board.frame.style, {
    left: `${chosen.head * board.tile - 2}px`, top: `${chosen.layer * board.tile - 2}px`,
    width: `${board.tile}px`, height: `${board.tile}px`,
  });
}
