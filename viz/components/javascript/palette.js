import { lookup, luminance, mixed, readable } from "./colours.js";

/**
 * The current colours, from Streamlit's theme variables, or light colours without them. While the
 * theme is the same, this returns the object `before`.
 */
export function currentColours(root, given, before) {
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
  return before && before.theme === theme ? before : coloursOn(background, text, panel, font, given);
}

/** The light colours, in either theme, for print. */
export function paperColours(given, font) {
  return coloursOn("#ffffff", "#262730", "#f0f2f6", font, given);
}

function coloursOn(background, text, panel, font, given) {
  const dark = luminance(background) < 0.3;
  const sequential = given[dark ? "dark" : "light"];
  return {
    theme: [background, text, panel, font].join(" "),
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
    diverging: given.diverging[dark ? "dark" : "light"],
    signedTable: lookup(given.diverging[dark ? "dark" : "light"]),
  };
}

export function headColour(colours, head) {
  return head === null ? colours.mean : colours.heads[head % colours.heads.length];
}
