import { hasSimd, openKernel } from "../kernel.js";
import { sizeOf } from "../tensor.js";

const AT_ONCE = 64; // rows of one product; longer inputs come in parts

/**
 * @typedef {import("../tensor.js").Tensor} Tensor
 * @typedef {{ at: number, shape: number[], halved: boolean }} Place
 */

/**
 * The weights of a model by name, in the memory of the kernel, and the products with them. Matrices of
 * half precision stay as they are where the kernel reads them: a step of decoding waits for the memory.
 */
export class Parameters {
  /**
   * @param {Map<string, number[]>} shapes The shapes of all weights by name.
   * @param {(name: string) => boolean} inHalves Whether a weight comes in half precision.
   * @param {boolean} simd Whether to use WebAssembly where there is any.
   */
  constructor(shapes, inHalves, simd = true) {
    this.places = new Map();
    const takesHalves = simd && hasSimd();
    let [end, widest] = [0, 0];
    for (const [name, shape] of shapes) {
      const [first, ...others] = shape;
      const halved = takesHalves && inHalves(name) && shape.length === 2 && shape[1] % 4 === 0;
      this.places.set(name, { at: end, shape, halved });
      const size = sizeOf([inFours(first), ...others]); // the kernel takes outputs by fours
      end += inFours(halved ? size / 2 : size);
      widest = Math.max(widest, ...(shape.length > 1 ? shape.map(inFours) : []));
    }
    this.nothing = end; // zeros, for products without a bias
    this.wide = this.nothing + widest; // four rows of a matrix of halves, as numbers
    this.given = this.wide + 4 * widest;
    this.result = this.given + AT_ONCE * widest;
    this.kernel = openKernel(this.result + AT_ONCE * widest, simd);
  }

  /**
   * Return a weight by its name.
   * @param {string} name Its name.
   * @returns {Tensor} A view of it, not to be written into after loading, or a copy of halves.
   */
  tensor(name) {
    const { at, shape, halved } = this.places.get(name);
    if (!halved) return { shape, values: this.kernel.numbers.subarray(at, at + sizeOf(shape)) };
    const [rows, inputs] = shape;
    const values = new Float32Array(rows * inputs);
    for (let row = 0; row < rows; row++) values.set(this.row(name, row), row * inputs);
    return { shape, values };
  }

  /**
   * Count the rows of a matrix.
   * @param {string} name The name of the matrix.
   * @returns {number} Its outputs.
   */
  rows(name) {
    return this.places.get(name).shape[0];
  }

  /**
   * Return a row of a matrix.
   * @param {string} name The name of the matrix.
   * @param {number} number The row.
   * @returns {Float32Array} Its numbers (inputs): a view, not to be written into, or a copy of halves.
   */
  row(name, number) {
    const { at, shape: [, inputs], halved } = this.places.get(name);
    const { numbers, widen } = this.kernel;
    const first = number * inputs;
    if (!halved) return numbers.subarray(at + first, at + first + inputs);
    widen(2 * at + first, this.wide, inputs);
    return numbers.slice(this.wide, this.wide + inputs);
  }

  /**
   * Return a matrix of halves by its name.
   * @param {string} name Its name.
   * @returns {Uint16Array | null} A view of the bits; null for a weight in single precision.
   */
  halves(name) {
    const { at, shape, halved } = this.places.get(name);
    return halved ? new Uint16Array(this.kernel.numbers.buffer, 4 * at, sizeOf(shape)) : null;
  }

  /**
   * Tell whether a matrix of halves has finite numbers only.
   * @param {string} name Its name.
   * @returns {boolean} Whether.
   */
  isFinite(name) {
    const { at, shape: [rows, inputs] } = this.places.get(name);
    return this.kernel.finite(2 * at, inFours(rows) * inputs);
  }

  /**
   * Return the place of a weight in single precision for its numbers in half precision, before `widen`.
   * @param {string} name Its name.
   * @returns {Uint16Array} A view of the bits.
   */
  narrow(name) {
    const { at, shape } = this.places.get(name);
    const size = sizeOf(shape);
    return new Uint16Array(this.kernel.numbers.buffer, 4 * at + 2 * inFours(size), size);
  }

  /**
   * Turn the numbers in `narrow` into single precision.
   * @param {string} name The name of the weight.
   * @returns {void}
   */
  widen(name) {
    const { at, shape } = this.places.get(name);
    const count = inFours(sizeOf(shape));
    this.kernel.widen(2 * at + count, at, count);
  }

  /**
   * Return the gain and the bias of a norm.
   * @param {string} name Its name.
   * @returns {[Float32Array, Float32Array]} Both (D).
   */
  norm(name) {
    return [this.tensor(`${name}.weight`).values, this.tensor(`${name}.bias`).values];
  }

  /**
   * Map vectors by a matrix and its bias.
   * @param {string} name The name of the linear map.
   * @param {Tensor} x Vectors (n, inputs).
   * @returns {Tensor} Vectors (n, outputs).
   */
  linear(name, x) {
    return this.product(`${name}.weight`, x, `${name}.bias`);
  }

  /**
   * Map vectors by a matrix (outputs, inputs).
   * @param {string} name Its name.
   * @param {Tensor} x Vectors (n, inputs).
   * @param {string | null} bias The name of a bias, if there is one.
   * @returns {Tensor} Vectors (n, outputs).
   */
  product(name, x, bias = null) {
    const { at, shape: [outputs, inputs], halved } = this.places.get(name);
    const { numbers, linear } = this.kernel;
    const added = bias === null ? this.nothing : this.places.get(bias).at;
    const n = x.shape[0];
    const padded = inFours(outputs);
    const values = new Float32Array(n * outputs);
    for (let first = 0; first < n; first += AT_ONCE) {
      const rows = Math.min(AT_ONCE, n - first);
      numbers.set(x.values.subarray(first * inputs, (first + rows) * inputs), this.given);
      linear(this.given, rows, at, added, inputs, padded, this.result, halved ? this.wide : 0);
      for (let row = 0; row < rows; row++) {
        const start = this.result + row * padded;
        values.set(numbers.subarray(start, start + outputs), (first + row) * outputs);
      }
    }
    return { shape: [n, outputs], values };
  }
}

/** The next multiple of 4. */
function inFours(count) {
  return Math.ceil(count / 4) * 4;
}
