import { TurnAttention } from "../interventions/attention.js";
import { AblateHead } from "../interventions/heads.js";
import { writeEdits } from "../interventions/link_text.js";
import { KINDS } from "../sites/sites.js";
import { kindsLeftOut } from "./head_boards.js";

const HEAD = { kind: "{kind}", layer: "{layer}", head: "{head}" };

/**
 * Offer to switch heads off or on again, to turn a query, and to cut links, beside the changes in force: the links
 * that viz/link/offers.py offers of a head, as far as they stay on the page.
 * @param {import("../interventions/base.js").Intervention[]} interventions The changes in force.
 * With them come the attentions that are left out with all their heads, as "encoder 6".
 * @returns {{ off: object, on: object, turn: object, cut: object, leftOut: string[] }} The offers.
 */
export function headOffers(interventions) {
  const here = (edits) => ({ page: "", along: null, says: { ...HEAD, edits } });
  const joined = (some, piece) => [writeEdits(some), piece].filter(Boolean).join("_");
  const byKind = (offer) => Object.fromEntries(KINDS.map((kind) => [kind, here(offer(kind))]));
  const off = interventions.filter((one) => one instanceof AblateHead);
  const without = ({ kind, layer, head }) =>
    interventions.filter(
      (one) => !(off.includes(one) && one.kind === kind && one.layer === layer && one.head === head),
    );
  const named = ({ kind, layer, head }) => `${kind} ${layer + 1} ${head + 1}`;
  const turned = (kind) => {
    const others = interventions.filter((one) => !(one instanceof TurnAttention && one.kind === kind));
    const heads = kind === "cross" ? "all" : "{layer}-{head}";
    return joined(others, `turn.${kind[0]}.{query}.{keys}.${heads}`);
  };
  const cut = (kind, place) => here(joined(interventions, `block.${kind[0]}.${place}.{links}`));
  return {
    off: byKind((kind) => joined(interventions, `zero.${kind[0]}.{layer}.{head}`)),
    turn: byKind(turned),
    cut: Object.fromEntries(KINDS.map((kind) => [kind, [cut(kind, "{layer}.{head}"), cut(kind, "all.all")]])),
    on: Object.fromEntries(off.map((one) => [named(one), here(writeEdits(without(one)))])),
    leftOut: interventions.flatMap((one) => kindsLeftOut(one).map((kind) => `${kind} ${one.layer + 1}`)).sort(),
  };
}
