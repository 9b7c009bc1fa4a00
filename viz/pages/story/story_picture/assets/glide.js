/**
 * Draw frame by frame until `milliseconds` are over: `draw` gets how much of the time is gone, 0 to
 * 1, and is called with 1 at the end. Returns what stops it.
 */
export function glide(milliseconds, draw) {
  const began = performance.now();
  let frame = 0;
  const step = (now) => {
    const share = Math.min(1, Math.max(0, (now - began) / milliseconds));
    if (share < 1) frame = requestAnimationFrame(step);
    draw(share);
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}
