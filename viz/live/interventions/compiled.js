import { Sizes } from "./base.js";

/**
 * The edits of a run, one for each site. `ids` pads a source if an intervention asks for it.
 * @typedef {{ edits: Map<string, import("../sites/tap.js").Edit>, sizes: Sizes,
 *   looksAhead: boolean, targetPieces: number }} Compiled
 */

/**
 * Return the sizes of a run with the padding that interventions ask for.
 * @param {import("./base.js").Intervention[]} interventions The interventions.
 * @param {import("../transformer/config.js").Config} config The model.
 * @param {import("./base.js").Lengths} lengths The pieces of the run.
 * @returns {Sizes} The sizes.
 */
export function sizesFor(interventions, config, lengths) {
  const length = lengths.source;
  const padded = Math.max(length, ...interventions.map((one) => one.padded(length)));
  return new Sizes(config, lengths, padded);
}

/**
 * Turn interventions that fit into one edit for each site; those that would undo others come first.
 * @param {import("./base.js").Intervention[]} interventions The interventions.
 * @param {Sizes} sizes The sizes of the run.
 * @returns {Compiled} The edits.
 */
export function compiled(interventions, sizes) {
  const unique = [...new Map(interventions.map((one) => [one.text, one])).values()];
  const ordered = unique.sort((one, other) => one.constructor.stage - other.constructor.stage);
  const bySite = new Map();
  for (const [site, edit] of ordered.flatMap((one) => one.edits(sizes))) {
    bySite.set(site, [...(bySite.get(site) ?? []), edit]);
  }
  // A link forbidden in every layer is the same edit at many sites, so it is merged once.
  const numbers = new Map();
  const numberOf = (edit) => numbers.get(edit) ?? numbers.set(edit, numbers.size).get(edit);
  const alike = new Map();
  const edits = new Map();
  for (const [site, some] of bySite) {
    const key = String(some.map(numberOf));
    if (!alike.has(key)) alike.set(key, oneEdit(some));
    edits.set(site, alike.get(key));
  }
  return {
    edits, sizes,
    looksAhead: ordered.some((one) => one.looksAhead),
    targetPieces: Math.max(1, ...ordered.map((one) => one.targetPieces)),
  };
}

/** Make one edit of several, in their order: neighbours of one family merge. */
function oneEdit(some) {
  const families = [];
  for (const edit of some) {
    const last = families.at(-1);
    if (last && edit.family && last[0].family === edit.family) last.push(edit);
    else families.push([edit]);
  }
  const merged = families.map(([first, ...others]) => (others.length ? first.merged(others) : first));
  if (merged.length === 1) return merged[0];
  return {
    apply: (tensor, ...madeOf) => merged.reduce((given, edit) => edit.apply(given, ...madeOf), tensor),
  };
}

/**
 * Pad the ids of a source if an intervention asks for it.
 * @param {number[]} ids The ids.
 * @param {Sizes} sizes The sizes of the run.
 * @returns {number[]} The ids with padding.
 */
export function paddedIds(ids, { source, config }) {
  return [...ids, ...Array.from({ length: source - ids.length }, () => config.pad_id)];
}
