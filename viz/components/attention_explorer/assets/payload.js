import { inflateMessage } from "../../javascript/message.js";

/**
 * Read a recording: its header, the weights by kind, and a cache for what is derived from them. If
 * it is compared with another sentence, `other` holds that one in the same form.
 */
export async function readPayload(bytes) {
  const { header, arrays } = await inflateMessage(bytes);
  const { other, words } = header;
  const beside = other && {
    header: { ...other, words }, kinds: kindsOf(other.kinds, arrays, "other "), cache: new Map(),
  };
  const kinds = kindsOf(header.kinds, arrays, "");
  return { header, kinds, other: beside, bytes: bytes.slice(), cache: new Map() };
}

function kindsOf(kinds, arrays, prefix) {
  const found = Object.entries(kinds).map(([kind, sizes]) =>
    [kind, { ...sizes, weights: arrays[prefix + kind].values }]);
  return Object.fromEntries(found);
}

/** The stack that the queries (`side` "q") or the keys of a kind come from. */
export function stackOf(kind, side) {
  if (kind === "encoder") return "source";
  return side === "q" || kind === "decoder" ? "target" : "source";
}
