import { inflateMessage } from "../../javascript/message.js";

/** A recording as it was sent: its header, the weights by kind, and a cache of what was derived. */
export async function readPayload(bytes) {
  const { header, arrays } = await inflateMessage(bytes);
  const kinds = {};
  for (const [kind, sizes] of Object.entries(header.kinds)) {
    kinds[kind] = { ...sizes, weights: arrays[kind].values };
  }
  return { header, kinds, bytes: bytes.slice(), cache: new Map() };
}

/** Which stack the queries and the keys of a kind come from. */
export function stackOf(kind, side) {
  if (kind === "encoder") return "source";
  return side === "q" || kind === "decoder" ? "target" : "source";
}
