let halfTable = null;

/** A table of all half-precision numbers by their 16 bits. */
export function halfNumbers() {
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
