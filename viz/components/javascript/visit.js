import { make } from "./dom.js";

/** The key under which a page asks the next page, even if loaded anew, to put the cursor into its box. */
export const WRITES = "headlight-writes";

const MOST_WAIT = 1000; // milliseconds that a visit waits for the answer to what a component told before
const SENT = 80; // milliseconds that Streamlit may need to send a message: what is drawn earlier is not the answer
const LOOK_AGAIN = 20; // milliseconds between two looks

/**
 * Go to a link of the app without loading the app anew. Streamlit reads page and parameters from the
 * address when the browser moves through its history, so this puts the link there and reports such a
 * move. A message that a component has just sent must be answered first: after the page was left, it
 * would empty the next page, and its answer would overwrite the next page's link. While the first
 * picture stands, Streamlit does not listen yet: then the browser loads the link.
 */
export function visit(link) {
  if (document.getElementById("first-picture")) {
    window.location.assign(link);
    return;
  }
  const { headlightTold: told = -MOST_WAIT, headlightAnswered: answered = told } = window;
  if (performance.now() - told < (answered < told ? MOST_WAIT : SENT)) {
    setTimeout(() => visit(link), LOOK_AGAIN);
    return;
  }
  window.history.pushState({ visit: true }, "", link);
  window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}

/** A link that `visit` follows; with a modifier key or in a new tab, it is an ordinary link. */
export function appLink(attributes, ...children) {
  const follow = (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    visit(event.currentTarget.href);
  };
  return make("a", { ...attributes, click: follow }, ...children);
}
