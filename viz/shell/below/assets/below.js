import { make } from "../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../components/javascript/mount.js";

const LOOKED_AT = 1500; // milliseconds after which the browser has time for what is not seen
const NEAR = "10%"; // of the screen: so soon before it is seen a figure is asked for
const AGAIN = 2000; // milliseconds after which, unless the page is being drawn, the next place asks, and then this one again

// One place asks at a time, until its figure is there: a second ask would cut its redraw short,
// and Streamlit would leave the empty place beside the figure and draw both anew.
const asks = [];
let asking = 0;

/** Hold the place of a figure, and ask for it when it is nearly in view, or there is time for it. */
export function render({ data, parentElement, setTriggerValue }) {
  const place = kept(parentElement, () => wait(() => setTriggerValue("reached", true)));
  place.root.style.height = `${data.height}px`;
  mount(parentElement, place.root);
  return atEnd(parentElement, () => place.leave());
}

function wait(ask) {
  const root = make("div", { class: "below" });
  const reached = () => {
    if (asks.includes(ask)) return;
    asks.push(ask);
    if (asks.length === 1) askFirst();
  };
  const seen = new IntersectionObserver(([entry]) => entry.isIntersecting && reached(), { scrollMargin: NEAR });
  let idle = 0;
  const looked = setTimeout(() => (idle = (window.requestIdleCallback ?? setTimeout)(reached)), LOOKED_AT);
  seen.observe(root);
  const leave = () => {
    seen.disconnect();
    clearTimeout(looked);
    (window.cancelIdleCallback ?? clearTimeout)(idle);
    const place = asks.indexOf(ask);
    if (place >= 0) asks.splice(place, 1);
    if (place === 0) askFirst();
  };
  return { root, leave };
}

function askFirst() {
  clearTimeout(asking);
  if (asks.length === 0) return;
  asks[0]();
  asking = setTimeout(askNext, AGAIN);
}

function askNext() {
  if (document.querySelector('[data-test-script-state="running"]')) {
    asking = setTimeout(askNext, AGAIN);
    return;
  }
  asks.push(...asks.splice(0, 1));
  askFirst();
}
