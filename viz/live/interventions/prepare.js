import { compiled, sizesFor } from "./compiled.js";
import { unreachableQuery } from "./unreachable.js";

/**
 * Check interventions one by one and together, and turn them into one edit for each site.
 * @param {import("./base.js").Intervention[]} interventions The interventions.
 * @param {import("../transformer/config.js").Config} config The model.
 * @param {import("./base.js").Lengths} lengths The pieces of the run.
 * @returns {import("./compiled.js").Compiled} The edits. Throws an Error when one does not fit, or
 *   when a query would be left with nothing to look at.
 */
export function prepare(interventions, config, lengths) {
  const sizes = sizesFor(interventions, config, lengths);
  for (const one of interventions) one.check(sizes);
  const run = compiled(interventions, sizes);
  const query = unreachableQuery(run);
  if (query) {
    throw new Error(
      `the interventions leave a query without any key to look at: query ${query.query} of ` +
        `${query.kind} attention, layer ${query.layer}, head ${query.head}`,
    );
  }
  return run;
}
