import { headColour, paperColours } from "../../javascript/palette.js";
import { escaped, wrapped } from "../../javascript/writing.js";
import { aidNotes, measured, pictureTitle } from "./aids.js";
import { paintCells } from "./cells.js";
import { svgCompare } from "./compare.js";
import { sortedHeads } from "./grid.js";
import { linesLayout, lineWidth, linkEnds, linksOf } from "./lines.js";
import { hiddenFrom, matrixLayout } from "./matrix.js";
import { mergeOf } from "./state.js";
import { lockedUnits, shownHead } from "./transform.js";

/**
 * The explorer for print: in light colours, with room for every name and nothing under the
 * pointer. If tokens of a side are locked, only these tokens are shown.
 */
function onPaper(app) {
  const locked = lockedUnits(app.state, app.sides);
  const rows = chosen(locked.rows, app.rows);
  const columns = chosen(locked.columns, app.columns);
  const cut = (weights) =>
    Float32Array.from(rows.flatMap((row) => columns.map((column) => weights[row * app.columns + column])));
  return {
    ...app,
    paper: true,
    some: rows.length < app.rows || columns.length < app.columns,
    colours: paperColours(app.payload.header.colours, app.colours.font),
    hovered: null,
    state: { ...app.state, locks: [] },
    sides: {
      queries: rows.map((row) => app.sides.queries[row]),
      keys: columns.map((column) => app.sides.keys[column]),
    },
    rows: rows.length,
    columns: columns.length,
    cut,
    merged: cut(app.merged),
    series: app.series.map((one) => ({ ...one, weights: cut(one.weights) })),
  };
}

function chosen(locked, count) {
  return locked.size ? [...locked].sort((a, b) => a - b) : Array.from({ length: count }, (_, at) => at);
}

const SVG_LINES = 1600; // with tokens and caption this stays under 2,000 nodes
const SVG_CELLS = 1200;

function svgText(x, y, text, { size = 15, fill, anchor = "start", weight = 400, turn = 0 }) {
  const rotate = turn ? ` transform="rotate(${turn} ${x.toFixed(1)} ${y.toFixed(1)})"` : "";
  return (
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" fill="${fill}" ` +
    `text-anchor="${anchor}" font-weight="${weight}"${rotate}>${escaped(text)}</text>`
  );
}

/**
 * The current view as an SVG, for slides and print: with its title, the notes of the reading aids, a
 * legend and a caption, on a light ground in either theme.
 */
export function svgPicture(screen) {
  const app = onPaper(screen);
  const draw = { lines: svgLines, grid: svgGrid, matrix: svgMatrix, compare: svgCompare }[app.state.view];
  const { text, muted, background } = app.colours;
  const body = draw(app, Math.max(860, Math.round(app.width)));
  const width = Math.ceil(body.width);
  const notes = [...aidNotes(app), ...(app.some ? [app.say("note chosen")] : [])];
  const head = [pictureTitle(app), ...notes].flatMap((line, index) =>
    wrapped(line, Math.floor(width / (index ? 8 : 10))),
  );
  const caption = [legendText(app, body.faintest), ...captionLines(app)].flatMap((line) =>
    wrapped(line, Math.floor(width / 8)),
  );
  const top = 26 + head.length * 22;
  const height = top + body.height + caption.length * 21 + 30;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" font-family="Source Sans, Source Sans Pro, PingFang SC, Microsoft YaHei, Noto Sans CJK SC, sans-serif">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    ...head.map((line, index) =>
      svgText(16, 28 + index * 22, line, {
        size: index ? 14 : 18, weight: index ? 400 : 600, fill: index ? muted : text,
      }),
    ),
    `<g transform="translate(0 ${top})">`, ...body.parts, "</g>",
    ...caption.map((line, index) =>
      svgText(16, top + body.height + 26 + index * 21, line, { size: 14, fill: muted }),
    ),
    "</svg>",
  ];
  return { svg: parts.join("\n"), width, height };
}

function legendText(app, faintest) {
  if (app.state.view !== "lines") {
    const scale = `${measured(app, "legend colour")} 0 – ${app.state.rowScale ? app.say("legend row") : "1"}.`;
    const hidden = app.state.view === "matrix" && app.payload.kinds[app.state.kind].causal;
    if (app.state.view === "compare") return `${scale} ${app.say("legend difference")} −1 – +1.`;
    return hidden ? `${scale} ${app.say("caption hidden")}` : scale;
  }
  const faint = measured(app, "legend faint", { weight: faintest.toFixed(2) });
  const heads = app.series
    .map(({ head }) => (head === null ? app.say(`${mergeOf(app.state)} short`) : String(head + 1)))
    .join(", ");
  return `${app.say("heads")} ${heads}. ${measured(app, "legend opacity")} 0 – 1; ${faint}.`;
}

function captionLines(app) {
  return ["sentence", "translation", "checkpoint"]
    .filter((name) => app.payload.header[name] !== null)
    .map((name) => app.say(`caption ${name}`, { [name]: app.payload.header[name] }));
}

function svgLines(app, least) {
  const names = linesLayout(app, least);
  const width = Math.max(least, names.left + names.right + 320);
  const layout = { ...names, width };
  const links = linksOf(app, null).slice(-SVG_LINES);
  const faintest = links.length === SVG_LINES ? links[0].weight : app.faintest;
  const paths = links.map((link) => {
    const { x0, y0, x1, y1 } = linkEnds(layout, link, app.series.length);
    const bend = (x1 - x0) * 0.42;
    const numbers = [x0, y0 + 30, x0 + bend, y0 + 30, x1 - bend, y1 + 30, x1, y1 + 30];
    const [a, b, c, d, e, f, g, h] = numbers.map((value) => value.toFixed(1));
    return (
      `<path d="M${a} ${b}C${c} ${d} ${e} ${f} ${g} ${h}" ` +
      `stroke-width="${lineWidth(link, app.series.length)}" ` +
      `stroke="${headColour(app.colours, link.head)}" stroke-opacity="${Math.min(1, link.weight).toFixed(3)}"/>`
    );
  });
  const written = (units, x, anchor) =>
    units.map((unit, index) =>
      svgText(x, 30 + (index + 0.5) * layout.row + 5, unit.name, {
        size: layout.font, anchor, fill: unit.special ? app.colours.muted : app.colours.text,
      }),
    );
  const parts = [
    svgText(16, 12, app.say("query axis"), { fill: app.colours.query, weight: 600 }),
    svgText(width - 16, 12, app.say("key axis"), { fill: app.colours.key, anchor: "end", weight: 600 }),
    ...headSwatches(app, width),
    `<g fill="none" stroke-linecap="round">`,
    ...paths, "</g>",
    ...written(app.sides.queries, layout.left - 8, "end"),
    ...written(app.sides.keys, width - layout.right + 8, "start"),
  ];
  const lengths = [app.sides.queries.length, app.sides.keys.length];
  return { parts, width, height: 40 + Math.max(...lengths) * layout.row, faintest };
}

/** The colours of the heads with their numbers, in the middle between the names of the axes. */
function headSwatches(app, width) {
  const start = width / 2 - (app.series.length * 34) / 2;
  return app.series.map(({ head }, place) => {
    const x = start + place * 34;
    const name = head === null ? app.say(`${mergeOf(app.state)} short`) : String(head + 1);
    return (
      `<rect x="${x.toFixed(1)}" y="1" width="12" height="12" rx="3" fill="${headColour(app.colours, head)}"/>` +
      svgText(x + 16, 12, name, { size: 14, fill: app.colours.text })
    );
  });
}

function svgMatrix(app, least) {
  const layout = matrixLayout(app);
  const { left, top, wide, high } = layout;
  const { queries, keys } = app.sides;
  const parts = [svgCells(app, app.merged, left, top, wide * app.columns, high * app.rows)];
  hiddenFrom(app).forEach((column, row) => {
    const hidden = (app.columns - column) * wide;
    const place = `x="${(left + column * wide).toFixed(1)}" y="${(top + row * high).toFixed(1)}"`;
    parts.push(
      `<rect ${place} width="${hidden.toFixed(1)}" height="${high.toFixed(1)}" fill="${app.colours.border}"/>`,
    );
  });
  const every = (size) => Math.ceil(15 / size);
  queries.forEach((unit, row) => {
    if (row % every(high)) return;
    const fill = unit.special ? app.colours.muted : app.colours.text;
    parts.push(svgText(left - 8, top + (row + 0.5) * high + 5, unit.name, { anchor: "end", size: 14, fill }));
  });
  keys.forEach((unit, column) => {
    if (column % every(wide)) return;
    const fill = unit.special ? app.colours.muted : app.colours.text;
    parts.push(svgText(left + (column + 0.5) * wide + 5, top - 8, unit.name, { turn: -90, size: 14, fill }));
  });
  parts.push(
    svgText(left, 12, app.say("key axis"), { fill: app.colours.key, weight: 600 }),
    svgText(20, top + Math.min(high * app.rows, 300), app.say("query axis"), {
      fill: app.colours.query, weight: 600, turn: -90,
    }),
  );
  return { parts, width: Math.max(least, left + wide * app.columns + 16), height: top + high * app.rows + 8 };
}

/** The cells as rectangles. Many or small cells become one image with a pixel per cell. */
function svgCells(app, weights, x, y, width, height) {
  const [rows, columns] = [app.rows, app.columns];
  const canvas = document.createElement("canvas");
  paintCells(canvas, weights, rows, columns, app.colours, {
    rowScale: app.state.rowScale, locked: null,
  });
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}"`;
  const frame = `<rect ${place} fill="none" stroke="${app.colours.border}"/>`;
  if (rows * columns > SVG_CELLS || app.state.view === "grid") {
    return (
      `<image ${place} preserveAspectRatio="none" style="image-rendering:pixelated" ` +
      `href="${canvas.toDataURL("image/png")}"/>${frame}`
    );
  }
  const pixels = canvas.getContext("2d").getImageData(0, 0, columns, rows).data;
  const [wide, high] = [width / columns, height / rows];
  const cells = Array.from({ length: rows * columns }, (_, at) => {
    const [left, top] = [x + (at % columns) * wide, y + Math.floor(at / columns) * high];
    const colour = `rgb(${pixels[at * 4]},${pixels[at * 4 + 1]},${pixels[at * 4 + 2]})`;
    return (
      `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${(wide + 0.2).toFixed(1)}" ` +
      `height="${(high + 0.2).toFixed(1)}" fill="${colour}"/>`
    );
  });
  return cells.join("") + frame;
}

function svgGrid(app, least) {
  const { heads } = app.payload.kinds[app.state.kind];
  const width = Math.max(least, 32 + heads * 100); // room for the title above each head
  const wide = (width - 32) / heads;
  const high = Math.max(90, wide * 0.9);
  const parts = [
    svgText(16, 12, app.say("matrix axes"), { fill: app.colours.muted, size: 14 }),
  ];
  const sorted = sortedHeads(app);
  sorted.forEach(({ layer, head, value }, index) => {
    const x = 16 + (index % heads) * wide;
    const y = 30 + Math.floor(index / heads) * (high + 8);
    const name = app.say("thumb", { layer: layer + 1, head: head + 1 });
    const label = value === null ? name : `${name}: ${value.toFixed(2)}`;
    const weights = app.cut(shownHead(app.payload, app.state, app.state.kind, layer, head));
    parts.push(
      svgText(x, y + 14, label, { size: 14, fill: app.colours.text }),
      svgCells(app, weights, x, y + 20, wide - 10, high - 28),
    );
  });
  return { parts, width, height: 30 + Math.ceil(sorted.length / heads) * (high + 8) };
}
