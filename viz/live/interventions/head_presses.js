import { KINDS } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";
import { AblateHead } from "./heads.js";

/**
 * A press on a cell of a board of heads, a whole layer (head null) or a whole board (layer null too).
 * @typedef {{ kind: string, layer: number | null, head: number | null }} Press
 * @typedef {import("./base.js").Intervention} Intervention
 * @typedef {import("../transformer/config.js").Config} Config
 */

/**
 * Switch the pressed heads off in this mode, or on again if all are off in this mode.
 * @param {Intervention[]} interventions The changes in force.
 * @param {Press} press The press.
 * @param {string} mode What off means.
 * @param {Config} config The model.
 * @returns {Intervention[]} The changes after the press.
 */
export function toggled(interventions, press, mode, config) {
  const off = pressedHeads(press, config).map((place) => new AblateHead(...place, mode));
  const pressed = new Set(off.map(placeOfHead));
  const now = new Set(interventions.map(({ text }) => text));
  const others = interventions.filter((one) => !(one instanceof AblateHead && pressed.has(placeOfHead(one))));
  return off.every(({ text }) => now.has(text)) ? others : [...others, ...off];
}

/** Switch off all heads except the pressed heads. */
export function keptOnly(interventions, press, mode, config) {
  const kept = new Set(pressedHeads(press, config).map(String));
  const every = KINDS.flatMap((kind) => pressedHeads({ kind, layer: null, head: null }, config));
  const off = every.filter((place) => !kept.has(String(place))).map((place) => new AblateHead(...place, mode));
  return [...withoutHeads(interventions), ...off];
}

/** Switch all heads that are off to this mode. */
export function inMode(interventions, mode) {
  return interventions.map((one) =>
    one instanceof AblateHead ? new AblateHead(one.kind, one.layer, one.head, mode) : one,
  );
}

/**
 * The intervention that switches off the head whose absence costs most (`sign` 1) or gains most
 * (-1); null if there is none.
 * @param {Record<string, number[][]>} falls The falls (L, H) of each kind.
 * @param {string} mode What off means.
 * @param {number} sign 1 or -1.
 * @returns {Intervention[] | null} The change.
 */
export function extremeHead(falls, mode, sign) {
  const heads = rankedHeads(falls, mode, (fall) => -sign * fall);
  return heads.length && heads[0].rank < 0 ? [heads[0].head] : null;
}

/** Switch off the `count` heads that change the log-probability least, up or down. */
export function leastHeads(falls, count, mode) {
  return rankedHeads(falls, mode, Math.abs).slice(0, count).map(({ head }) => head);
}

/** Switch off these heads and no others. */
export function leastOnly(interventions, falls, count, mode) {
  return [...withoutHeads(interventions), ...leastHeads(falls, count, mode)];
}

/** How many heads are off if these are exactly the least important heads; otherwise 0. */
export function leastOff(interventions, falls, mode) {
  const off = new Set(interventions.filter((one) => one instanceof AblateHead).map(({ text }) => text));
  return leastHeads(falls, off.size, mode).every(({ text }) => off.has(text)) ? off.size : 0;
}

function rankedHeads(falls, mode, rankOf) {
  const heads = Object.entries(falls).flatMap(([kind, rows]) =>
    rows.flatMap((row, layer) =>
      row.map((fall, head) => ({ rank: rankOf(fall), head: new AblateHead(kind, layer, head, mode) })),
    ),
  );
  return heads.sort((one, other) => one.rank - other.rank);
}

function withoutHeads(interventions) {
  return interventions.filter((one) => !(one instanceof AblateHead));
}

function pressedHeads({ kind, layer, head }, config) {
  const among = (wanted, count) => {
    return Array.from({ length: count }, (_, at) => at).filter((at) => wanted === null || wanted === at);
  };
  return among(layer, layersOf(config, kind)).flatMap((at) =>
    among(head, config.heads).map((own) => [kind, at, own]),
  );
}

function placeOfHead({ kind, layer, head }) {
  return `${kind} ${layer} ${head}`;
}
