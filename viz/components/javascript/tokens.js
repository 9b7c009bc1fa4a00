/** A piece as readers see it: its leading space as a small dot. */
export function tokenText(token) {
  return token.replace(/\u2581/g, "·");
}

/** A word of running text: a piece without the dot of its leading space; a sign in quotes. */
export function named(text) {
  const word = text.replace(/^·(?=.)/, "");
  return /[\p{L}\p{N}]/u.test(word) ? word : `“${word}”`;
}

const BYTES = /(<0x[0-9A-F]{2}>)+/g;

/** The text of a word with its bytes as characters; bytes that make none are one sign together. */
export function withCharacters(text) {
  return text.replace(BYTES, (bytes) => {
    const codes = [...bytes.matchAll(/0x(..)/g)].map(([, code]) => parseInt(code, 16));
    return new TextDecoder().decode(new Uint8Array(codes)).replace(/\ufffd+/g, "\ufffd");
  });
}

/** True if a token is a begin, end or padding token rather than text. */
export function isSpecial(token) {
  return /^<.+>$/.test(token);
}
