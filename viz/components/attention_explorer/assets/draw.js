import { zoomOf } from "../../javascript/canvas.js";
import { setVariables } from "../../javascript/dom.js";
import { currentColours } from "../../javascript/palette.js";
import { placeOf } from "./state.js";
import { seriesOf, shownMerged, sidesOf } from "./transform.js";

/** Draw in the next frame: everything ("all"), or only what follows the pointer ("hover"). */
export function schedule(app, what) {
  if (app.pending === null) requestAnimationFrame(() => draw(app));
  app.pending = what === "all" || app.pending === "all" ? "all" : "hover";
}

export function draw(app) {
  const { parts, pending, root } = app;
  app.pending = null;
  if (!parts || pending === null) return;
  if (pending === "all") drawAll(app);
  else parts.picture.hover();
  parts.side.show();
  root.dataset.painted = String(++app.frames);
  root.dataset.hovered = JSON.stringify(app.hovered);
}

function drawAll(app) {
  const { parts, root } = app;
  const colours = currentColours(root, app.payload.header.colours, app.colours);
  if (colours !== app.painted) applyColours(root, colours);
  app.colours = app.painted = colours;
  root.dataset.view = app.state.view; // the style sheet gives the comparison the whole width
  app.width = parts.picture.frame.clientWidth;
  const style = getComputedStyle(root);
  app.folded = style.getPropertyValue("--folded") !== "";
  app.onStage = app.folded || style.getPropertyValue("--for-readers") !== "";
  app.height = roomFor(app);
  prepare(app);
  for (const part of [parts.toolbar, parts.aids, parts.picture]) part.show();
  writeData(app);
}

/** The height for the view: on a lesson's stage, with tools folded away, the whole view is visible. */
function roomFor({ root, folded }) {
  const [around, least] = folded ? [165, 320] : [240, 460];
  return Math.max(least, Math.min(760, window.innerHeight / zoomOf(root) - around));
}

/** Compute, once per change, what all views show. */
function prepare(app) {
  const { payload, state } = app;
  app.sides = sidesOf(payload, state, state.kind);
  app.rows = app.sides.queries.length;
  app.columns = app.sides.keys.length;
  app.series = seriesOf(payload, state);
  app.merged = shownMerged(payload, state);
  const { heads } = placeOf(state);
  app.mergedHead = heads.length === 1 && !state.layers ? heads[0] : null;
  const over = app.hovered;
  const fits = over && (over.side === undefined
    ? state.view !== "lines" && (over.row === undefined) === (state.view === "grid")
    : state.view === "lines" && over.index < (over.side === "q" ? app.rows : app.columns));
  if (!fits || over.row >= app.rows || over.column >= app.columns) app.hovered = null;
}

function applyColours(root, colours) {
  const { text, muted, border, panel, query, key, background } = colours;
  setVariables(root, { text, muted, border, panel, query, key, background });
  root.classList.toggle("dark", colours.dark);
}

/** Write what is on screen into data attributes, for tests and for style sheets. */
function writeData(app) {
  const { layer, heads } = placeOf(app.state);
  const { dataset } = app.root;
  dataset.kind = app.state.kind;
  dataset.layer = String(layer + 1);
  dataset.heads = heads.map((head) => head + 1).join("-");
  dataset.locks = app.state.locks.map(({ side, index }) => `${side}${index + 1}`).join("-");
  dataset.recording = app.payload.header.id;
}
