import { addressNow, replaceAddress, said, withParameters } from "../../../../components/javascript/address.js";

/**
 * The look at the story, which is in the address: the number of the sentence on screen, and the
 * changes in the model, which are the kinds of the cut arcs, and "carry". Without names of parameters
 * in the message, it begins where the message says, and is written nowhere.
 */
export function lookAt({ arcs, carry, link, shown: first = 0 }) {
  const names = [...arcs.filter(({ cuttable }) => cuttable).map(({ kind }) => kind), ...(carry ? ["carry"] : [])];
  const look = { shown: first, on: new Set(), any: names.length > 0 };
  /** Take over what the address says; return whether that is another look. */
  look.read = () => {
    if (!link) return false;
    const before = `${look.shown} ${look.changed()}`;
    const asked = said();
    look.shown = asked.get(link.shown) === SECOND ? 1 : 0;
    const changed = (asked.get(link.changed) ?? "").split(" ");
    look.on = new Set(names.filter((name) => changed.includes(name)));
    return `${look.shown} ${look.changed()}` !== before;
  };
  const write = () => {
    if (!link) return;
    const own = { [link.shown]: look.shown ? SECOND : "", [link.changed]: look.changed() };
    replaceAddress(withParameters(addressNow(), own));
  };
  look.pick = (number) => {
    look.shown = number;
    write();
  };
  look.toggle = (name) => {
    if (!look.on.delete(name)) look.on.add(name);
    write();
  };
  look.changed = () => names.filter((name) => look.on.has(name)).join(" ");
  /** The number of this combination: a bit for each arc that can be cut, the next one for "carry". */
  look.number = () =>
    names.reduce((sum, name, bit) => sum + (look.on.has(name) ? 2 ** bit : 0), 0);
  look.read();
  return look;
}

const SECOND = "2"; // the link's number of the second sentence, which counts from 1

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
