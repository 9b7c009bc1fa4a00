import { readMessage } from "../../../../components/javascript/message.js";

/** Read a scene from payload.py, and give each branch its attention, its mask and its odds. */
export function readScene(bytes) {
  const { header, arrays } = readMessage(bytes);
  header.branches.forEach((branch, at) => {
    for (const name of ["self", "cross", "mask", "exactLogs", "bandLogs"]) {
      branch[name] = arrays[`${at} ${name}`].values;
    }
  });
  return header;
}

/** The decode on screen: the chosen node of the beam tree, or else the chosen branch. */
export function shownBranch(scene, view) {
  const last = scene.branches[scene.branches.length - 1];
  if (view.node !== null && last.kind === "node") return last;
  return scene.branches[view.branch] ?? scene.branches[0];
}

/** All branches except the chosen node, which is not shown side by side. */
export function sideBySide(scene) {
  return scene.branches.filter((branch) => branch.kind !== "node");
}

/** The ids that a branch took before a step, from 0. */
export function idsBefore(branch, step) {
  return branch.steps.slice(0, step).map(({ chosen }) => chosen[0]);
}

export function logProbOf(branch) {
  return branch.steps.reduce((total, { chosen }) => total + (chosen ? chosen[2] : 0), 0);
}

/** The weights of one row in the chosen layer and head; null means the mean over all. */
export function attentionRow(scene, branch, kind, view, row) {
  const keys = kind === "cross" ? scene.source.length : branch.steps.length;
  const [layerCount, headCount] = scene.sizes[kind];
  const weights = new Float32Array(keys);
  if (!layerCount) return weights; // a recurrent model has no self-attention
  const layers = view.attention_layer === null ? range(layerCount) : [view.attention_layer];
  const heads = view.attention_head === null ? range(headCount) : [view.attention_head];
  const share = 1 / (255 * layers.length * heads.length);
  for (const layer of layers) {
    for (const head of heads) {
      const start = ((layer * headCount + head) * branch.steps.length + row) * keys;
      for (let key = 0; key < keys; key++) weights[key] += branch[kind][start + key] * share;
    }
  }
  return weights;
}

export function range(count) {
  return Array.from({ length: count }, (_, index) => index);
}

export function nats(value) {
  return value.toFixed(2).replace("-", "\u2212");
}
