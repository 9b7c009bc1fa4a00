import { linksOfHead } from "../../head_links/assets/links_of_head.js";
import { gradient } from "../../javascript/colours.js";
import { zoomOf } from "../../javascript/canvas.js";
import { make, setText } from "../../javascript/dom.js";
import { headColour } from "../../javascript/palette.js";
import { segmented } from "../../javascript/segmented.js";
import { aidNotes, headList, measured, pictureTitle } from "./aids.js";
import { compareView } from "./compare.js";
import { gridView } from "./grid.js";
import { linesView } from "./lines.js";
import { matrixView } from "./matrix.js";
import { saidLine, saidLink } from "./said.js";
import { scissors } from "./scissors.js";
import { placeOf, VIEWS } from "./state.js";

/** The figure: its title and notes, the chosen view, and the legend. */
export function picture(app) {
  const title = make("span", { class: "title" });
  const notes = make("div", { class: "notes" });
  const tabs = segmented(
    app.say("view"),
    VIEWS.map((name) => [name, app.say(name), app.say(`${name} hint`)]),
    (name) => app.set({ view: name }),
  );
  const views = { lines: linesView(app), grid: gridView(app), matrix: matrixView(app), compare: compareView(app) };
  const help = make(
    "button", { type: "button", class: "help-button", title: app.say("help"),
      "aria-label": app.say("help"), click: () => app.help() }, "?",
  );
  const frame = make("div", { class: "frame" }, ...VIEWS.map((name) => views[name].node));
  const legend = legendRow(app);
  const said = saidRow(app);
  const node = make(
    "figure", { class: "picture" },
    make("figcaption", {}, make("div", { class: "title-row" }, title, tabs.node, help), said.node, notes),
    frame, legend.node,
  );
  const show = () => {
    setText(title, pictureTitle(app));
    tabs.show(app.state.view);
    notes.replaceChildren(...aidNotes(app).map((note) => make("span", { class: "note" }, note)));
    if (app.state.view === "lines" && app.series.length > 1) {
      const text = app.say("note figures", { heads: headList(app) });
      notes.append(make("span", { class: "figures-note" }, text));
    }
    const tall = ["grid", "compare"].includes(app.state.view); // these do not scroll inside the frame
    frame.style.height = tall ? "auto" : `${app.height}px`;
    frame.style.minHeight = `${app.state.view === "grid" ? gridHeight(app) : app.height}px`;
    frame.style.setProperty("--thumb", `${thumbHeight(app)}px`);
    for (const name of VIEWS) views[name].node.hidden = name !== app.state.view;
    views[app.state.view].draw();
    said.show();
    legend.show();
  };
  const hover = () => {
    views[app.state.view].hover();
    said.hover();
  };
  return { node, frame, show, hover, drop: views.compare.drop };
}

/** The height for the heads of all layers: on stage all are visible, though the tools are there. */
function gridHeight({ root, folded, onStage, height }) {
  return onStage && !folded ? Math.max(240, window.innerHeight / zoomOf(root) - 290) : height;
}

function thumbHeight(app) {
  const { layers } = app.payload.kinds[app.state.kind];
  const row = Math.floor((gridHeight(app) - (app.onStage ? 0 : 56)) / Math.max(layers, 4));
  if (app.onStage) return Math.max(28, row - 17);
  const names = app.root.clientWidth > 1040 ? 38 : 54; // pixels for a name on one line, or on two
  return Math.max(44, row - names);
}

/** The line about the head on screen, and its links. */
function saidRow(app) {
  const said = saidLine(app);
  const { offers, headLinks } = app.payload.header;
  const links = offers?.head ? linksOfHead(headLinks) : null;
  const cuts = scissors(app);
  const ways = make("div", { class: "ways" }, links?.node ?? null, cuts.node);
  const node = make("div", { class: "said-row" }, said.node, ways);
  // While an end is dragged, the row keeps its height: else the picture would move under the pointer.
  const showLine = () => {
    const isAimed = app.trials.isAimed();
    if (isAimed && !node.style.height) node.style.height = `${node.offsetHeight}px`;
    if (!isAimed) node.style.height = "";
    node.classList.toggle("aimed", isAimed);
    said.show();
  };
  const show = () => {
    showLine();
    cuts.show();
    const { layer, heads } = placeOf(app.state);
    const place = { kind: app.state.kind, layer, head: app.state.focused };
    const several = heads.length > 1 || app.state.layers;
    links?.show(place, app.payload.header.offers.head, { ...saidLink(app), several });
  };
  return { node, show, hover: showLine };
}

/** The legend: what opacity or colour means, with its two ends. */
function legendRow(app) {
  const what = make("span");
  const low = make("span", { class: "end" }, "0");
  const strip = make("span", { class: "strip", "aria-hidden": "true" });
  const high = make("span", { class: "end" }, "1");
  const rest = make("span", { class: "rest" });
  const hidden = make("span", { class: "hidden-key" }, make("i", {}), app.say("legend hidden"));
  const node = make("div", { class: "legend" }, what, low, strip, high, rest, hidden);
  const show = () => {
    const lines = app.state.view === "lines";
    setText(what, measured(app, lines ? "legend opacity" : "legend colour"));
    const rows = !lines && app.state.rowScale;
    setText(high, rows ? app.say("legend row") : "1");
    strip.style.background = lines
      ? `linear-gradient(90deg, transparent, ${headColour(app.colours, app.series[0].head)})`
      : gradient(app.colours.sequential);
    hidden.hidden = app.state.view !== "matrix" || !app.payload.kinds[app.state.kind].causal;
    setText(rest, lines ? measured(app, "legend faint", { weight: app.faintest.toFixed(2) }) : "");
  };
  return { node, show };
}
