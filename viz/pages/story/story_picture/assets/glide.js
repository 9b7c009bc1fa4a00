/**
 * Draw frame by frame until `milliseconds` are over: `draw` gets the share of the time that has
 * passed, from 0 to 1, and always gets 1 at the end. Returns a function that stops the drawing.
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
