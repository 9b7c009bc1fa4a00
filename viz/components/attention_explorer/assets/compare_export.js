import { escaped } from "../../javascript/writing.js";
import { GAP, compareLayout, paintPanel } from "./compare.js";
import { comparison } from "./comparison.js";

/** The three matrices of the comparison for a picture in a file: parts of an SVG, and its height. */
export function svgCompare(app, least) {
  app.compared = comparison(app);
  const { rows, columns, names } = app.compared;
  const { left, top, wide, high } = compareLayout(app, app.compared, least - 32);
  const text = (x, y, words, rest) =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="14" fill="${app.colours.text}" ${rest}>${escaped(words)}</text>`;
  const parts = [];
  ["first", "second", "difference"].forEach((name, at) => {
    const x = 16 + left + at * (wide * columns.length + GAP);
    const canvas = document.createElement("canvas");
    paintPanel(canvas, app, name);
    const size = `width="${(wide * columns.length).toFixed(1)}" height="${(high * rows.length).toFixed(1)}"`;
    parts.push(
      text(x, 14, [names[0], names[1], app.say("difference")][at], 'font-weight="600"'),
      `<image x="${x.toFixed(1)}" y="${top + 24}" ${size} preserveAspectRatio="none" ` +
        `style="image-rendering:pixelated" href="${canvas.toDataURL("image/png")}"/>`,
    );
    columns.forEach((unit, column) => {
      const [across, down] = [x + (column + 0.5) * wide + 4, top + 18];
      parts.push(text(across, down, unit.text, `transform="rotate(-90 ${across.toFixed(1)} ${down})"`));
    });
  });
  rows.forEach((unit, row) => parts.push(
    text(16 + left - 8, top + 24 + (row + 0.5) * high + 5, unit.text, 'text-anchor="end"')));
  const width = Math.max(least, 32 + left + 3 * wide * columns.length + 2 * GAP);
  return { parts, width, height: top + 32 + high * rows.length };
}

/** The numbers of the comparison, a line a cell that both have. */
export function csvCompare(app) {
  const { rows, columns, first, second, difference, names } = comparison(app);
  const cell = (text) => `"${String(text).replace(/"/g, '""')}"`;
  const lines = [["query", "key", ...names, "difference"].map(cell).join(",")];
  difference.forEach((value, at) => {
    if (Number.isNaN(value)) return;
    const slots = [rows[Math.floor(at / columns.length)], columns[at % columns.length]];
    const numbers = [first[at], second[at], value].map((number) => number.toFixed(4));
    lines.push([...slots.map(({ label }) => cell(label)), ...numbers].join(","));
  });
  return `\ufeff${lines.join("\r\n")}\r\n`;
}
