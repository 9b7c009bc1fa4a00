import "./token_row.css";
import { inkOn } from "../../javascript/colours.js";
import { make, setVariables } from "../../javascript/dom.js";
import { offerToken } from "../../javascript/focus.js";
import { mount } from "../../javascript/mount.js";

/** Draw the chips anew each time; a token is inserted as text, never as markup. */
export function render({ data, parentElement, setTriggerValue }) {
  const focused = parentElement.activeElement?.dataset?.position;
  const chips = data.tokens.map((token, position) =>
    make(
      "button",
      {
        type: "button",
        class: data.special[position] ? "chip special" : "chip",
        "data-position": position,
        "aria-pressed": String(position === data.chosen),
        click: (event) => {
          setTriggerValue("position", position);
          if (!data.side) return;
          offerToken(event.currentTarget, data.side, position, token, event.detail === 0, { model: data.model });
        },
      },
      token,
    ),
  );
  const label = make("span", { class: "label" }, data.label);
  const attributes = { class: "row", role: "group", "aria-label": data.label, "data-chosen": data.chosen };
  const row = make("div", attributes, label, ...chips, make("span", { class: "note" }, data.note));
  setVariables(row, { chosen: data.colour, ink: inkOn(data.colour) });
  mount(parentElement, row);
  if (focused !== undefined) chips[Number(focused)]?.focus();
}
