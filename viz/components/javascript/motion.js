/** True if the reader's system asks for no motion. */
export function isCalm() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function limited(share, least = 0, most = 1) {
  return Math.max(least, Math.min(most, share));
}

/** Turn a share of the time, 0 to 1, into a share of the way: slow at both ends. */
export function smooth(share) {
  const at = limited(share);
  return at * at * (3 - 2 * at);
}
