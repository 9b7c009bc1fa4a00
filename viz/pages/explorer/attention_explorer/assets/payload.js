const KINDS = ["encoder", "decoder", "cross"];

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Read `[u32 header length][JSON header][deflated weights]` into a header and arrays by kind. */
async function readPayload(bytes) {
  const own = bytes.slice(); // the message arrives at any offset of a larger buffer
  const length = new DataView(own.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(own.subarray(4, 4 + length)));
  const body = await inflate(own.subarray(4 + length));
  const kinds = {};
  let offset = 0;
  for (const kind of KINDS) {
    const { layers, heads, queries, keys } = header.kinds[kind];
    const size = layers * heads * queries * keys;
    kinds[kind] = { ...header.kinds[kind], weights: body.subarray(offset, offset + size) };
    offset += size;
  }
  if (offset !== body.length) throw new Error(`expected ${offset} weights, got ${body.length}`);
  return { header, kinds, bytes: own, cache: new Map() };
}

/** Which stack the queries and the keys of a kind come from. */
function stackOf(kind, side) {
  if (kind === "encoder") return "source";
  return side === "q" || kind === "decoder" ? "target" : "source";
}

/** A piece as people read it: the leading space as a thin mark. */
function tokenText(token) {
  return token.replace(/\u2581/g, "·");
}
