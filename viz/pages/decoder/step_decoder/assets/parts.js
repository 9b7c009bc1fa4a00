import { inkOn, levelOf, rgb } from "../../../../components/javascript/colours.js";
import { fillIn, make } from "../../../../components/javascript/dom.js";
import { isSpecial, tokenText } from "../../../../components/javascript/tokens.js";
import { range } from "./scene.js";

/**
 * A labelled slider with its value beside it. `live` is called while it moves, `settle` when it rests.
 * `values` lists its values; `write` returns the text of a value.
 */
export function slider(label, title, values, write, live, settle) {
  const input = make("input", {
    type: "range",
    min: 0,
    max: values.length - 1,
    step: 1,
    "aria-label": label,
    input: () => {
      output.textContent = write(values[input.value]);
      input.setAttribute("aria-valuetext", output.textContent);
      live(values[input.value]);
    },
    change: () => settle(values[input.value]),
  });
  const output = make("output", {});
  const node = make("label", { class: "field", title }, make("span", {}, label), input, output);
  const show = (value) => {
    const distances = values.map((one) => Math.abs(one - value));
    const nearest = String(distances.indexOf(Math.min(...distances)));
    if (input.value !== nearest) input.value = nearest;
    output.textContent = write(value);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  return { node, show };
}

/** A chip of one token, as everywhere in the app. */
export function chip(token, attributes = {}, ...more) {
  const name = `chip${isSpecial(token) ? " special" : ""} ${attributes.class ?? ""}`;
  const tag = attributes.click ? "button" : "span";
  const type = attributes.click ? { type: "button" } : {};
  return make(tag, { ...type, ...attributes, class: name }, tokenText(token), ...more);
}

/** The colour of a weight from 0 to 1, and a colour for text on this colour. */
export function shade(colours, weight) {
  colours.shades ??= range(256).map((level) => shadeOf(colours, level));
  return colours.shades[Math.min(255, Math.round(weight * 255))];
}

function shadeOf(colours, level) {
  const back = rgb(levelOf(colours.table, level));
  return { back, ink: inkOn(back, "#111111") };
}

/** The name of the layer and head of "cross" or "self", or of the mean, on screen. */
export function placeName(app, kind = "cross") {
  const { attention_layer: layer, attention_head: head } = app.view;
  const values = { layer: layer + 1, head: head + 1 };
  const [layers, heads] = app.scene.sizes[kind];
  if (layers * heads < 2) return app.words["place only"];
  if (layer === null) return fillIn(app.words[head === null ? "place mean" : "place head"], values);
  return fillIn(app.words[head === null ? "place layer" : kind === "self" ? "place self" : "place cross"], values);
}
