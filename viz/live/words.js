export const WORD_START = "\u2581";

/** White space as Python counts it: with four control characters. */
// oxlint-disable-next-line no-control-regex
const SPACE = /[\p{White_Space}\x1c-\x1f]+/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/gu;

/**
 * Drop control, format and surrogate characters and fold white space.
 * @param {string} text Any text.
 * @returns {string} The cleaned text.
 */
export function clean(text) {
  const parts = text.split(SPACE).map((part) => part.replace(INVISIBLE, ""));
  return parts.filter(Boolean).join(" ");
}
