/**
 * A tensor: its numbers row by row, and its shape. Masks hold 0 and 1 in bytes.
 * @typedef {{ shape: number[], values: Float32Array | Uint8Array }} Tensor
 */

/**
 * Make a tensor of zeros.
 * @param {number[]} shape Its sides.
 * @returns {Tensor} The tensor.
 */
export function zeros(shape) {
  return { shape, values: new Float32Array(sizeOf(shape)) };
}

/**
 * Count the numbers of a shape.
 * @param {number[]} shape Its sides.
 * @returns {number} Their product.
 */
export function sizeOf(shape) {
  return shape.reduce((product, side) => product * side, 1);
}

/**
 * Copy a tensor.
 * @param {Tensor} tensor Any tensor.
 * @returns {Tensor} One of the same shape and numbers.
 */
export function copied(tensor) {
  return { shape: tensor.shape, values: tensor.values.slice() };
}

/**
 * Add two tensors of the same shape.
 * @param {Tensor} one The first.
 * @param {Tensor} other The second.
 * @returns {Tensor} Their sum.
 */
export function added(one, other) {
  const sum = copied(one);
  for (let at = 0; at < sum.values.length; at++) sum.values[at] += other.values[at];
  return sum;
}

/**
 * Cut vectors (n, D) into the slices of the heads (H, n, Dk).
 * @param {Tensor} tensor The vectors.
 * @param {number} heads The number of heads.
 * @returns {Tensor} The slices.
 */
export function splitHeads({ shape: [n, width], values }, heads) {
  const own = width / heads;
  const split = zeros([heads, n, own]);
  for (let head = 0; head < heads; head++) {
    for (let row = 0; row < n; row++) {
      const start = row * width + head * own;
      split.values.set(values.subarray(start, start + own), (head * n + row) * own);
    }
  }
  return split;
}

/**
 * Put the slices of the heads (H, n, Dk) side by side again: (n, D).
 * @param {Tensor} tensor The slices.
 * @returns {Tensor} The vectors.
 */
export function joinHeads({ shape: [heads, n, own], values }) {
  const joined = zeros([n, heads * own]);
  for (let head = 0; head < heads; head++) {
    for (let row = 0; row < n; row++) {
      const start = (head * n + row) * own;
      joined.values.set(values.subarray(start, start + own), (row * heads + head) * own);
    }
  }
  return joined;
}

/**
 * Multiply queries by keys, over sqrt(d_k).
 * @param {Tensor} q Queries (H, T, Dk).
 * @param {Tensor} k Keys (H, S, Dk).
 * @returns {Tensor} Scores (H, T, S).
 */
export function scoresOf(q, k) {
  const [heads, queries, width] = q.shape;
  const keys = k.shape[1];
  const scores = zeros([heads, queries, keys]);
  const root = Math.sqrt(width);
  let place = 0;
  for (let row = 0; row < heads * queries; row++) {
    const own = row * width;
    const first = Math.floor(row / queries) * keys;
    for (let key = first; key < first + keys; key++) {
      scores.values[place++] = dot(q.values, own, k.values, key * width, width) / root;
    }
  }
  return scores;
}

/**
 * Multiply two rows of numbers.
 * @param {Float32Array} one The numbers of the first.
 * @param {number} oneAt Its beginning.
 * @param {Float32Array} other The numbers of the second.
 * @param {number} otherAt Its beginning.
 * @param {number} length Their length.
 * @returns {number} The sum of the products.
 */
export function dot(one, oneAt, other, otherAt, length) {
  const even = length - (length % 4);
  let [s0, s1, s2, s3] = [0, 0, 0, 0]; // four sums at once, as one alone waits for itself
  for (let at = 0; at < even; at += 4) {
    s0 += one[oneAt + at] * other[otherAt + at];
    s1 += one[oneAt + at + 1] * other[otherAt + at + 1];
    s2 += one[oneAt + at + 2] * other[otherAt + at + 2];
    s3 += one[oneAt + at + 3] * other[otherAt + at + 3];
  }
  for (let at = even; at < length; at++) s0 += one[oneAt + at] * other[otherAt + at];
  return s0 + s1 + (s2 + s3);
}

/**
 * Apply the softmax to each row of scores, over the keys that the mask allows. A row without any
 * such key becomes NaN.
 * @param {Tensor} scores Scores (H, T, S).
 * @param {Tensor} mask True where a query may look (T, S).
 * @returns {Tensor} Weights (H, T, S).
 */
export function softmax(scores, mask) {
  const [, queries, keys] = scores.shape;
  const weights = { shape: scores.shape, values: scores.values.slice() };
  for (let row = 0; row < scores.values.length / keys; row++) {
    const allowed = (row % queries) * keys;
    const own = weights.values.subarray(row * keys, (row + 1) * keys);
    for (let key = 0; key < keys; key++) if (!mask.values[allowed + key]) own[key] = -Infinity;
    softmaxRow(own);
  }
  return weights;
}

/**
 * Turn scores into weights in place.
 * @param {Float32Array} row Scores; minus infinity for what is hidden.
 * @returns {void}
 */
export function softmaxRow(row) {
  let top = -Infinity;
  for (let at = 0; at < row.length; at++) if (row[at] > top) top = row[at];
  let sum = 0;
  for (let at = 0; at < row.length; at++) sum += row[at] = Math.exp(row[at] - top);
  for (let at = 0; at < row.length; at++) row[at] /= sum;
}

/**
 * Add up values by their weights.
 * @param {Tensor} weights Weights (H, T, S).
 * @param {Tensor} v Values (H, S, Dk).
 * @returns {Tensor} The output of each head (H, T, Dk).
 */
export function weighted(weights, v) {
  const [heads, queries, keys] = weights.shape;
  const width = v.shape[2];
  const z = zeros([heads, queries, width]);
  for (let row = 0; row < heads * queries; row++) {
    const first = Math.floor(row / queries) * keys;
    const own = z.values.subarray(row * width, (row + 1) * width);
    for (let key = 0; key < keys; key++) {
      const weight = weights.values[row * keys + key];
      const at = (first + key) * width;
      for (let dim = 0; dim < width; dim++) own[dim] += weight * v.values[at + dim];
    }
  }
  return z;
}

/**
 * Apply LayerNorm to each row.
 * @param {Tensor} x Vectors (n, D).
 * @param {Float32Array} gain The gain (D).
 * @param {Float32Array} bias The bias (D).
 * @returns {Tensor} Vectors (n, D).
 */
export function layerNorm(x, gain, bias) {
  const [n, width] = x.shape;
  const normed = zeros(x.shape);
  for (let row = 0; row < n; row++) {
    const own = x.values.subarray(row * width, (row + 1) * width);
    let mean = 0;
    for (let dim = 0; dim < width; dim++) mean += own[dim];
    mean /= width;
    let variance = 0;
    for (let dim = 0; dim < width; dim++) variance += (own[dim] - mean) * (own[dim] - mean);
    const scale = 1 / Math.sqrt(variance / width + 1e-5);
    for (let dim = 0; dim < width; dim++) {
      normed.values[row * width + dim] = (own[dim] - mean) * scale * gain[dim] + bias[dim];
    }
  }
  return normed;
}
