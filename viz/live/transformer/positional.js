/**
 * Compute sinusoids, sine and cosine interleaved (section 3.5 of the paper), or all sines first.
 * @param {number} length The number of positions.
 * @param {number} width The width of each.
 * @param {number} start The first position, which may be negative.
 * @param {string} layout "interleaved" or "two halves".
 * @returns {import("../tensor.js").Tensor} The table (length, width).
 */
export function sinusoidalPositions(length, width, start = 0, layout = "interleaved") {
  const values = new Float32Array(length * width);
  for (let row = 0; row < length; row++) {
    for (let dim = 0; dim < width; dim += 2) {
      const angle = (start + row) / 10_000 ** (dim / width);
      const [sine, cosine] = layout === "interleaved" ? [dim, dim + 1] : [dim / 2, (width + dim) / 2];
      values[row * width + sine] = Math.sin(angle);
      values[row * width + cosine] = Math.cos(angle);
    }
  }
  return { shape: [length, width], values };
}

/**
 * Rotate queries or keys by their positions, each pair of dims by the angle of the sinusoids.
 * @param {import("../tensor.js").Tensor} x Vectors (H, n, Dk).
 * @param {number} start The position of the first.
 * @returns {import("../tensor.js").Tensor} The rotated vectors.
 */
export function rotated(x, start = 0) {
  const [, n, width] = x.shape;
  const table = sinusoidalPositions(n, width, start).values;
  const values = new Float32Array(x.values.length);
  for (let at = 0; at < values.length; at += 2) {
    const [sin, cos] = table.subarray(at % (n * width));
    values[at] = x.values[at] * cos - x.values[at + 1] * sin;
    values[at + 1] = x.values[at] * sin + x.values[at + 1] * cos;
  }
  return { shape: x.shape, values };
}
