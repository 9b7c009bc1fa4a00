import { take } from "./take.js";

const TAKEN = new Map();

/**
 * A message that was recorded: its header, in the language of the page, and its numbers, deflated.
 */
export async function loaded(site, name) {
  if (!TAKEN.has(name)) TAKEN.set(name, take(`${site.data}${name}.js`, name));
  const { own, said, body } = await TAKEN.get(name);
  const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
  return { header: { ...site.common, ...own, ...said[site.language] }, body: bytes };
}

/** Numbers by name as the parts of a message: what its header says of them, and all in one. */
export function bodyOf(named) {
  const arrays = named.map(([name, { shape, values }]) => [name, values.BYTES_PER_ELEMENT, shape]);
  const body = new Uint8Array(named.reduce((sum, [, { values }]) => sum + values.byteLength, 0));
  let at = 0;
  for (const [, { values }] of named) {
    body.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
  }
  return { arrays, body };
}

/** A message as components read it (viz/components/message.py). */
export function packed(header, body) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const whole = new Uint8Array(4 + text.length + body.length);
  new DataView(whole.buffer).setUint32(0, text.length, true);
  whole.set(text, 4);
  whole.set(body, 4 + text.length);
  return whole;
}
