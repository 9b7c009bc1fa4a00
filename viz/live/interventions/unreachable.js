import { KINDS, attentionSite, maskSite } from "../sites/sites.js";
import { zeros } from "../tensor.js";
import { causalMask } from "../transformer/masks.js";

/**
 * Find the first query without any key, by running the edits on the masks and on scores of zero.
 * @param {import("./compiled.js").Compiled} run The edits.
 * @returns {{ kind: string, layer: number, head: number, query: number } | null} The query.
 */
export function unreachableQuery(run) {
  for (const kind of KINDS) {
    const found = firstEmpty(run, kind);
    if (found) return { kind, ...found };
  }
  return null;
}

function firstEmpty({ edits, sizes, targetPieces }, kind) {
  const byLayer = sizes.layers(kind).map((layer) => edits.get(attentionSite(kind, layer, "scores")));
  const maskEdit = edits.get(maskSite(kind));
  if (!maskEdit && !byLayer.some(Boolean)) return null;
  const allowed = allowedLinks(sizes, targetPieces, kind, maskEdit);
  const [queries, keys] = allowed.shape;
  for (const [layer, edit] of byLayer.entries()) {
    if (byLayer.indexOf(edit) < layer) continue; // the same as in a layer before
    const scores = zeros([sizes.config.heads, queries, keys]);
    const { values } = edit ? edit.apply(scores) : scores;
    for (let row = 0; row < values.length / keys; row++) {
      const query = row % queries;
      const own = values.subarray(row * keys, (row + 1) * keys);
      const some = own.some((score, key) => allowed.values[query * keys + key] && score > -Infinity);
      if (!some) return { layer, head: Math.floor(row / queries), query };
    }
  }
  return null;
}

/** Return which keys the masks alone allow each query (T, S). */
function allowedLinks({ lengths, source }, targetPieces, kind, edit) {
  const target = lengths.target ?? targetPieces;
  if (kind === "decoder" && lengths.target === null) return newest(target, edit);
  if (kind === "decoder") return edit ? edit.apply(causalMask(target)) : causalMask(target);
  const shape = [kind === "encoder" ? source : target, source];
  const seen = (_, at) => Number(at % source < lengths.source);
  const mask = { shape, values: new Uint8Array(shape[0] * source).map(seen) };
  return edit ? edit.apply(mask) : mask;
}

/** Return the visible keys of each piece as the newest one, without a future. */
function newest(target, edit) {
  const values = new Uint8Array(target * target);
  for (let length = 1; length <= target; length++) {
    const causal = causalMask(length);
    const row = (edit ? edit.apply(causal) : causal).values.subarray(-length);
    values.set(row, (length - 1) * target);
  }
  return { shape: [target, target], values };
}
