/**
 * Let every one of some queries see the keys that are not padding.
 * @param {number} queries The number of queries.
 * @param {number[]} ids The ids of the keys.
 * @param {number} padId The id of padding.
 * @returns {import("../tensor.js").Tensor} The mask (queries, keys).
 */
export function paddingMask(queries, ids, padId) {
  const seen = ids.map((id) => Number(id !== padId));
  const values = new Uint8Array(queries * ids.length).map((_, at) => seen[at % ids.length]);
  return { shape: [queries, ids.length], values };
}

/**
 * Let each position see those up to itself: the look-ahead mask.
 * @param {number} length The number of positions.
 * @returns {import("../tensor.js").Tensor} The mask (length, length).
 */
export function causalMask(length) {
  const seen = (_, at) => Number(at % length <= Math.floor(at / length));
  return { shape: [length, length], values: new Uint8Array(length * length).map(seen) };
}
