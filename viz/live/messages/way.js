const MOSTLY = 0.5; // a token whose vector alone moves the answer by this share holds it; see way.py

/**
 * Where the answer passes in a trace of the residual stream: see viz/pages/trace/way.py.
 * @typedef {[number, number]} Place A token and a column.
 * @typedef {{ held: Place[], passes: [Place, Place][], start: number | null, end: number | null,
 *   read: Place | null }} Way The cells that hold it, the pairs between which it goes from token to
 *   token, the tokens of the input and of the memory that hold it, and the decoder's cell.
 */

/**
 * Follow the answer from the memory back to the input.
 * @param {import("../trace.js").Trace} trace A trace of the residual stream.
 * @returns {Way} The way.
 */
export function answerWay({ maps, restored }) {
  const [encoder, decoder] = [maps.encoder, maps.decoder].map((map) => movesOf(map, restored));
  const columns = encoder[0].length;
  const held = [];
  for (let column = columns - 1; column >= 0; column--) {
    const shares = encoder.map((row) => row[column] || 0);
    let token = held[0]?.[0] ?? 0;
    if (shares[token] < MOSTLY) token = shares.indexOf(Math.max(...shares));
    if (shares[token] >= MOSTLY) held.unshift([token, column]);
  }
  const passes = held.slice(1).map((to, at) => [held[at], to]).filter(([one, two]) => one[0] !== two[0]);
  const taken = decoder.at(-1).findIndex((share) => share >= MOSTLY);
  const at = (column) => held.find((cell) => cell[1] === column)?.[0] ?? null;
  return { held, passes, start: at(0), end: at(columns - 1), read: taken < 0 ? null : [decoder.length - 1, taken] };
}

/**
 * Say how far each cell moves the answer, from 0, whichever sentence runs.
 * @param {number[][]} map A map.
 * @param {boolean} restored Whether the other sentence runs.
 * @returns {number[][]} The shares.
 */
export function movesOf(map, restored) {
  return restored ? map.map((row) => row.map((value) => 1 - value)) : map;
}
