import { fillIn, make } from "../../../../components/javascript/dom.js";
import { finePercent } from "../../../../components/javascript/numbers.js";
import { chip } from "./parts.js";

/** The parts of the sentence about the piece taken at this step, and the reason. */
export function reasonOf(app, branch, odds) {
  const { scene, view, words } = app;
  const step = branch.steps[view.step - 1];
  if (step.chosen === null) return [words["open step"]];
  const [id, token, logProb] = step.chosen;
  const values = {
    rank: step.rank,
    probability: finePercent(Math.exp(logProb)),
    draw: step.draw === null ? "" : step.draw.toFixed(3),
  };
  const name = reasonName(view, branch);
  if (name === "why sampling") values.probability = finePercent(odds.share(logProb));
  const parts = [chip(token, { class: "taken-chip" }), ` ${fillIn(words[name], values)} `];
  const surprising = name === "why forced" || name === "why given";
  if (surprising && step.rank > 1) parts.push(`${words["would take"]} `, chip(step.top[0][1]), " ");
  const last = view.step === branch.steps.length;
  if (last) parts.push(words[id === scene.endId ? "ends" : "stops"]);
  return [make("b", {}, `${words.why}: `), ...parts];
}

/** The name of the text that says why a piece was taken at the step of a view. */
export function reasonName(view, branch) {
  const at = view.step - 1;
  if (branch.kind === "given") return "why given";
  if (branch.kind === "forced" && at < branch.kept) return "why kept";
  if (branch.kind === "forced" && at < branch.kept + branch.forced) return "why forced";
  if (branch.kind === "node") return "why node";
  return `why ${view.strategy}`;
}
