/**
 * The odds at a step under a view's temperature, top-k and top-p: what Sampling.reshape computes.
 * The most probable pieces are exact; the others come in bands of nearly equal probability.
 * `top` has the reshaped probability of each exact piece, 0 if it is cut. `kept` is the number of
 * pieces that can be drawn; `sure` is true if that number is exact. `share(log)` is the reshaped
 * probability of a piece that stays. `stays(log)` is true if a piece after the first TOP stays, as
 * far as the exact pieces tell.
 */
export function reshaped(scene, branch, step, view) {
  const entries = oddsEntries(scene, branch, step);
  const sampling = view.strategy === "sampling";
  const temperature = sampling ? view.temperature : 1;
  const peak = entries[0].log;
  for (const entry of entries) entry.weight = Math.exp((entry.log - peak) / temperature);
  if (sampling && view.top_k > 0) keepCount(entries, view.top_k);
  if (sampling && view.top_p < 1) keepMass(entries, view.top_p);
  const total = entries.reduce((sum, { weight, count }) => sum + weight * count, 0);
  const kept = entries.reduce((sum, { count }) => sum + count, 0);
  const top = entries.slice(0, branch.exact).map(({ weight, count }) => (weight * count) / total);
  const share = (log) => Math.exp((log - peak) / temperature) / total;
  const logs = entries.slice(0, branch.exact).map(({ log }) => log);
  const stays = (log) => logs.filter((other) => other > log).length < kept;
  const lastBand = entries.findIndex(({ count }, at) => at >= branch.exact && count > 0);
  const sure = lastBand < 0 || kept === scene.vocabulary;
  return { top, kept, sure, share, stays };
}

export const TOP = 10;

function oddsEntries(scene, branch, step) {
  const { exact, exactLogs, bandLogs } = branch;
  const bands = scene.bandSizes.length;
  const entries = [];
  for (let at = 0; at < exact; at++) entries.push({ log: exactLogs[step * exact + at], count: 1 });
  scene.bandSizes.forEach((count, at) => {
    entries.push({ log: bandLogs[step * bands + at], count });
  });
  return entries;
}

function keepCount(entries, most) {
  let left = most;
  for (const entry of entries) {
    entry.count = Math.min(entry.count, left);
    left -= entry.count;
  }
}

/** Keep the fewest pieces, but at least one, that together reach this share. */
function keepMass(entries, share) {
  const total = entries.reduce((sum, { weight, count }) => sum + weight * count, 0);
  let before = 0;
  for (const entry of entries) {
    const missing = share * total - before;
    const needed = Math.ceil(missing / entry.weight - 1e-9);
    const kept = missing > 0 ? Math.min(entry.count, Math.max(1, needed)) : 0;
    before += entry.weight * entry.count;
    entry.count = kept;
  }
  if (entries.every(({ count }) => count === 0)) entries[0].count = 1;
}
