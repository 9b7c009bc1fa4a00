import { boundedCache } from "../../javascript/bounded.js";
import { inflateMessage } from "../../javascript/message.js";

/**
 * Read a recording: its header, the weights by kind, and caches for the rows and columns and for
 * the matrices that are derived from them. In a comparison with another sentence, `other` holds
 * that sentence's recording in the same form. `lengths` are those of the values, null if unknown.
 */
export async function readPayload(bytes) {
  const { header, arrays } = await inflateMessage(bytes);
  const { other, words } = header;
  const beside = other && {
    header: { ...other, words }, kinds: kindsOf(other.kinds, arrays, "other "), ...caches(),
  };
  const kinds = kindsOf(header.kinds, arrays, "");
  return { header, kinds, other: beside, bytes: bytes.slice(), ...caches() };
}

const MOST_BYTES = 2 ** 27; // room for the matrices of every head, of 256 tokens, under five choices of aids

function caches() {
  return { sides: new Map(), matrices: boundedCache(MOST_BYTES) };
}

function kindsOf(kinds, arrays, prefix) {
  const found = Object.entries(kinds).map(([kind, sizes]) =>
    [kind, {
      ...sizes,
      weights: arrays[prefix + kind].values,
      lengths: arrays[`${prefix}lengths ${kind}`]?.values ?? null,
    }]);
  return Object.fromEntries(found);
}

/** The stack that the queries (`side` "q") or the keys of a kind come from. */
export function stackOf(kind, side) {
  if (kind === "encoder") return "source";
  return side === "q" || kind === "decoder" ? "target" : "source";
}
