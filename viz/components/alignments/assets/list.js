import { pixels } from "./pixels.js";
import { make } from "../../javascript/dom.js";

/* The panels as a list: a small picture, the translation, and a bar for the score. One panel is large. */

function said(parts) {
  return parts.map(([text, isNew]) => (isNew ? make("mark", {}, text) : text));
}

function bar({ shares, scores, score }, number) {
  if (shares[number] === null) return make("span", { class: "score" });
  const length = make("i", { style: `width: ${100 * shares[number]}%` });
  return make("span", { class: "score", title: score }, make("span", { class: "bar" }, length), scores[number]);
}

/** Make the list, with the figures' readings in its rows, and show the chosen figure. */
export function list(root, data, figures) {
  const { listed } = data;
  const chosen = Math.min(Number(root.dataset.chosen ?? listed.chosen), figures.length - 1);
  const rows = figures.map(({ panel, reading }, number) => {
    const picture = panel.weights ? pixels(panel.weights, data.scale) : make("span", { class: "none" }, "—");
    return make("button", { type: "button", class: "model", click: () => choose(number) },
      picture,
      make("span", { class: "name" }, panel.title, make("span", { class: "about" }, listed.notes[number]), panel.weights ? reading : null),
      bar(listed, number),
      make("span", { class: "text", lang: data.language }, ...said(listed.texts[number])));
  });
  const choose = (number) => {
    root.dataset.chosen = String(number);
    rows.forEach((row, at) => row.setAttribute("aria-pressed", String(at === number)));
    figures.forEach(({ node }, at) => (node.hidden = at !== number));
  };
  choose(chosen);
  const head = make("div", { class: "head" }, make("span", {}, listed.marks), make("span", {}, listed.score));
  return make("div", { class: "list" }, head, ...rows);
}
