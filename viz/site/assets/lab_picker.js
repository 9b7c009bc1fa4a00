import { addressNow, replaceAddress, said, withParameters } from "../../components/javascript/address.js";
import { picturesOf, themeNow } from "./lab.js";

/**
 * The head that the link names, or else the head on which the page opens: `isNamed` and `isOther`
 * tell whether it is the one, and not the other.
 */
export function viewOf({ lab }) {
  const { view, picker } = lab;
  const text = (name) => said().get(name) ?? "";
  const board = picker.boards.find(({ kind }) => kind === text("kind"));
  const kind = board?.kind ?? view.kind;
  const number = (name, most, usual) => (/^\d{1,2}$/.test(text(name)) && text(name) >= 1 && text(name) <= most ? text(name) - 1 : usual);
  const layer = number("layer", (board ?? picker.boards[0]).layers, view.layer);
  const head = number("head", picker.heads, view.head);
  const isOther = kind !== view.kind || layer !== view.layer || head !== view.head;
  return { kind, layer, head, isOther, isNamed: ["kind", "layer", "head"].some((name) => text(name)) };
}

export function headNamed({ kinds }, { kind, layer, head }) {
  return `${kinds[kind].title} ${layer + 1}.${head + 1}`;
}

export function shownToken(token) {
  return token.replaceAll("\u2581", "·");
}

/** Show another head. A kind alone keeps the layer and the number of the last head. */
export function lookAt(page, view, { kind, layer, head }) {
  const place = { kind, layer: String((layer ?? view.layer) + 1), head: String((head ?? view.head) + 1) };
  replaceAddress(withParameters(addressNow(), place));
  page.again();
}

/** Draw the choice of a head; where the model is changed, the frames show what moved. */
export function drawPicker(page, view) {
  const { site, lab, message: { boards, difference } } = page;
  const pictures = picturesOf(page);
  const shares = difference?.shares ?? {};
  const most = Math.max(0, ...Object.values(shares).flat(2));
  const frames = { legend: lab.difference.share, scale: lab.difference.frames[themeNow()], most };
  const { kind, layer, head } = view;
  const data = {
    ...lab.picker, name: headNamed(lab, view), chosen: { kind, layer, head }, shares: most ? frames : null,
    boards: lab.picker.boards.map((board, at) => ({
      ...board, picture: pictures[at], off: boards[at].off, shares: most ? shares[board.kind] : null,
    })),
  };
  const setTriggerValue = (_name, press) => lookAt(page, view, press);
  site.parts.picker.render({ data, parentElement: page.picker_board, setTriggerValue });
}
