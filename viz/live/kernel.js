import { halfNumbers } from "../components/javascript/halves.js";
import { KERNEL_BYTES } from "./kernel_bytes.js";
import { dot } from "./tensor.js";

const PAGE = 65_536; // bytes

/**
 * Numbers, and the product of matrices among them; places count numbers, not bytes.
 * `linear` writes x W^T + b: rows of x and of W have `inputs` numbers, rows of y have `outputs`.
 * @typedef {(x: number, rows: number, w: number, b: number, inputs: number, outputs: number,
 *   y: number) => void} Linear
 * `widen` turns as many halves, 16 bits each, which lie in the last part of a place, into numbers
 * there, a multiple of 4, and tells whether all are finite.
 * @typedef {(at: number, count: number) => boolean} Widen
 * @typedef {{ numbers: Float32Array, linear: Linear, widen: Widen }} Kernel
 */

/**
 * Make room for numbers, and the kernel that multiplies them: WebAssembly with SIMD, or where a
 * browser has none, JavaScript.
 * @param {number} count How many numbers there is room for.
 * @param {boolean} simd Whether to try WebAssembly.
 * @returns {Kernel} The room and its product.
 */
export function openKernel(count, simd = true) {
  const fast = simd ? assembledKernel(count) : null;
  if (fast) return fast;
  const numbers = new Float32Array(count);
  return { numbers, linear: plainLinear(numbers), widen: plainWiden(numbers) };
}

function assembledKernel(count) {
  const bytes = Uint8Array.from(atob(KERNEL_BYTES), (mark) => mark.charCodeAt(0));
  if (!globalThis.WebAssembly?.validate(bytes)) return null;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((4 * count) / PAGE) });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    engine: { memory },
  });
  const numbers = new Float32Array(memory.buffer);
  const plain = plainLinear(numbers);
  const linear = (x, rows, w, b, inputs, outputs, y) => {
    if (inputs % 4 || outputs % 4) plain(x, rows, w, b, inputs, outputs, y);
    else exports.linear(4 * x, rows, 4 * w, 4 * b, inputs, outputs, 4 * y);
  };
  const widen = (at, length) => !exports.widen(4 * at + 2 * length, 4 * at, 4 * (at + length));
  return { numbers, linear, widen };
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
  return (at, count) => {
    const bits = new Uint16Array(numbers.buffer, 4 * at + 2 * count, count);
    const table = halfNumbers();
    let sum = 0;
    for (let place = 0; place < count; place++) sum += Math.abs((numbers[at + place] = table[bits[place]]));
    return Number.isFinite(sum);
  };
}
