/** A piece as readers see it: its leading space as a small dot. */
export function tokenText(token) {
  return token.replace(/\u2581/g, "·");
}

/** A word of running text: a piece without the dot of its leading space. */
export function bare(text) {
  return text.replace(/^·(?=.)/, "");
}

/** True if a token is a begin, end or padding token rather than text. */
export function isSpecial(token) {
  return /^<.+>$/.test(token);
}
