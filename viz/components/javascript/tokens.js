/** A piece as people read it: the leading space as a thin mark. */
export function tokenText(token) {
  return token.replace(/\u2581/g, "·");
}

/** Whether a token is a begin, end or padding token rather than text. */
export function isSpecial(token) {
  return /^<.+>$/.test(token);
}
