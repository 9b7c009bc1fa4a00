import { make } from "./dom.js";

const ROOTS = new WeakMap();
const KEPT = new WeakMap();

/**
 * Show a component's root, with its style sheet, at its place on the page, instead of the root
 * that it showed there before. Streamlit calls `render` for every message, theme change and small
 * rerun: nothing may pile up.
 */
export function mount(parent, root) {
  const before = ROOTS.get(parent);
  if (before === root && root.isConnected) return;
  if (before?.isConnected) before.replaceWith(root);
  else parent.append(make("style", {}, STYLE), root);
  ROOTS.set(parent, root);
}

/** What a component keeps between calls at one place; `create` makes it at the first one. */
export function kept(parent, create) {
  if (!KEPT.has(parent)) KEPT.set(parent, create());
  return KEPT.get(parent);
}

/** Let go of what was kept: for the function that `render` returns, called at the end. */
export function forget(parent) {
  KEPT.delete(parent);
}
