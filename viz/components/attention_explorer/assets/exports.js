import { writeQuery } from "../../javascript/address.js";
import { copyText } from "../../javascript/clipboard.js";
import { make, setText } from "../../javascript/dom.js";
import { csvCell, escaped } from "../../javascript/writing.js";
import { inOwnFile } from "./address.js";
import { dropdown } from "./dropdown.js";
import { sortedHeads } from "./grid.js";
import { mergeOf, parametersOf, placeOf } from "./state.js";
import { csvCompare } from "./compare.js";
import { svgPicture } from "./scene.js";
import { shownHead } from "./transform.js";

/** The panel of downloads. Outside the app it also offers the link; in the app, each page does. */
export function sharePanel(app) {
  const status = make("div", { class: "status", role: "status" });
  const say = (name) => setText(status, app.say(name));
  const run = (name, action) => async () => {
    try {
      await action();
      say(name);
    } catch (error) {
      console.error(error);
      say("failed");
    }
  };
  const item = (name, action, done) =>
    make(
      "button", { type: "button", class: "item", "data-export": name, click: run(done, action) },
      make("span", {}, app.say(`${name} label`)), make("small", {}, app.say(`${name} hint`)),
    );
  const drop = dropdown(
    app.say(app.address.inApp ? "save" : "share"), "share",
    inOwnFile() && !app.address.inApp ? item("link", () => copyText(app.link()), "copied") : null,
    app.address.frame ? item("frame", () => copyText(app.address.frame(app.state)), "framed") : null,
    item("png", () => savePng(app), "saved"),
    item("svg", () => save(app, "svg", "image/svg+xml", svgPicture(app).svg), "saved"),
    item("csv", () => save(app, "csv", "text/csv;charset=utf-8", csvOf(app)), "saved"),
    item("html", () => save(app, "html", "text/html;charset=utf-8", htmlOf(app)), "saved"),
    status,
  );
  return { ...drop, show: () => setText(status, "") };
}

function fileName(app, extension) {
  const { kind, view } = app.state;
  const { layer, heads } = placeOf(app.state);
  const at = app.state.layers ? "-all-layers" : `-layer${layer + 1}`;
  const place = view === "grid" ? "" : `${at}-heads${heads.map((head) => head + 1).join("-")}`;
  return `headlight-${kind}${place}-${view}.${extension}`;
}

function save(app, extension, type, content) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = make("a", { href: url, download: fileName(app, extension) });
  app.root.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

async function savePng(app) {
  const { svg, width, height } = svgPicture(app);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  save(app, "png", "image/png", blob);
}

/** The numbers of the current view as CSV, a line per link; links of weight 0 are left out. */
function csvOf(app) {
  const { state, sides } = app;
  if (state.view === "compare") return csvCompare(app);
  const name = app.state.taken ? "taken" : "weight";
  const rows = [`kind,layer,head,query_number,query,predicted,key_number,key,${name}`];
  const queries = sides.queries.map((unit) => (unit.writes ? ["", unit.label] : [unit.label, unit.next]).map(csvCell).join(","));
  const keys = sides.keys.map((unit) => csvCell(unit.label));
  for (const { layer, head, weights } of csvSeries(app)) {
    const place = head === null && state.layers ? "all" : layer + 1;
    const start = `${state.kind},${place},${head === null ? mergedName(state) : head + 1}`;
    for (let at = 0; at < weights.length; at++) {
      if (!weights[at]) continue;
      const [row, column] = [Math.floor(at / keys.length), at % keys.length];
      const weight = weights[at].toFixed(4);
      rows.push(`${start},${row + 1},${queries[row]},${column + 1},${keys[column]},${weight}`);
    }
  }
  return `\ufeff${rows.join("\r\n")}\r\n`; // the mark tells spreadsheets that this is UTF-8
}

/** How heads are merged, and which heads: "mean of 2 5". */
function mergedName(state) {
  return `${mergeOf(state)} of ${placeOf(state).heads.map((head) => head + 1).join(" ")}`;
}

function csvSeries(app) {
  const { state, payload } = app;
  const { layer } = placeOf(state);
  if (state.view === "matrix") return [{ layer, head: app.mergedHead, weights: app.merged }];
  if (state.view === "lines") return app.series.map((one) => ({ layer, ...one }));
  return sortedHeads(app).map(({ layer: at, head }) => ({
    layer: at, head, weights: shownHead(payload, state, state.kind, at, head),
  }));
}

const SCRIPT_END = "/script"; // split, as this source itself is inside a script element

/** An HTML file with the explorer, this recording and this view; it needs no network. */
function htmlOf(app) {
  const variables = {
    "--st-background-color": app.colours.background,
    "--st-text-color": app.colours.text,
    "--st-secondary-background-color": app.colours.panel,
    "--st-primary-color": getComputedStyle(app.root).getPropertyValue("--st-primary-color").trim() || "#0072B2",
    "--st-font": "Source Sans, Source Sans Pro, PingFang SC, Microsoft YaHei, Noto Sans CJK SC, system-ui, sans-serif",
  };
  const style = Object.entries(variables).map(([name, value]) => `${name}:${value}`).join(";");
  let bytes = "";
  const { bytes: own } = app.payload;
  for (let at = 0; at < own.length; at += 32768) {
    bytes += String.fromCharCode(...own.subarray(at, at + 32768));
  }
  const { sentence } = app.payload.header;
  return `<!doctype html>
<html lang="${document.documentElement.lang || "en"}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(sentence)} · Headlight</title>
<style>:root{${escaped(style)}}
body{margin:0 auto;max-width:1500px;padding:16px 24px;background:var(--st-background-color);
color:var(--st-text-color);font-family:var(--st-font)}h1{font-size:24px;margin:8px 0}</style>
</head><body><h1>${escaped(sentence)}</h1><div id="explorer"></div>
<script>
const headlight = ${headlight.toString()};
headlight().standalone(
  document.getElementById("explorer"), ${JSON.stringify(btoa(bytes))}, ${JSON.stringify(writeQuery(parametersOf(app.state)))},
);
<${SCRIPT_END}></body></html>
`;
}
