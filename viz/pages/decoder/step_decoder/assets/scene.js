/** Read `[u32 header length][JSON header][arrays]`; see payload.py. */
function readScene(bytes) {
  const own = bytes.slice(); // the message arrives at any offset of a larger buffer
  const length = new DataView(own.buffer).getUint32(0, true);
  const scene = JSON.parse(new TextDecoder().decode(own.subarray(4, 4 + length)));
  let offset = 4 + length;
  const take = (count) => own.subarray(offset, (offset += count));
  const floats = (count) => new Float32Array(own.slice(offset, (offset += 4 * count)).buffer);
  for (const branch of scene.branches) {
    const [steps, planes] = [branch.steps.length, scene.layers * scene.heads];
    branch.self = take(planes * steps * steps);
    branch.cross = take(planes * steps * scene.source.length);
    branch.mask = take(steps * steps);
    branch.exactLogs = floats(steps * branch.exact);
    branch.bandLogs = floats(steps * scene.bandSizes.length);
  }
  if (offset !== own.length) throw new Error(`expected ${offset} bytes, got ${own.length}`);
  return scene;
}

/** The decode on screen: a node of the beam tree that is looked at, or the chosen branch. */
function shownBranch(scene, view) {
  const last = scene.branches[scene.branches.length - 1];
  if (view.node !== null && last.kind === "node") return last;
  return scene.branches[view.branch] ?? scene.branches[0];
}

/** All branches but the looked-at node: those that stand side by side. */
function sideBySide(scene) {
  return scene.branches.filter((branch) => branch.kind !== "node");
}

/** The ids that a branch took before a step, 0-based. */
function idsBefore(branch, step) {
  return branch.steps.slice(0, step).map(({ chosen }) => chosen[0]);
}

function logProbOf(branch) {
  return branch.steps.reduce((total, { chosen }) => total + (chosen ? chosen[2] : 0), 0);
}

/** The weights of one row, averaged over the layers and heads on screen (null: all of them). */
function attentionRow(scene, branch, kind, view, row) {
  const keys = kind === "cross" ? scene.source.length : branch.steps.length;
  const layers = view.attention_layer === null ? range(scene.layers) : [view.attention_layer];
  const heads = view.attention_head === null ? range(scene.heads) : [view.attention_head];
  const weights = new Float32Array(keys);
  const share = 1 / (255 * layers.length * heads.length);
  for (const layer of layers) {
    for (const head of heads) {
      const start = ((layer * scene.heads + head) * branch.steps.length + row) * keys;
      for (let key = 0; key < keys; key++) weights[key] += branch[kind][start + key] * share;
    }
  }
  return weights;
}

function range(count) {
  return Array.from({ length: count }, (_, index) => index);
}

/** A piece as people read it: the leading space as a thin mark. */
function tokenText(token) {
  return token.replace(/\u2581/g, "·");
}

function isSpecial(token) {
  return /^<.+>$/.test(token);
}

function percent(probability) {
  const value = 100 * probability;
  return value > 0 && value < 0.05 ? "<\u00a00.1\u00a0%" : `${value.toFixed(1)}\u00a0%`;
}

function nats(value) {
  return value.toFixed(2).replace("-", "\u2212");
}
