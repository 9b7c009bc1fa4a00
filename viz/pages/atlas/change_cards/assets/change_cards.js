/* Cards of heads that changed, largest change first, each with two pictures and two numbers. */

import "./change_cards.css";
import { make, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { tileOf } from "../../../../components/javascript/tile.js";

function cardOf(data, card, number, press) {
  const [layers, heads] = data.sizes;
  const pair = data.pictures.flatMap((pictures, side) => {
    if (!pictures[card.kind]) return [];
    const tile = tileOf(pictures[card.kind], layers, heads, card.layer, card.head);
    tile.title = data.names[side];
    return [tile];
  });
  const swatch = make("span", { class: "swatch" });
  setVariables(swatch, { role: card.colour });
  const said = `${card.name}: ${card.role}, ${data.names[0]} ${card.before}, ${data.names[1]} ${card.now}`;
  return make("button", {
    type: "button", class: "card", "aria-label": said, title: said, "aria-pressed": String(card.chosen), click: () => press(number),
  },
  make("span", { class: "name" }, card.name),
  pair.length ? make("span", { class: "pair" }, ...pair) : null,
  make("span", { class: "role" }, swatch, card.role),
  make("span", { class: "moved" }, make("span", { class: "then" }, card.before), "→", make("b", {}, card.now)));
}

export function render({ data, parentElement, setTriggerValue }) {
  const state = kept(parentElement, () => ({ root: make("div", { class: "changes" }), all: false }));
  const { root } = state;
  const draw = () => {
    const shown = state.all ? data.cards : data.cards.slice(0, data.first);
    const press = (number) => setTriggerValue("press", number);
    const cards = make("div", { class: "cards" }, ...shown.map((card, number) => cardOf(data, card, number, press)));
    const more = shown.length < data.cards.length
      ? [make("button", { type: "button", class: "more", click: () => { state.all = true; draw(); } }, data.words.all)] : [];
    root.replaceChildren(cards, ...more);
    root.dataset.cards = String(shown.length);
  };
  draw();
  mount(parentElement, root);
  return atEnd(parentElement);
}
