import { said } from "../../components/javascript/address.js";
import { make, setText } from "../../components/javascript/dom.js";
import { makeAsker } from "./asker.js";
import { loaded } from "./files.js";
import { focusNow } from "./head.js";
import { optionsOf } from "./lab.js";
import { followQuestion, showChanges, showNotes } from "./question.js";
import { traceMaps } from "./trace_maps.js";
import { traceWeights } from "./trace_weights.js";

/**
 * The trace of any two sentences: the opening pair was recorded, and the model computes all others,
 * with one run for each cell. A press on a cell takes that vector from the other sentence, and the
 * translation follows. Resolves to a function that draws it again.
 */
export async function traceOf(site, parentElement) {
  const { header: first } = await loaded(site, "trace-0");
  const app = { shown: null, offers: site.offers, key: "", piece: null, of: "" }; // the key of what is shown; the sentences of a piece
  const page = tracePage(site, parentElement, first, {
    choose: (parameters) => question.go(parameters),
    press: (edits) => question.go({ edits }),
    weigh: async (asking) => {
      const now = question.now().edits;
      const { edits } = await site.model.ask({ ask: "weigh", edits: now, ...asking });
      if (edits === now) draw();
      else question.go({ edits });
    },
  });

  let asked = "";
  const draw = () => {
    drawChoices(page.choices, first, app.shown, (parameters) => question.go(parameters), (piece) => {
      app.piece = piece;
      take(question.now());
    });
    page.count(null);
    page.show(app.shown, app.offers);
  };
  const opening = () => {
    showNotes(site, {});
    showChanges(site, [], question.go);
    Object.assign(app, { shown: first, offers: site.offers, key: keyOf(first.sentence, first.second, first) });
    draw();
  };
  const answered = ({ message, offers, changes, ...answer }) => {
    showNotes(site, answer);
    showChanges(site, changes, question.go);
    Object.assign(app, { shown: message, offers, key: asked });
    draw();
  };
  const asker = makeAsker(site, parentElement.host, answered, opening, (coming) => page.count(coming));
  const take = ({ sentence, edits }) => {
    const donor = otherNow(first);
    const of = JSON.stringify([sentence, donor]);
    if (of !== app.of) Object.assign(app, { of, piece: null });
    const view = viewNow(first, app.piece);
    page.count(null);
    const box = document.getElementById("second");
    if (document.activeElement !== box) box.value = donor;
    asked = keyOf(sentence, donor, view);
    if (asked === keyOf(first.sentence, first.second, first) && !edits) return asker.open();
    if (view.part === "weights") {
      const opens = site.sentences.find(({ text }) => text === sentence)?.opens ?? null;
      return asker.ask({ ask: "weights", text: sentence, donor, edits, focus: focusNow(), aligned: site.aligned, opens });
    }
    const values = asked === app.key ? app.shown.maps.map((one) => one.values) : null;
    return asker.ask({ ask: "trace", text: sentence, donor, ...view, edits, values });
  };
  const question = followQuestion(site, take);
  followSecond(site, first, question.go);
  await take(question.now());
  return () => draw();
}

/** The sentence to compare with. */
function otherNow({ second }) {
  return (said().get("second") ?? "").trim() || second;
}

/** Hear of another second sentence, or of another pair. */
function followSecond(site, first, go) {
  const box = document.getElementById("second");
  const named = (text) => (text === first.second ? "" : text);
  box.value = otherNow(first);
  box.addEventListener("input", () => site.model.soon(0));
  box.addEventListener("change", () => go({ second: named(box.value.trim()), edits: withoutPatches() }));
  const pairs = document.getElementById("pairs");
  pairs.addEventListener("change", () => {
    const [, sentence, donor] = site.pairs[pairs.selectedIndex - 1];
    pairs.selectedIndex = 0;
    go({ sentence, second: named(donor), edits: withoutPatches() });
  });
}

/** What a view of two sentences is known by. */
function keyOf(sentence, donor, { part, restored, piece = null }) {
  return JSON.stringify([sentence, donor, part, restored, piece]);
}

/** The view that the address names: what is carried over, and whether the other sentence runs. */
function viewNow({ views, texts: { directions: [, directions], parts: [, parts] } }, piece) {
  const [part] = views.find(([, , name]) => name === said().get("traced")) ?? views[0];
  const carried = said().get("carried") ?? "";
  return {
    part: part in parts && Object.hasOwn(parts, carried) ? carried : part,
    piece: part in parts ? piece : null,
    restored: part !== "weights" && said().get("direction") === Object.keys(directions)[1],
  };
}

/** The changes in force, without the vectors that were taken from another sentence. */
function withoutPatches() {
  const pieces = (said().get("edits") ?? "").split("_");
  return pieces.filter((piece) => !piece.startsWith("patch.")).join("_");
}

/** The places of the parts: the choices of a view, how far the runs are, and the maps. */
function tracePage(site, parentElement, first, told) {
  const { doing } = first.texts;
  const bar = make("progress", { "aria-label": doing });
  const counted = make("span");
  const progress = make("p", { class: "counted", role: "status" }, counted, " ", bar);
  const choices = make("div", { class: "trace-choices" });
  parentElement.append(make("slot"));
  parentElement.host.before(choices, progress);
  const count = (coming) => {
    progress.hidden = !coming;
    if (!coming) return;
    const [done, all] = coming;
    Object.assign(bar, { value: done, max: all });
    setText(counted, `${doing}: ${done} / ${all}`);
  };
  count(null);
  const [maps, weights, mean] = [make("div"), make("div", { class: "trace-weights" }), make("details", { class: "mean" })];
  parentElement.host.append(maps, weights, mean);
  const [drawMaps, drawWeights] = [traceMaps(site, maps, first, told.press), traceWeights(site, weights, first, told)];
  const drawMean = first.mean ? meanMap(site, mean, first) : () => {};
  const show = (shown, offers) => {
    const isSet = Boolean(shown.row);
    mean.hidden = !first.mean || shown.part !== "residual";
    drawMean();
    Object.assign(maps, { hidden: isSet });
    Object.assign(weights, { hidden: !isSet });
    (isSet ? drawWeights : drawMaps)(shown, offers);
  };
  return { choices, count, show };
}

/** The mean map of many pairs, recorded, in a box that starts closed; the function draws it again. */
function meanMap(site, box, { mean, scales }) {
  const place = make("div", { class: "trace-maps" });
  const parentElement = place.attachShadow({ mode: "open" });
  box.append(make("summary", {}, mean.title), make("p", {}, mean.told), place);
  const draw = () => {
    if (!box.open) return;
    const data = { ...mean.maps, scale: scales[document.documentElement.dataset.theme] };
    site.parts.trace.render({ data, parentElement, setTriggerValue: () => {} });
  };
  box.addEventListener("toggle", draw);
  return draw;
}

/** The choices of a view and its direction, and of heads those of a part and a piece. */
function drawChoices(node, { views, texts }, { part = "weights", restored, heads, pieces }, go, toPiece) {
  const { directions: [direction, ways], parts: [label, parts] } = texts;
  const isOfHeads = part in parts;
  const names = Object.fromEntries(views.map(([, text, name]) => [name, text]));
  const view = views.find(([own]) => own === part || (isOfHeads && own in parts))[2];
  const usual = (options) => Object.keys(options)[0];
  const choice = (text, options, current, parameter) =>
    optionsOf(text, options, current, (name) => go({ [parameter]: name === usual(options) ? "" : name }));
  const held = node.contains(document.activeElement) ? document.activeElement.dataset.value : undefined;
  const list = () => {
    const options = pieces.map((piece, at) => make("option", { value: String(at) }, `${at + 1}  ${piece}`));
    const box = make("select", { "aria-label": texts.piece, change: () => toPiece(box.selectedIndex) }, ...options);
    box.selectedIndex = heads.piece;
    return make("fieldset", {}, make("legend", {}, texts.piece), box);
  };
  node.replaceChildren(
    choice(texts.view, names, view, "traced"),
    ...(part === "weights" ? [] : [choice(direction, ways, Object.keys(ways)[Number(restored)], "direction")]),
    ...(isOfHeads ? [choice(label, parts, part, "carried"), list()] : []),
  );
  if (held !== undefined) node.querySelector(`[data-value="${CSS.escape(held)}"]`)?.focus();
}
