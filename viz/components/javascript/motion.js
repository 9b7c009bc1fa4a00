/** Whether somebody asked their system for no motion. */
export function isCalm() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function limited(share, least = 0, most = 1) {
  return Math.max(least, Math.min(most, share));
}

/** A share of a way as it is gone: slow at both ends. */
export function smooth(share) {
  const at = limited(share);
  return at * at * (3 - 2 * at);
}
