import { escaped, wrapped } from "../../../../components/javascript/writing.js";

const [SIZE, LINE, LETTER] = [13, 19, 7.5]; // pixels: the caption's letters, its lines, a letter across
const SLACK = 1.25;
const INK = /^<span style="color:#(?:fff|000)">(.*)<\/span>$/; // as chosen for dark cells

/**
 * A figure of plotly that is saved goes to paper: in the light colours whatever the theme, with a caption.
 * While plotly copies it, the figure is its own light one. `paper()` has the colours and the lines of
 * the caption. Returns what ends it.
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

/** Plotly copies the figure at once, and draws the copy later. */
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
 * The margins are those that plotly came to on screen, wider by what a font takes that is on most
 * machines: Source Sans is not. Below them there is room for the caption.
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

/** Plotly knows some entities, but not that of a quotation mark. */
function asPlotlyReads(line) {
  return escaped(line).replaceAll("&quot;", '"');
}

/** A part of a figure with the light colours in the place of the dark ones. */
function inLight(part, paper) {
  if (typeof part === "string") return paper.light[part] ?? (paper.dark ? part.replace(INK, "$1") : part);
  if (Array.isArray(part)) {
    const scale = paper.scales.find(([dark]) => JSON.stringify(dark) === JSON.stringify(part));
    return scale ? scale[1] : part.map((one) => inLight(one, paper));
  }
  if (!part || Object.getPrototypeOf(part) !== Object.prototype) return part;
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, inLight(one, paper)]));
}
