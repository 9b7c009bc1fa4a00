import { KERNEL_BYTES } from "./kernel_bytes.js";

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
 * The same product in JavaScript, with four sums at once: a single sum would wait for itself.
 * @param {Float32Array} numbers The room.
 * @returns {Linear} The product.
 */
function plainLinear(numbers) {
  return (x, rows, w, b, inputs, outputs, y) => {
    const even = inputs - (inputs % 4);
    for (let row = 0; row < rows; row++) {
      const own = x + row * inputs;
      for (let output = 0; output < outputs; output++) {
        const at = w + output * inputs;
        let [s0, s1, s2, s3] = [0, 0, 0, 0];
        for (let place = 0; place < even; place += 4) {
          s0 += numbers[own + place] * numbers[at + place];
          s1 += numbers[own + place + 1] * numbers[at + place + 1];
          s2 += numbers[own + place + 2] * numbers[at + place + 2];
          s3 += numbers[own + place + 3] * numbers[at + place + 3];
        }
        for (let place = even; place < inputs; place++) s0 += numbers[own + place] * numbers[at + place];
        numbers[y + row * outputs + output] = s0 + s1 + (s2 + s3) + numbers[b + output];
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

let halfTable = null;

/** All half-precision numbers by their 16 bits. */
function halfNumbers() {
  if (halfTable) return halfTable;
  halfTable = new Float32Array(65_536);
  for (let bits = 0; bits < 65_536; bits++) {
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    let size = exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction;
    if (exponent === 31) size = fraction ? NaN : Infinity;
    halfTable[bits] = bits >> 15 ? -size : size;
  }
  return halfTable;
}
