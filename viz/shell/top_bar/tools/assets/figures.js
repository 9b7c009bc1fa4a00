import { escaped, wrapped } from "../../../../components/javascript/writing.js";

const [SIZE, LINE, LETTER] = [13, 19, 7.5]; // pixels: the caption's font size, line height, letter width
const SLACK = 1.25;
const INK = /^<span style="color:#(?:fff|000)">(.*)<\/span>$/; // the ink chosen for cells in the dark theme

/**
 * Make plotly save figures for paper: in light colours in any theme, and with a caption. While
 * plotly copies a figure, its data and layout are replaced by light ones. `paper()` returns the
 * colours and the lines of the caption. Returns a function that ends this.
 */
export function figuresForPaper(paper) {
  const press = (event) => {
    const button = event.target.closest?.(".modebar-btn");
    const plot = button?.closest(".js-plotly-plot");
    if (plot && button.dataset.title?.startsWith("Download plot")) lend(plot, paper());
  };
  window.addEventListener("click", press, true);
  return () => window.removeEventListener("click", press, true);
}

/** Lend plotly a light figure for a moment: it copies the figure at once and draws it later. */
function lend(plot, paper) {
  const { data, layout, _context: context } = plot;
  const options = context.toImageButtonOptions;
  const own = layoutOnPaper(plot, paper);
  plot.data = data.map((trace) => inLight(trace, paper));
  plot.layout = own;
  context.toImageButtonOptions = { ...options, width: own.width, height: own.height };
  setTimeout(() => {
    plot.data = data;
    plot.layout = layout;
    context.toImageButtonOptions = options;
  });
}

/**
 * The layout of a figure on paper. Its margins are those that plotly chose on screen, but wider: few
 * machines have Source Sans, and the font on paper needs more room. The caption lies below them.
 */
function layoutOnPaper({ layout, _fullLayout: full }, paper) {
  const { _size: { l, r, t, b } } = full;
  const [left, right, top, bottom] = [l, r, t, b].map((side) => Math.ceil(side * SLACK));
  const width = full.width - l - r + left + right;
  const lines = paper.caption.flatMap((line) => wrapped(line, Math.floor((width - 16) / LETTER)));
  const room = lines.length * LINE + 24;
  const caption = {
    text: lines.map(asPlotlyReads).join("<br>"), font: { size: SIZE, color: "#555867" }, align: "left",
    showarrow: false, xref: "paper", yref: "paper", x: 0, y: 0, xanchor: "left", yanchor: "top",
    xshift: 8 - left, yshift: -bottom - 12,
  };
  const light = inLight(layout, paper);
  return {
    ...light,
    paper_bgcolor: "#ffffff",
    plot_bgcolor: "#ffffff",
    margin: { l: left, r: right, t: top, b: bottom + room },
    width,
    height: full.height - t - b + top + bottom + room,
    annotations: [...(light.annotations ?? []), caption],
  };
}

/** Escape a line for plotly, which knows some HTML entities, but not that of a quotation mark. */
function asPlotlyReads(line) {
  return escaped(line).replaceAll("&quot;", '"');
}

/** Return a part of a figure with light colours in place of the dark ones. */
function inLight(part, paper) {
  if (typeof part === "string") return paper.light[part] ?? (paper.dark ? part.replace(INK, "$1") : part);
  if (Array.isArray(part)) {
    const scale = paper.scales.find(([dark]) => JSON.stringify(dark) === JSON.stringify(part));
    return scale ? scale[1] : part.map((one) => inLight(one, paper));
  }
  if (!part || Object.getPrototypeOf(part) !== Object.prototype) return part;
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, inLight(one, paper)]));
}
