/**
 * A tap: the forward pass names its tensors as they pass, and may get others back. At the end of a
 * block the tensors that it was made of pass, too.
 * @typedef {import("../tensor.js").Tensor} Tensor
 * @typedef {((name: string, tensor: Tensor, ...madeOf: Tensor[]) => Tensor) &
 *   { at: (scope: string) => Tap }} Tap
 * @typedef {{ apply: (tensor: Tensor, ...madeOf: Tensor[]) => Tensor,
 *   merged?: (others: Edit[]) => Edit, family?: string }} Edit
 */

/**
 * Make a tap whose visitor receives the full names of the sites.
 * @param {(site: string, tensor: Tensor, madeOf: Tensor[]) => Tensor} visit What to do with each.
 * @param {string} prefix The beginning of all names.
 * @returns {Tap} The tap.
 */
export function makeTap(visit, prefix = "") {
  const tap = (name, tensor, ...madeOf) => visit(prefix + name, tensor, madeOf);
  tap.at = (scope) => makeTap(visit, `${prefix}${scope}.`);
  return tap;
}

/** The tap that returns every tensor unchanged. */
export const NO_TAP = makeTap((_site, tensor) => tensor);

/**
 * Make a tap that applies edits and keeps nothing.
 * @param {Map<string, Edit>} edits By the names of their sites.
 * @returns {Tap} The tap.
 */
export function makeEditor(edits) {
  return makeTap((site, tensor, madeOf) => edited(edits, site, tensor, madeOf));
}

/**
 * Make a tap that applies edits and keeps every tensor.
 * @param {Map<string, Edit>} edits By the names of their sites.
 * @param {Map<string, Tensor>} recorded Receives the tensors in the order of the pass.
 * @returns {Tap} The tap.
 */
export function makeRecorder(edits, recorded) {
  return makeTap((site, tensor, madeOf) => {
    if (recorded.has(site)) throw new Error(`the site ${site} was recorded twice in one run`);
    const kept = edited(edits, site, tensor, madeOf);
    recorded.set(site, kept);
    return kept;
  });
}

function edited(edits, site, tensor, madeOf) {
  const edit = edits.get(site);
  return edit ? edit.apply(tensor, ...madeOf) : tensor;
}
