import { mostMixed, sharpest, sharpestKind, stacked } from "../measures/sharpest.js";
import { KINDS } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";
import { boardTiles, offHeads } from "./head_boards.js";
import { chainMessage } from "./head_chain.js";

/**
 * What a page about one head is asked: a place, of which all may be missing; the place that mixes most
 * and the queries at which the sentence opens, where they are known; the cross-attention head that is
 * most aligned, if any; a variant of the formula; and the two words that decide in the story.
 * @typedef {{ kind: string | null, layer: number | null, head: number | null, word: number | null,
 *   step: number | null }} Focus
 * @typedef {{ focus: Focus, opens: { mixes: import("./head_chain.js").Place | null, word: number,
 *   step: number } | null, aligned: [number, number] | null,
 *   teaching: Partial<import("./head_chain.js").Teaching>, story: string[] }} HeadView
 */

/**
 * Make the message of a page about one head: its chain, the boards of all heads, and where it is.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../translator.js").Run} run The run.
 * @param {import("../translator.js").Run} plain That of the unchanged model.
 * @param {HeadView} view What is asked.
 * @returns {{ header: object, arrays: Record<string, import("../tensor.js").Tensor>,
 *   off: Record<string, string[][]> }} The message, and the signs of heads that are off.
 */
export function headMessage(translator, run, plain, { focus, opens, aligned, teaching, story }) {
  const { config } = translator.model;
  const opened = opens ?? opening(translator, plain, aligned);
  const head = shownHead(config, focus, opened);
  const queries = head.kind === "encoder" ? run.recording.sourceIds.length : run.recording.targetIds.length;
  const asked = head.kind === "encoder" ? focus.word : focus.step;
  const isMixing = opened.mixes && ["kind", "layer", "head"].every((name) => opened.mixes[name] === head[name]);
  const otherwise = isMixing ? opened.mixes.query : head.kind === "encoder" ? opened.word : opened.step;
  const query = asked !== null && asked < queries ? asked : Math.min(otherwise, queries - 1);
  const place = { ...head, query };
  const { header: own, arrays, said } = chainMessage(translator, run, place, teaching, story);
  const tiles = Object.entries(boardTiles(run.recording.arrays, config)).map(([kind, tile]) => [`tiles ${kind}`, tile]);
  const off = offHeads(run.interventions, config);
  const mixes = Boolean(isMixing) && query === opened.mixes.query && !said.isOther;
  const header = { ...own, ...said, place, mixes, sentence: run.source.text };
  return { header, arrays: { ...arrays, ...Object.fromEntries(tiles) }, off };
}

/** The head to show: see viz/shell/state.py. */
function shownHead(config, { kind, layer, head }, opened) {
  const own = kind ?? KINDS[0];
  const fits = layer !== null && layer < layersOf(config, own) ? layer : null;
  const fitting = head !== null && head < config.heads ? head : null;
  if (kind === null && fits === null && fitting === null) return opened.mixes ?? opened.first;
  return { kind: own, layer: fits ?? 0, head: fitting ?? 0 };
}

/**
 * The head and the query to show on a page that is about one of each.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../translator.js").Run} plain The run of the unchanged model.
 * @param {HeadView} view What is asked; what mixes is not looked for.
 * @returns {import("./head_chain.js").Place} Both.
 */
export function shownRow(translator, plain, { focus, opens, aligned }) {
  const opened = { ...(opens ?? opening(translator, plain, aligned)), mixes: null };
  const { kind, layer, head } = shownHead(translator.model.config, focus, opened);
  const isSource = kind === "encoder";
  const { sourceIds, targetIds } = plain.recording;
  const [asked, usual] = isSource ? [focus.word, opened.word] : [focus.step, opened.step];
  const queries = (isSource ? sourceIds : targetIds).length;
  return { kind, layer, head, query: asked !== null && asked < queries ? asked : Math.min(usual, queries - 1) };
}

/** Where a sentence opens that is not known: see viz/compute/openings.py. */
function opening(translator, { recording }, aligned) {
  const { config } = translator.model;
  const names = translator.pieces(recording);
  const sides = (kind) => [kind === "encoder" ? names.source : names.target, kind === "decoder" ? names.target : names.source];
  const weights = (kind) => stacked(recording.arrays, kind, layersOf(config, kind));
  const found = Object.fromEntries(
    KINDS.map((kind) => [kind, sharpest(weights(kind), ...sides(kind), kind !== "cross")]),
  );
  const cross = weights("cross");
  const mixed = mostMixed(cross, ...sides("cross"));
  if (aligned) found.cross = sharpestOf(cross, aligned, sides("cross"));
  const kind = aligned ? "cross" : sharpestKind(found);
  return {
    mixes: mixed && { kind: "cross", ...mixed },
    first: { kind, layer: found[kind].layer, head: found[kind].head },
    word: found.encoder.query, step: found.cross.query,
  };
}

/** The same of one head alone. */
function sharpestOf({ shape: [, heads, queries, keys], values }, [layer, head], sides) {
  const size = queries * keys;
  const at = (layer * heads + head) * size;
  const own = sharpest({ shape: [1, 1, queries, keys], values: values.subarray(at, at + size) }, ...sides, false);
  return { ...own, layer, head };
}
