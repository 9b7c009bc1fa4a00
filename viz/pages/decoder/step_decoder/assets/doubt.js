import { fillIn, make } from "../../../../components/javascript/dom.js";
import { finePercent } from "../../../../components/javascript/numbers.js";
import { goTo } from "./view.js";

const DOUBT = 0.02; // a runner-up below this is no real choice

/** The probability of the likeliest piece not taken at a step; if none was taken, of the second. */
function runnerUp({ chosen, top }) {
  const others = chosen === null ? top.slice(1) : top.filter(([id]) => id !== chosen[0]);
  return others.length ? Math.exp(Math.max(...others.map(([, , log]) => log))) : 0;
}

/** Why a step has no real choice, with a button to the step with the most doubt. */
export function doubtOf(app, branch) {
  const { scene, view, words } = app;
  const runners = branch.steps.map(runnerUp);
  const share = runners[view.step - 1];
  const most = runners.indexOf(Math.max(...runners));
  const parts = [];
  if (share < DOUBT) {
    const name = scene.smoothing ? "no doubt smoothed" : "no doubt";
    parts.push(fillIn(words[name], { share: finePercent(share), smoothing: finePercent(scene.smoothing) }), " ");
  }
  if (most !== view.step - 1 && runners[most] >= DOUBT) {
    const text = fillIn(words["most doubt"], { step: most + 1, share: finePercent(runners[most]) });
    parts.push(make("button", { type: "button", class: "plain", click: () => goTo(app, most + 1) }, text));
  }
  return parts;
}
