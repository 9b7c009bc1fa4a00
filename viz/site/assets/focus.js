const KINDS_IN_LINKS = ["encoder", "decoder", "cross"];

/**
 * The head and the query that parameters name, from 0, as the app reads them (viz/link/focus.py): null
 * for what makes no sense. `query` is that of any kind of attention.
 */
export function readFocus(parameters) {
  const text = (name) => parameters.get(name) ?? "";
  const number = (digits) => (/^\d{1,3}$/.test(digits) && digits >= 1 ? digits - 1 : null);
  const locked = [...text("lock").matchAll(/q(\d+)/g)].at(-1)?.[1] ?? "";
  return {
    kind: KINDS_IN_LINKS.includes(text("kind")) ? text("kind") : null,
    layer: number(text("layer")),
    head: number(text("head") || text("heads").split("-")[0]),
    word: number(text("word")),
    step: number(text("step")),
    query: number(text("query") || locked),
  };
}
