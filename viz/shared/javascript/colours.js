/** Any CSS colour as [red, green, blue]. */
function channels(colour) {
  const context = channels.context ?? document.createElement("canvas").getContext("2d");
  channels.context = context;
  context.fillStyle = "#000";
  context.fillStyle = colour;
  const text = context.fillStyle;
  if (text.startsWith("#")) return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  return text.match(/[\d.]+/g).slice(0, 3).map(Number);
}

function mixed(colour, other, share) {
  const [a, b] = [channels(colour), channels(other)];
  return `rgb(${a.map((value, i) => Math.round(value * (1 - share) + b[i] * share)).join(", ")})`;
}

function luminance(colour) {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Move a colour towards the text's until it can be read as text on this background. */
function readable(colour, background, text) {
  for (let share = 0; share < 1; share += 0.1) {
    const moved = mixed(colour, text, share);
    if (contrast(moved, background) >= 4.5) return moved;
  }
  return text;
}

/** 256 colours of a scale given as [[position, colour], ...], as red, green, blue bytes. */
function lookup(scale) {
  const stops = scale.map(([position, colour]) => [position, channels(colour)]);
  const table = new Uint8ClampedArray(256 * 3);
  for (let level = 0; level < 256; level++) {
    const at = level / 255;
    const above = Math.max(1, scale.findIndex(([position]) => position >= at));
    const [[low, from], [high, to]] = [stops[above - 1], stops[above]];
    const share = (at - low) / (high - low);
    table.set(from.map((value, i) => Math.round(value * (1 - share) + to[i] * share)), level * 3);
  }
  return table;
}

/**
 * The colours of this moment, from Streamlit's theme variables or, without them, light. They are
 * the same object as before while the theme is the same.
 */
function currentColours(root, given, before) {
  const style = getComputedStyle(root);
  const read = (name, fallback) => {
    const value = style.getPropertyValue(name).trim();
    return value && value !== "unset" ? value : fallback;
  };
  const background = read("--st-background-color", "#ffffff");
  const text = read("--st-text-color", "#262730");
  const panel = read("--st-secondary-background-color", mixed(text, background, 0.95));
  const font = read("--st-font", "sans-serif");
  const theme = [background, text, panel, font].join(" ");
  if (before && before.theme === theme) return before;
  const dark = luminance(background) < 0.3;
  const sequential = given[dark ? "dark" : "light"];
  return {
    theme,
    dark,
    background,
    text,
    muted: mixed(text, background, 0.35),
    border: mixed(text, background, 0.82),
    panel,
    font,
    heads: given.heads,
    mean: mixed(text, background, 0.15),
    query: readable(given.query, background, text),
    key: readable(given.key, background, text),
    kinds: given.kinds,
    sequential,
    table: lookup(sequential),
  };
}

function headColour(colours, head) {
  return head === null ? colours.mean : colours.heads[head % colours.heads.length];
}

/**
 * Paint weights one pixel a cell; CSS or drawImage makes it larger. Rows are scaled to their
 * maximum when asked, and cells outside the locked rows and columns are faded.
 */
function paintCells(canvas, weights, rows, columns, colours, { rowScale, locked }) {
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
  }
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const back = channels(colours.background);
  const some = locked && locked.rows.size + locked.columns.size > 0;
  for (let row = 0; row < rows; row++) {
    const scale = rowScale ? 255 / rowMaximum(weights, row, columns) : 255;
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const level = Math.min(255, Math.round(weights[at] * scale));
      const faded = some && !locked.rows.has(row) && !locked.columns.has(column);
      for (let channel = 0; channel < 3; channel++) {
        const value = colours.table[level * 3 + channel];
        image.data[at * 4 + channel] = faded ? value * 0.25 + back[channel] * 0.75 : value;
      }
      image.data[at * 4 + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}

function rowMaximum(weights, row, columns) {
  let most = 1e-6;
  for (let at = row * columns; at < (row + 1) * columns; at++) most = Math.max(most, weights[at]);
  return most;
}
