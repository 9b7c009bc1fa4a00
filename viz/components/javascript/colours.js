/** Any CSS colour as [red, green, blue]. */
export function channels(colour) {
  if (/^#[\da-f]{6}$/i.test(colour)) return hexadecimal(colour);
  const context = channels.context ?? document.createElement("canvas").getContext("2d");
  channels.context = context;
  context.fillStyle = "#000";
  context.fillStyle = colour;
  const text = context.fillStyle;
  if (text.startsWith("#")) return hexadecimal(text);
  return text.match(/[\d.]+/g).slice(0, 3).map(Number);
}

function hexadecimal(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** Three channels as a CSS colour. */
export function rgb([red, green, blue]) {
  return `rgb(${red}, ${green}, ${blue})`;
}

function between(low, high, share) {
  return low.map((value, i) => Math.round(value * (1 - share) + high[i] * share));
}

export function mixed(colour, other, share) {
  return rgb(between(channels(colour), channels(other), share));
}

export function luminance(colour) {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** White or a dark ink, whichever is easier to read on a colour. */
export function inkOn(colour, dark = "#000000") {
  return contrast(colour, "#ffffff") > contrast(colour, dark) ? "#ffffff" : dark;
}

/** Mix a colour with the text's colour until it is readable as text on this background. */
export function readable(colour, background, text) {
  for (let share = 0; share < 1; share += 0.1) {
    const moved = mixed(colour, text, share);
    if (contrast(moved, background) >= 4.5) return moved;
  }
  return text;
}

/** The channels of a scale, [[position, colour], ...], at a position from 0 to 1. */
export function colourAt(scale, position) {
  const at = Math.min(1, Math.max(0, position));
  const above = Math.max(1, scale.findIndex(([stop]) => stop >= at));
  const [[low, from], [high, to]] = [scale[above - 1], scale[above]];
  return between(channels(from), channels(to), (at - low) / (high - low));
}

/** The 256 colours of a scale as red, green and blue bytes. */
export function lookup(scale) {
  const table = new Uint8ClampedArray(256 * 3);
  for (let level = 0; level < 256; level++) table.set(colourAt(scale, level / 255), level * 3);
  return table;
}

/** The channels of a level from 0 to 255 in such a table. */
export function levelOf(table, level) {
  return table.subarray(level * 3, level * 3 + 3);
}

/** A scale from left to right as a CSS background, for legends. */
export function gradient(scale) {
  const stops = scale.map(([at, colour]) => `${colour} ${at * 100}%`);
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}
