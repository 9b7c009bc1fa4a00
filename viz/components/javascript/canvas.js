/** Give a canvas its size in CSS pixels, sharp on this screen; returns its context, cleared. */
export function sized(canvas, width, height) {
  const ratio = Math.min((window.devicePixelRatio || 1) * zoomOf(canvas), 2);
  const wide = Math.max(1, Math.round(width * ratio));
  const high = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    if (canvas.style) {
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Draw with the origin moved to a place and turned by an angle. */
export function turned(context, x, y, angle, draw) {
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  draw();
  context.restore();
}

/** How much larger than its own pixels a node is shown: presenter mode enlarges pages. */
export function zoomOf(node) {
  return node.currentCSSZoom || 1;
}

/** The place of the pointer, from a node's upper left corner, in the node's own pixels. */
export function pointIn(node, event) {
  const box = node.getBoundingClientRect();
  const zoom = zoomOf(node);
  return { x: (event.clientX - box.left) / zoom, y: (event.clientY - box.top) / zoom };
}

/** The row and the column under the pointer, which may lie outside the grid; sizes in CSS pixels. */
export function cellUnder(canvas, event, { left, top, wide, high }) {
  const { x, y } = pointIn(canvas, event);
  return { row: Math.floor((y - top) / high), column: Math.floor((x - left) / wide) };
}
