import { make } from "./dom.js";

const ROOTS = new WeakMap();
const KEPT = new WeakMap();

/**
 * Show a component's root, with its style sheet, at its place on the page; it replaces an earlier
 * root. Streamlit calls `render` for every message, theme change and small rerun, so nothing may be
 * added twice.
 */
export function mount(parent, root) {
  const before = ROOTS.get(parent);
  if (before === root && root.isConnected) return;
  if (before?.isConnected) before.replaceWith(root);
  else parent.append(make("style", {}, STYLE), root);
  ROOTS.set(parent, root);
}

/** What a component keeps between calls at one place; `create` makes it at the first call. */
export function kept(parent, create) {
  if (!KEPT.has(parent)) KEPT.set(parent, create());
  return KEPT.get(parent);
}

/** Forget what was kept. The function that `render` returns calls this: Streamlit runs it at the end. */
export function forget(parent) {
  KEPT.delete(parent);
}
