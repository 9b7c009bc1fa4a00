"""The letters of a page on screen: which are smaller than a class can read."""

from playwright.sync_api import Page

LEAST = 20

EXCEPT = (
    ".katex .mtight",  # sub- and superscripts of a formula
    ".js-plotly-plot tspan[style*='font-size']",  # and of a number on an axis, such as 10⁻³
    ".rows i",  # a mark in a cell of the mask, which the line below the table explains
    ".stDataFrame",  # the table of many sentences, which Streamlit paints and sizes itself
)
"""Where letters may be smaller, and why."""

WATCH = """
const fillText = CanvasRenderingContext2D.prototype.fillText;
window.painted = new Map();
CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
  const { a, b } = this.getTransform();
  const size = parseFloat(this.font.match(/([\\d.]+)px/)[1]) * Math.hypot(a, b) / this.canvas.width;
  if (this.canvas.isConnected) {
    const before = window.painted.get(this.canvas);
    if (!before || before.size > size) window.painted.set(this.canvas, { size, text });
  }
  return fillText.call(this, text, ...rest);
};
const clearRect = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (x, y, width, height) {
  const { a } = this.getTransform();
  const isAll = x <= 0 && y <= 0 && Math.round(width * a) >= this.canvas.width;
  if (isAll) window.painted.delete(this.canvas);
  return clearRect.call(this, x, y, width, height);
};"""
"""Remembers the smallest letters on each canvas since it was cleared, as a share of its width."""

SMALL = """([least, except]) => {
  const found = [];
  const told = (text, size) => {
    if (size < least - 0.5) found.push(`${text.trim().slice(0, 30)}: ${size.toFixed(1)}`);
  };
  const sizeOf = (node) => {
    const size = parseFloat(getComputedStyle(node).fontSize);
    if (!node.ownerSVGElement) return size * node.currentCSSZoom;
    const { a, b } = node.getScreenCTM?.() ?? node.closest("text").getScreenCTM();
    return size * Math.hypot(a, b);
  };
  const isSeen = (node, box) => {
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    if (box.width < 2 || box.height < 2 || box.right < 0 || box.bottom < 0) return false;
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
      const { clipPath, overflow } = getComputedStyle(at);
      if (clipPath.startsWith("inset(50%")) return false;
      if (overflow !== "visible" && at.getBoundingClientRect().height < 2) return false;
      if (except.some((one) => at.matches(one))) return false;
    }
    return true;
  };
  const search = (root) => {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node.shadowRoot) search(node.shadowRoot);
      const holder = node.parentElement ?? node.parentNode.host;
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      if (!holder || holder.matches("style, script, noscript")) continue;
      if (getComputedStyle(holder).fontFamily.includes("Material Symbols")) continue; // a sign
      const range = document.createRange();
      range.selectNodeContents(node);
      if (isSeen(holder, range.getBoundingClientRect())) told(node.data, sizeOf(holder));
    }
    const fields = "input:not([type=range], [type=checkbox]), textarea";
    for (const field of root.querySelectorAll(fields)) {
      if (isSeen(field, field.getBoundingClientRect())) told(field.value, sizeOf(field));
    }
  };
  search(document.body);
  for (const [canvas, { size, text }] of window.painted) {
    const box = canvas.getBoundingClientRect();
    if (canvas.isConnected && isSeen(canvas, box)) told(text, size * box.width);
  }
  return found;
}"""


def watch_letters(page: Page) -> None:
    """Watch what is painted on canvases; call it before the page is opened."""
    page.add_init_script(WATCH)


def small_letters(page: Page) -> list[str]:
    """Return the visible texts that stay smaller than `LEAST` pixels, with their sizes.

    A canvas is painted anew a moment after the window has another size: so it asks for some time.
    """
    found: list[str] = []
    for _try in range(15):
        found = page.evaluate(SMALL, [LEAST, list(EXCEPT)])
        if not found:
            break
        page.wait_for_timeout(200)
    return found
