import "./below.css";
import { make } from "../../../components/javascript/dom.js";
import { forget, kept, mount } from "../../../components/javascript/mount.js";

const LOOKED_AT = 1500; // milliseconds after which the browser has time for what is not seen
const NEAR = "50%"; // of the screen: so soon before it is seen a figure is asked for

/** Hold the place of a figure, and say once that it is nearly in view, or that there is time for it. */
export function render({ data, parentElement, setTriggerValue }) {
  const place = kept(parentElement, () => wait(() => setTriggerValue("reached", true)));
  place.root.style.height = `${data.height}px`;
  mount(parentElement, place.root);
  return () => {
    place.leave();
    forget(parentElement);
  };
}

function wait(reached) {
  const root = make("div", { class: "below" });
  const seen = new IntersectionObserver(([entry]) => entry.isIntersecting && tell(), { scrollMargin: NEAR });
  const looked = setTimeout(() => (window.requestIdleCallback ?? setTimeout)(tell), LOOKED_AT);
  let left = false;
  const leave = () => {
    left = true;
    clearTimeout(looked);
    seen.disconnect();
  };
  const tell = () => {
    if (left) return;
    leave();
    reached();
  };
  seen.observe(root);
  return { root, leave };
}
