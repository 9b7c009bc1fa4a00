import { colourAt } from "../../javascript/colours.js";
import { make } from "../../javascript/dom.js";

const SHARP = 34; // with more pieces, a small picture has less than a pixel for each

/** Weights (query, key) as a small picture, a pixel each; its style gives it a size. */
export function pixels(weights, scale) {
  const [high, wide] = [weights.length, weights[0].length];
  const canvas = make("canvas", {
    width: wide, height: high, "aria-hidden": "true", class: Math.max(high, wide) > SHARP ? "fine" : null,
  });
  const image = new ImageData(wide, high);
  weights.flat().forEach((weight, at) => {
    const [red, green, blue] = colourAt(scale, weight);
    image.data.set([red, green, blue, 255], 4 * at);
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}
