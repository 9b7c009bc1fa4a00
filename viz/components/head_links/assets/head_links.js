import { mount } from "../../javascript/mount.js";
import { linksOfHead } from "./links_of_head.js";

/** Draw the links anew each time: they are few, and they depend on the changes in the model. */
export function render({ data, parentElement }) {
  const { place, offers, texts } = JSON.parse(data.told);
  const links = linksOfHead(texts);
  mount(parentElement, links.node);
  links.show(place, offers);
}
