/** A piece as readers see it: its leading space as a small dot. */
export function tokenText(token) {
  return token.replace(/\u2581/g, "·");
}

/** Whether a token is a begin, end or padding token rather than text. */
export function isSpecial(token) {
  return /^<.+>$/.test(token);
}
