/**
 * What is changed in the model: the names of arcs that are cut, and "carry". The window keeps it
 * for the next picture, as it does the sentence that is shown: the first of all is drawn before the
 * page has one of its own.
 */
export function changes({ arcs, carry }) {
  const names = [...arcs.filter(({ cuttable }) => cuttable).map(({ kind }) => kind), ...(carry ? ["carry"] : [])];
  const on = new Set((window.headlightChanges ?? []).filter((name) => names.includes(name)));
  const toggle = (name) => {
    if (!on.delete(name)) on.add(name);
    window.headlightChanges = [...on];
  };
  /** The number of this combination: a bit for every arc, the next one for what is carried. */
  const number = () =>
    names.reduce((sum, name, bit) => sum + (on.has(name) ? 2 ** bit : 0), 0);
  return { on, any: names.length > 0, toggle, number };
}

/** The version of the translation that is shown; where it has other words, the sentence's own. */
export function version({ written }, shown, number) {
  return written[shown][number] ?? shown;
}

/** The key that an arc's query takes most from in a sentence, and its weight after the changes. */
export function strongest(arc, shown, number = 0) {
  const [one, other] = arc.onKeys[shown][0];
  const place = one >= other ? 0 : 1;
  return { key: arc.keys[place], number: place, weight: arc.onKeys[shown][number][place] };
}
