import "./segmented.css";
import { make } from "./dom.js";

/** A row of buttons, of which one is on. Returns the node, and a function that shows the chosen button. */
export function segmented(label, options, pick) {
  const buttons = options.map(([value, text, title]) =>
    make("button", { type: "button", "data-value": value, title, click: () => pick(value) }, text),
  );
  const node = make("div", { class: "segmented", role: "group", "aria-label": label }, ...buttons);
  const show = (current) => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.value === current));
    }
  };
  return { node, show };
}
