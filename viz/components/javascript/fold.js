/* A button that opens a panel over the page, such as the board of all heads below one line of them. */

import "./fold.css";
import { make } from "./dom.js";

/**
 * A `content` behind a button called `label`; Esc, a press elsewhere or the button closes it.
 * `state.open` is true if it is open at first, and follows what the reader does.
 */
export function folded(label, content, state) {
  const panel = make("div", { class: "panel" }, content);
  const caret = make("span", { "aria-hidden": "true" }, " ▾");
  const button = make("button", { type: "button", class: "opener", click: () => open(!state.open) }, label, caret);
  const node = make("div", { class: "folded" }, button, panel);
  const outside = (event) => {
    if (node.isConnected && event.composedPath().includes(node)) return;
    document.removeEventListener("pointerdown", outside, true);
    if (node.isConnected) open(false);
  };
  const open = (wanted) => {
    state.open = wanted;
    panel.hidden = !wanted;
    button.setAttribute("aria-expanded", String(wanted));
    if (wanted) document.addEventListener("pointerdown", outside, true);
    else document.removeEventListener("pointerdown", outside, true);
  };
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden) return;
    event.stopPropagation();
    open(false);
    button.focus();
  });
  open(state.open);
  return node;
}
