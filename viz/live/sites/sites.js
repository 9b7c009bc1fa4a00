export const KINDS = ["encoder", "decoder", "cross"];
export const STACKS = ["encoder", "decoder"];
export const SUBLAYERS = {
  encoder: ["self_attn", "ffn"],
  decoder: ["self_attn", "cross_attn", "ffn"],
};

/**
 * Name one part of an attention sublayer: ("cross", 2, "q") is decoder.2.cross_attn.q.
 * @param {string} kind The kind of attention.
 * @param {number} layer The layer, from 0.
 * @param {string} part "q", "k", "v", "scores", "weights", "z" or "out".
 * @returns {string} The site.
 */
export function attentionSite(kind, layer, part) {
  const stack = kind === "encoder" ? "encoder" : "decoder";
  return `${stack}.${layer}.${kind === "cross" ? "cross_attn" : "self_attn"}.${part}`;
}

/**
 * Name the mask of a kind of attention: the allowed links, in all its layers.
 * @param {string} kind The kind of attention.
 * @returns {string} The site.
 */
export function maskSite(kind) {
  return kind === "cross" ? "decoder.cross_mask" : `${kind}.mask`;
}
