import { mount } from "../../javascript/mount.js";
import { linksOfHead } from "./links_of_head.js";

/** Draw the links anew: they are few, and what they say depends on the changes of the moment. */
export function render({ data, parentElement }) {
  const { place, edits, texts } = JSON.parse(data.told);
  const links = linksOfHead(texts);
  mount(parentElement, links.node);
  links.show(place, edits);
}
