import { AblateHead } from "../interventions/heads.js";
import { LEAST_SEEN, attentionChange, movedShares } from "../measures/moved.js";
import { KINDS } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";

const MOST_OFFERED = 6; // heads that moved, as in viz/effect/moved.py

/**
 * What a change does to the attention of one head, as viz/site/effects.py makes it: the head that is
 * asked for, or else the one that moved most.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../measures/effect.js").Effect} effect The effect.
 * @param {import("../interventions/base.js").Intervention[]} interventions The changes.
 * @param {import("../interventions/mask_acts.js").View | null} asked The head that a link names.
 * @returns {object | null} The change of its weights (query, key), null where none is seen; null if
 *   the model is unchanged.
 */
export function differenceOf(translator, effect, interventions, asked = null) {
  if (!effect.isChanged) return null;
  const { usual, forced } = effect;
  const { config } = translator.model;
  const changes = Object.fromEntries(KINDS.map((kind) => [
    kind, Array.from({ length: layersOf(config, kind) }, (_, layer) => attentionChange(usual.recording, forced, kind, layer)),
  ]));
  const shares = Object.fromEntries(KINDS.map((kind) => [kind, changes[kind].map(movedShares)]));
  const moved = KINDS.flatMap((kind) =>
    shares[kind].flatMap((row, layer) => row.map((share, head) => ({ share, kind, layer, head }))),
  ).filter(({ share }) => share >= LEAST_SEEN).sort((one, other) => other.share - one.share).slice(0, MOST_OFFERED);
  const view = asked ?? (moved.length ? { kind: moved[0].kind, layer: moved[0].layer, head: moved[0].head } : null);
  const { source, target } = translator.pieces(forced);
  return {
    view, shares, moved,
    change: view && rowsOf(changes[view.kind][view.layer], view.head),
    queries: view && (view.kind === "encoder" ? source : target),
    keys: view && (view.kind === "decoder" ? target : source),
    off: interventions.some((one) => one instanceof AblateHead && view && ["kind", "layer", "head"].every((name) => one[name] === view[name])),
  };
}

/** The changes of one head in rows, null for NaN; null where none is large enough to be seen. */
function rowsOf({ shape: [, rows, columns], values }, head) {
  const own = values.subarray(head * rows * columns, (head + 1) * rows * columns);
  if (!own.some((value) => Math.abs(value) >= LEAST_SEEN)) return null;
  return Array.from({ length: rows }, (_, row) =>
    Array.from(own.subarray(row * columns, (row + 1) * columns), (value) => (Number.isNaN(value) ? null : value)),
  );
}
