import { Sizes } from "./base.js";
import { compiled, sizesFor } from "./compiled.js";
import { unreachableQuery } from "./unreachable.js";

/**
 * Split interventions into those that can run together and those that are left out: what does not
 * exist in this model or sentence, then what would leave a query without any key.
 * @param {import("./base.js").Intervention[]} interventions The interventions.
 * @param {import("../transformer/config.js").Config} config The model.
 * @param {import("./base.js").Lengths} lengths The pieces of the run.
 * @returns {{ fit: import("./base.js").Intervention[], misfit: import("./base.js").Intervention[] }}
 *   Both, in their order.
 */
export function fitting(interventions, config, lengths) {
  const padding = interventions.filter((one) => fits(one, new Sizes(config, lengths)));
  const sizes = sizesFor(padding, config, lengths);
  let fit = interventions.filter((one) => fits(one, sizes));
  let query = unreachableQuery(compiled(fit, sizes));
  while (query) {
    const guilty = leaving(fit, query);
    fit = fit.filter((one) => !guilty.includes(one));
    query = unreachableQuery(compiled(fit, sizes));
  }
  return { fit, misfit: interventions.filter((one) => !fit.includes(one)) };
}

/** Of all that take keys from a query, return the last to act; all interventions if none does. */
function leaving(fit, query) {
  const guilty = fit.filter((one) => one.forbids(query));
  const last = Math.max(0, ...guilty.map((one) => one.constructor.stage));
  const gone = guilty.filter((one) => one.constructor.stage === last);
  return gone.length ? gone : fit;
}

function fits(intervention, sizes) {
  try {
    intervention.check(sizes);
    return true;
  } catch {
    return false;
  }
}
