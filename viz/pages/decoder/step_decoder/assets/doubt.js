import { fillIn, make } from "../../../../components/javascript/dom.js";
import { finePercent } from "../../../../components/javascript/numbers.js";
import { tokenText } from "../../../../components/javascript/tokens.js";
import { goTo } from "./view.js";

const DOUBT = 0.02; // a runner-up below this is no real choice

/** The probability of the likeliest piece not taken at a step; if none was taken, of the second. */
function runnerUp({ chosen, top }) {
  const others = chosen === null ? top.slice(1) : top.filter(([id]) => id !== chosen[0]);
  return others.length ? Math.exp(Math.max(...others.map(([, , log]) => log))) : 0;
}

/** The number of the step whose piece is the least probable of all that are taken, from 0; -1 without one. */
export function leastSure(steps) {
  const likely = steps.map(({ chosen }) => (chosen ? Math.exp(chosen[2]) : 1));
  const least = Math.min(...likely);
  return least > 1 - DOUBT ? -1 : likely.indexOf(least);
}

/** Why a step has no real choice, with a button to the step whose piece is the least probable. */
export function doubtOf(app, branch) {
  const { scene, view, words } = app;
  const share = runnerUp(branch.steps[view.step - 1]);
  const least = leastSure(branch.steps);
  const parts = [];
  if (share < DOUBT) {
    const name = scene.smoothing ? "no doubt smoothed" : "no doubt";
    parts.push(fillIn(words[name], { share: finePercent(share), smoothing: finePercent(scene.smoothing) }), " ");
  }
  if (least >= 0 && least !== view.step - 1) {
    const [, token, log] = branch.steps[least].chosen;
    const values = { step: least + 1, piece: tokenText(token), share: finePercent(Math.exp(log)) };
    const text = fillIn(words["least sure"], values);
    parts.push(make("button", { type: "button", class: "plain", click: () => goTo(app, least + 1) }, text));
  }
  return parts;
}
