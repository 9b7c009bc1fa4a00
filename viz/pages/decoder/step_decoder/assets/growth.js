import { fillIn, make, setText } from "../../../../components/javascript/dom.js";
import { tokenText } from "../../../../components/javascript/tokens.js";
import { chip } from "./parts.js";
import { inputToken } from "./picture.js";
import { range, shownBranch } from "./scene.js";

/** The decoder's input and output at this step, with their shapes. */
export function makeGrowth(app) {
  const { words } = app;
  const text = make("p", {});
  const shapes = make("div", { class: "shapes" });
  const rows = make("div", { class: "growth" });
  const node = make("div", {}, text, shapes, rows);
  const update = () => {
    const { scene, view } = app;
    const step = view.step;
    setText(text, fillIn(words["growth hint"], { step }));
    shapes.replaceChildren(
      make("b", {}, words["goes in"]), shape(words, "ids", [["T", step]]), "→",
      shape(words, "vectors", [["T", step], ["D", scene.width]]), "→",
      make("b", {}, words["comes out"]),
      shape(words, "logits", [["T", step], ["V", scene.vocabulary]]),
    );
    rows.replaceChildren(...range(step).map((row) => growthRow(app, row)));
  };
  return { node, update };
}

function shape(words, name, dims) {
  const sizes = dims.map(([dim, size]) =>
    make("abbr", { title: words[`dim ${dim}`], "data-dim": dim }, `${size}`),
  );
  const crosses = sizes.flatMap((size, at) => (at ? [" × ", size] : [size]));
  return make("span", { class: "shape" }, `${words[name]} `, make("code", {}, ...crosses));
}

function growthRow(app, row) {
  const { scene, view, words } = app;
  const branch = shownBranch(scene, view);
  const used = row === view.step - 1;
  const { chosen, held, rank, top } = branch.steps[row];
  const forced = held && rank > 1 && branch.kind !== "node";
  const taken = chosen ? (forced ? "row forced" : "row used") : "row open";
  const name = used ? taken : "row before";
  const token = chosen ? tokenText(chosen[1]) : "";
  const values = { row: row + 1, step: view.step, token, best: tokenText(top[0][1]) };
  return make(
    "div", { class: used ? "growth-row used" : "growth-row" },
    chip(inputToken(app, branch, row)), make("span", { class: "arrow" }, "→"),
    make("i", { class: "logits" }), make("span", {}, fillIn(words[name], values)),
  );
}
