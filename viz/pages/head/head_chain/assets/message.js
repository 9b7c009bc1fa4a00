const HALVES = { table: null };

/** Every half-precision number by its 16 bits. */
function halves() {
  if (HALVES.table) return HALVES.table;
  const table = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits++) {
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    const size = exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction;
    table[bits] = bits >> 15 ? -size : size;
  }
  HALVES.table = table;
  return table;
}

/** Read `[u32 header length][JSON header][arrays]`: the header and, by name, {shape, values}. */
function readMessage(bytes) {
  const own = bytes.slice();
  const length = new DataView(own.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(own.subarray(4, 4 + length)));
  const arrays = {};
  let at = 4 + length;
  for (const [name, size, shape] of header.arrays) {
    const count = shape.reduce((product, side) => product * side, 1);
    const part = own.buffer.slice(at, at + count * size);
    const values =
      size === 4
        ? new Float32Array(part)
        : Float32Array.from(new Uint16Array(part), (bits) => halves()[bits]);
    arrays[name] = { shape, values, most: largest(values) };
    at += count * size;
  }
  return { header, arrays };
}

function largest(values) {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}
