import { make, setText } from "../../javascript/dom.js";

/**
 * A button that opens a panel under itself; Esc, a click elsewhere or the button closes it. `fill` is
 * called before it opens: what takes long to draw is drawn only for those who look.
 */
export function dropdown(label, className, ...content) {
  const panel = make("div", { class: "panel", role: "group", "aria-label": label }, ...content);
  panel.hidden = true;
  const button = make(
    "button",
    { type: "button", class: "opener", "aria-label": label, "aria-expanded": "false" },
    make("span", { class: "opener-label" }, label),
    make("span", { class: "caret", "aria-hidden": "true" }, "▾"),
  );
  const node = make("div", { class: `dropdown ${className}` }, button, panel);
  const name = (text) => {
    setText(button.firstChild, text);
    button.setAttribute("aria-label", text);
  };
  const open = (wanted) => {
    panel.hidden = !wanted;
    button.setAttribute("aria-expanded", String(wanted));
    if (!wanted) return;
    drop.fill();
    panel.style.left = "0";
    const over = panel.getBoundingClientRect().right - node.closest(".toolbar, .compare").getBoundingClientRect().right;
    panel.style.left = `${-Math.max(0, over)}px`;
  };
  button.addEventListener("click", () => open(panel.hidden));
  node.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !node.contains(event.relatedTarget)) open(false);
  });
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden) return;
    event.stopPropagation();
    open(false);
    button.focus();
  });
  const closeIfOutside = (event) => {
    if (!event.composedPath().includes(node)) open(false);
  };
  const drop = { node, button, panel, open, name, closeIfOutside, fill: () => {} };
  return drop;
}
