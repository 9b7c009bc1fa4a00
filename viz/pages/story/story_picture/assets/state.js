/**
 * The changes in the model: the kinds of the cut arcs, and "carry". The window keeps them for the
 * next picture, like the number of the sentence on screen: the first picture of a visit is drawn
 * before the page has its own.
 */
export function changes({ arcs, carry }) {
  const names = [...arcs.filter(({ cuttable }) => cuttable).map(({ kind }) => kind), ...(carry ? ["carry"] : [])];
  const on = new Set((window.headlightChanges ?? []).filter((name) => names.includes(name)));
  const toggle = (name) => {
    if (!on.delete(name)) on.add(name);
    window.headlightChanges = [...on];
  };
  /** The number of this combination: a bit for each arc that can be cut, the next one for "carry". */
  const number = () =>
    names.reduce((sum, name, bit) => sum + (on.has(name) ? 2 ** bit : 0), 0);
  return { on, any: names.length > 0, toggle, number };
}

/** The version of the translation to show; if it has more or fewer words, the sentence's own. */
export function version({ written }, shown, number) {
  return written[shown][number] ?? shown;
}

/** The key that an arc's query takes most from in the unchanged model, and its weight after changes. */
export function strongest(arc, shown, number = 0) {
  const [one, other] = arc.onKeys[shown][0];
  const place = one >= other ? 0 : 1;
  return { key: arc.keys[place], number: place, weight: arc.onKeys[shown][number][place] };
}
