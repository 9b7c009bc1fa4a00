import { make } from "./dom.js";

const ROOTS = new WeakMap();
const KEPT = new WeakMap();
const LATEST = new WeakMap();

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

/**
 * Make the function that `render` returns: it calls `end` and forgets what was kept at this place.
 * Streamlit calls it when the component goes, but also for a render that a later one has overtaken,
 * and sometimes after that later one has begun. Then what was kept is in use, and stays.
 */
export function atEnd(parent, end = () => {}) {
  const render = {};
  LATEST.set(parent, render);
  return () => {
    if (LATEST.get(parent) !== render) return;
    end();
    KEPT.delete(parent);
  };
}
