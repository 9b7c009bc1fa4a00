import "./parts.css";
import { make, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { magnifier, told } from "./lens.js";

/** Draw the products of the key that is chosen in the chain, number by number, and its share of z. */
export function render({ parentElement }) {
  const root = make("div", { class: "lens", "aria-live": "polite" });
  mount(parentElement, root);
  const state = kept(parentElement, () => ({ leave: () => {} }));
  state.leave();
  state.leave = told(() => {
    const { s, at } = window.headChain;
    setVariables(root, s.colours);
    root.replaceChildren(...magnifier(s, at));
    root.dataset.key = at;
  });
  return atEnd(parentElement, () => state.leave());
}
