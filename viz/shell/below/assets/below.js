import { make } from "../../../components/javascript/dom.js";
import { forget, kept, mount } from "../../../components/javascript/mount.js";

const LOOKED_AT = 1500; // milliseconds after which the browser has time for what is not seen
const NEAR = "10%"; // of the screen: so soon before it is seen a figure is asked for
const AGAIN = 400; // milliseconds: of two places that ask at once, Streamlit hears only one

/** Hold the place of a figure, and ask for it when it is nearly in view, or there is time for it. */
export function render({ data, parentElement, setTriggerValue }) {
  const place = kept(parentElement, () => wait(() => setTriggerValue("reached", true)));
  place.root.style.height = `${data.height}px`;
  mount(parentElement, place.root);
  return () => {
    place.leave();
    forget(parentElement);
  };
}

function wait(ask) {
  const root = make("div", { class: "below" });
  let left = false;
  let asking = 0;
  const reached = () => {
    if (left || asking) return;
    ask();
    asking = setInterval(ask, AGAIN);
  };
  const seen = new IntersectionObserver(([entry]) => entry.isIntersecting && reached(), { scrollMargin: NEAR });
  const looked = setTimeout(() => (window.requestIdleCallback ?? setTimeout)(reached), LOOKED_AT);
  seen.observe(root);
  const leave = () => {
    left = true;
    clearTimeout(looked);
    clearInterval(asking);
    seen.disconnect();
  };
  return { root, leave };
}
