import { BlockAttention, HideSource, InvertMask, LiftMask, PadSource } from "./masks.js";

/**
 * What the controls of masks do with the changes in force, as viz/pages/lab_masks/masks.py says it.
 * @typedef {import("./base.js").Intervention} Intervention
 * @typedef {{ kind: string, layer: number, head: number }} View
 * @typedef {{ forbid: boolean, cells: [number, number][] }} Stroke Cells (query, key) of one stroke.
 */

/** Return what is done with the look-ahead mask; "trained" means nothing. */
export function lookAheadOf(interventions) {
  if (interventions.some((one) => one instanceof InvertMask)) return "inverted";
  return interventions.some((one) => one instanceof LiftMask && one.kind === "decoder") ? "lifted" : "trained";
}

/**
 * How each act changes the interventions.
 * @type {Record<string, (interventions: Intervention[], value: any) => Intervention[]>}
 */
export const MASK_ACTS = {
  lookAhead: (interventions, chosen) => {
    const others = interventions.filter((one) => {
      return !(one instanceof InvertMask || (one instanceof LiftMask && one.kind === "decoder"));
    });
    const made = { trained: [], lifted: [new LiftMask("decoder")], inverted: [new InvertMask()] };
    return [...others, ...made[chosen]];
  },
  padding: (interventions, isMasked) => {
    const others = interventions.filter((one) => !(one instanceof LiftMask && one.kind !== "decoder"));
    return isMasked ? others : [...others, new LiftMask("encoder"), new LiftMask("cross")];
  },
  length: (interventions, { length, pieces }) => {
    const others = interventions.filter((one) => !(one instanceof PadSource));
    return length > pieces ? [...others, new PadSource(length)] : others;
  },
  words: (interventions, spans) => {
    const others = interventions.filter((one) => !(one instanceof HideSource));
    return [...others, ...spans.map(([first, last]) => new HideSource(first, last))];
  },
  stroke: (interventions, { stroke: { forbid, cells }, view: { kind, layer, head }, scope }) => {
    if (forbid) {
      const place = [scope === "all" ? null : layer, scope === "head" ? head : null];
      return [...interventions, ...cells.map(([query, key]) => new BlockAttention(kind, query, key, ...place))];
    }
    const drawn = new Set(cells.map(String));
    return interventions.filter((one) => {
      return !(concerns(one, { kind, layer, head }) && drawn.has(String([one.query, one.key])));
    });
  },
};

/** Tell whether a change forbids a link of this head. */
export function concerns(one, { kind, layer, head }) {
  const isHere = () => [null, layer].includes(one.layer) && [null, head].includes(one.head);
  return one instanceof BlockAttention && one.kind === kind && isHere();
}
