import { fillIn, make, setChildren, setText } from "../../../../components/javascript/dom.js";
import { finePercent, thousands } from "../../../../components/javascript/numbers.js";
import { tokenText } from "../../../../components/javascript/tokens.js";
import { doubtOf } from "./doubt.js";
import { reshaped, TOP } from "./odds.js";
import { chip } from "./parts.js";
import { reasonOf } from "./reason.js";
import { shownBranch } from "./scene.js";
import { forcePiece, forceTyped } from "./view.js";

const FEW = 3; // pieces on stage

/**
 * The ten most probable next pieces, a rival and the piece taken, as bars; all others share a bar.
 * On stage only three are shown, with the rival and the piece taken among them (see style.css), so
 * the bar of all others is different.
 */
export function makeBars(app) {
  const { words } = app;
  const list = make("div", { class: "bars" });
  const kept = make("p", { class: "small kept" });
  const strip = make("div", { class: "strip-box" });
  const reason = make("p", { class: "reason", "aria-live": "polite" });
  const doubt = make("p", { class: "small doubt" });
  const node = make(
    "section", { class: "card odds" },
    make("h3", {}, words["what next"]), make("p", { class: "small" }, words["bars hint"]),
    list, doubt, kept, strip, reason, typeBox(app),
  );
  const update = () => {
    const { scene, view } = app;
    const branch = shownBranch(scene, view);
    const odds = reshaped(scene, branch, view.step - 1, view);
    setChildren(list, barsOf(app, branch, odds));
    kept.hidden = view.strategy !== "sampling" || branch.kind === "given";
    const sentence = words[odds.sure ? "kept pieces" : "kept about"];
    setText(kept, `${fillIn(sentence, { count: thousands(odds.kept), total: thousands(scene.vocabulary) })} ${words.tick}`);
    strip.replaceChildren(...drawStrip(app, branch, odds));
    reason.replaceChildren(...reasonOf(app, branch, odds));
    doubt.replaceChildren(...doubtOf(app, branch));
  };
  return { node, update };
}

export function barsOf(app, branch, odds) {
  const { scene, view, words } = app;
  const step = branch.steps[view.step - 1];
  const drawn = step.top.map((piece, at) => {
    const rival = odds.stays(piece[2]) ? odds.share(piece[2]) : 0;
    return { piece, share: at < TOP ? odds.top[at] : rival };
  });
  if (step.chosen !== null && step.rank > step.top.length) {
    drawn.push({ piece: step.chosen, share: step.rank > odds.kept ? 0 : odds.share(step.chosen[2]) });
  }
  const isTaken = ({ piece }) => step.chosen !== null && step.chosen[0] === piece[0];
  const sum = (some) => some.reduce((total, { share }) => total + share, 0);
  const late = drawn.filter((one, at) => at >= FEW && (at >= TOP || isTaken(one)));
  const few = [...drawn.slice(0, FEW - late.length), ...late];
  const rest = (shown, text, name) => {
    const count = scene.vocabulary - shown.length;
    return restRow(fillIn(text, { count: thousands(count) }), Math.max(0, 1 - sum(shown)), name);
  };
  return [
    ...drawn.map((one) => barRow(app, one, isTaken(one), few.includes(one))),
    rest(drawn, words.rest, "all"), rest(few, words["rest few"], "few"),
  ];
}

function barRow(app, { piece: [id, token, logProb], share: probability }, taken, isFew) {
  const { view, words } = app;
  const before = Math.exp(logProb);
  const changed = view.strategy === "sampling" && Math.abs(before - probability) > 0.0005;
  const cut = probability === 0;
  const force = fillIn(words.force, { token: tokenText(token), step: view.step });
  const number = cut ? words.cut : finePercent(probability);
  const was = changed ? `, ${fillIn(words.before, { probability: finePercent(before) })}` : "";
  return make(
    "button",
    {
      type: "button", class: `bar${taken ? " chosen" : ""}${cut ? " cut" : ""}${isFew ? "" : " many"}`, title: `${force}${was}`,
      "data-id": id, "data-probability": probability, click: () => forcePiece(app, id),
    },
    chip(token),
    bar(probability, changed ? before : null),
    make("span", { class: "number" }, number),
    make("span", { class: "mark" }, taken ? words.taken : ""),
  );
}

export function bar(probability, before) {
  const track = make("span", { class: "track" });
  track.append(make("i", { style: `width:${100 * probability}%` }));
  if (before !== null) track.append(make("u", { style: `left:${100 * before}%` }));
  return track;
}

function restRow(text, probability, name) {
  return make(
    "div", { class: `bar rest ${name}`, "data-probability": probability },
    make("span", { class: "rest-name" }, text),
    bar(probability, null),
    make("span", { class: "number" }, finePercent(probability)),
  );
}

/** The odds laid end to end from 0 to 1, and the place of the draw; [] if nothing was drawn. */
function drawStrip(app, branch, odds) {
  const step = branch.steps[app.view.step - 1];
  if (step.draw === null || step.held || app.view.strategy !== "sampling") return [];
  const parts = odds.top.slice(0, TOP).map((share, at) => {
    const part = make("span", { style: `width:${100 * share}%` });
    if (share > 0.08) part.append(tokenText(step.top[at][1]));
    return part;
  });
  const text = fillIn(app.words["draw strip"], { draw: step.draw.toFixed(3) });
  const marker = make("b", { style: `left:${100 * step.draw}%` });
  const strip = make("div", { class: "strip" }, make("div", {}, ...parts), marker);
  return [make("span", { class: "small" }, text), strip];
}

function typeBox(app) {
  const { words } = app;
  const input = make("input", { type: "text", "aria-label": words.type, placeholder: words.type });
  const submit = (event) => {
    event.preventDefault();
    if (input.value.trim()) forceTyped(app, input.value);
    else app.say(words["type empty"]);
  };
  const problem = make("p", { class: "problem", role: "alert" });
  app.say = (text) => setText(problem, text);
  return make(
    "form", { class: "type", submit },
    make("div", { class: "row" }, input, make("button", { class: "plain" }, words["force it"])),
    make("span", { class: "small" }, words["type hint"]),
    problem,
  );
}
