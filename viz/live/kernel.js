import { halfNumbers } from "../components/javascript/halves.js";
import { KERNEL_BYTES } from "./kernel_bytes.js";
import { dot } from "./tensor.js";

const PAGE = 65_536; // bytes

/**
 * Numbers, and the product of matrices among them; places count numbers, not bytes.
 * `linear` writes x W^T + b: rows of x and of W have `inputs` numbers, rows of y have `outputs`. Where W
 * holds halves, 16 bits each, `wide` is room for four of its rows as numbers; both sizes are then
 * multiples of 4, and there is WebAssembly.
 * @typedef {(x: number, rows: number, w: number, b: number, inputs: number, outputs: number,
 *   y: number, wide?: number) => void} Linear
 * `widen` turns `count` finite halves, a multiple of 4, into numbers at `to`; `from` counts halves. They
 * may lie in the last part of the same place.
 * @typedef {(from: number, to: number, count: number) => void} Widen
 * `finite` tells whether `count` halves, a multiple of 8, are all finite; it is there in WebAssembly.
 * @typedef {(from: number, count: number) => boolean} Finite
 * @typedef {{ numbers: Float32Array, linear: Linear, widen: Widen, finite?: Finite }} Kernel
 */

/**
 * Tell whether there is WebAssembly with SIMD.
 * @returns {boolean} Whether.
 */
export function hasSimd() {
  return Boolean(globalThis.WebAssembly?.validate(kernelBytes()));
}

function kernelBytes() {
  return Uint8Array.from(atob(KERNEL_BYTES), (mark) => mark.charCodeAt(0));
}

/**
 * Make room for numbers, and the kernel that multiplies them: WebAssembly with SIMD, or where a
 * browser has none, JavaScript.
 * @param {number} count How many numbers there is room for.
 * @param {boolean} simd Whether to try WebAssembly.
 * @returns {Kernel} The room and its product.
 */
export function openKernel(count, simd = true) {
  if (simd && hasSimd()) return assembledKernel(count);
  const numbers = new Float32Array(count);
  return { numbers, linear: plainLinear(numbers), widen: plainWiden(numbers) };
}

function assembledKernel(count) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((4 * count) / PAGE) });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(kernelBytes()), {
    engine: { memory },
  });
  const numbers = new Float32Array(memory.buffer);
  const plain = plainLinear(numbers);
  const linear = (x, rows, w, b, inputs, outputs, y, wide = 0) => {
    if (inputs % 4 || outputs % 4) plain(x, rows, w, b, inputs, outputs, y);
    else exports.linear(4 * x, rows, 4 * w, 4 * b, inputs, outputs, 4 * y, 4 * wide);
  };
  const widen = (from, to, length) => exports.widen(2 * from, 4 * to, 4 * (to + length));
  const finite = (from, length) => exports.finite(2 * from, 2 * (from + length)) === 1;
  return { numbers, linear, widen, finite };
}

/**
 * The same product in JavaScript.
 * @param {Float32Array} numbers The room.
 * @returns {Linear} The product.
 */
function plainLinear(numbers) {
  return (x, rows, w, b, inputs, outputs, y) => {
    for (let row = 0; row < rows; row++) {
      for (let output = 0; output < outputs; output++) {
        const sum = dot(numbers, x + row * inputs, numbers, w + output * inputs, inputs);
        numbers[y + row * outputs + output] = sum + numbers[b + output];
      }
    }
  };
}

/**
 * The same widening in JavaScript.
 * @param {Float32Array} numbers The room.
 * @returns {Widen} It.
 */
function plainWiden(numbers) {
  return (from, to, count) => {
    const bits = new Uint16Array(numbers.buffer, 2 * from, count);
    const table = halfNumbers();
    for (let place = 0; place < count; place++) numbers[to + place] = table[bits[place]];
  };
}
