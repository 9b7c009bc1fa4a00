import { openKernel } from "../kernel.js";
import { sizeOf } from "../tensor.js";

const AT_ONCE = 64; // rows of one product; longer inputs come in parts

/**
 * @typedef {import("../tensor.js").Tensor} Tensor
 * @typedef {{ at: number, shape: number[] }} Place
 */

/** The weights of a model by name, in the memory of the kernel, and the products with them. */
export class Parameters {
  /**
   * @param {Map<string, number[]>} shapes The shapes of all weights by name.
   * @param {boolean} simd Whether to use WebAssembly where there is any.
   */
  constructor(shapes, simd = true) {
    this.places = new Map();
    let [end, widest] = [0, 0];
    for (const [name, shape] of shapes) {
      this.places.set(name, { at: end, shape });
      const [first, ...others] = shape;
      end += inFours(sizeOf([inFours(first), ...others])); // the kernel takes outputs by fours
      widest = Math.max(widest, ...(shape.length > 1 ? shape.map(inFours) : []));
    }
    this.nothing = end; // zeros, for products without a bias
    this.given = this.nothing + widest;
    this.result = this.given + AT_ONCE * widest;
    this.kernel = openKernel(this.result + AT_ONCE * widest, simd);
  }

  /**
   * Return a weight by its name.
   * @param {string} name Its name.
   * @returns {Tensor} A view of it; not to be written into after loading.
   */
  tensor(name) {
    const { at, shape } = this.places.get(name);
    return { shape, values: this.kernel.numbers.subarray(at, at + sizeOf(shape)) };
  }

  /**
   * Fill a weight with numbers of half precision.
   * @param {string} name Its name.
   * @param {Uint16Array} halves Their bits.
   * @returns {boolean} Whether all are finite.
   */
  widen(name, halves) {
    const { at, shape } = this.places.get(name);
    const count = inFours(sizeOf(shape));
    const { numbers, widen } = this.kernel;
    const last = new Uint16Array(numbers.buffer, 4 * at + 2 * count, count);
    last.set(halves);
    return widen(at, count);
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
    const { at, shape: [outputs, inputs] } = this.places.get(name);
    const { numbers, linear } = this.kernel;
    const added = bias === null ? this.nothing : this.places.get(bias).at;
    const n = x.shape[0];
    const wide = inFours(outputs);
    const values = new Float32Array(n * outputs);
    for (let first = 0; first < n; first += AT_ONCE) {
      const rows = Math.min(AT_ONCE, n - first);
      numbers.set(x.values.subarray(first * inputs, (first + rows) * inputs), this.given);
      linear(this.given, rows, at, added, inputs, wide, this.result);
      for (let row = 0; row < rows; row++) {
        const start = this.result + row * wide;
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
