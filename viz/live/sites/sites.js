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

/**
 * Name the inputs of an attention sublayer.
 * @param {string} kind The kind.
 * @param {number} layer The layer, from 0.
 * @returns {[string, string]} The sites of its queries' x and of its keys' x.
 */
export function attentionInputs(kind, layer) {
  if (kind === "cross") return [`decoder.${layer}.norm1`, "encoder.memory"];
  const site = stackOutput(kind, layer - 1);
  return [site, site];
}

/**
 * Name the residual stream after a layer of a stack; after layer -1, it is the input.
 * @param {string} stack The stack.
 * @param {number} layer The layer.
 * @returns {string} The site.
 */
export function stackOutput(stack, layer) {
  return layer < 0 ? `${stack}.input` : `${stack}.${layer}.norm${SUBLAYERS[stack].length}`;
}
