import { halfNumbers } from "./halves.js";

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
  2: (part) => Float32Array.from(new Uint16Array(onBoundary(part)), (bits) => halfNumbers()[bits]),
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
