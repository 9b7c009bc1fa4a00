/** Read a message of message.py: its header, and its arrays, { shape, values }, by name. */
export function readMessage(bytes) {
  const { header, body } = opened(bytes);
  return { header, arrays: arraysOf(header, body) };
}

/** Read a message in the same way whose numbers are deflated, unless its header says that they are `plain`. */
export async function inflateMessage(bytes) {
  const { header, body } = opened(bytes);
  return { header, arrays: arraysOf(header, header.plain ? body : await inflated(body)) };
}

export async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function opened(bytes) {
  const own = bytes.slice(); // the message may begin anywhere in a larger buffer
  const length = new DataView(own.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(own.subarray(4, 4 + length)));
  return { header, body: own.subarray(4 + length) };
}

/** How numbers are read, by the bytes per number. */
const NUMBERS = {
  1: (part) => part,
  2: (part) => Float32Array.from(new Uint16Array(onBoundary(part)), (bits) => halves()[bits]),
  4: (part) => new Float32Array(onBoundary(part)),
};

function arraysOf(header, body) {
  const arrays = {};
  let at = 0;
  for (const [name, size, shape] of header.arrays) {
    const end = at + size * shape.reduce((product, side) => product * side, 1);
    arrays[name] = { shape, values: NUMBERS[size](body.subarray(at, end)) };
    at = end;
  }
  if (at !== body.length) throw new Error(`expected ${at} bytes, got ${body.length}`);
  return arrays;
}

function onBoundary(part) {
  return part.slice().buffer;
}

let halfTable = null;

/** A table of all half-precision numbers by their 16 bits. */
function halves() {
  if (halfTable) return halfTable;
  halfTable = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits++) {
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    let size = exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction;
    if (exponent === 31) size = fraction ? NaN : Infinity;
    halfTable[bits] = bits >> 15 ? -size : size;
  }
  return halfTable;
}
