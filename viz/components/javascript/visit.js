import { make } from "./dom.js";

/** What a page keeps so that the next one puts the cursor into its box, even if that is loaded anew. */
export const WRITES = "headlight-writes";

const MOST_WAIT = 1000; // milliseconds that a visit waits for the answer to what was told before it
const SENT = 80; // milliseconds that Streamlit may need to send it: what is drawn before that is no answer
const LOOK_AGAIN = 20; // milliseconds after which it looks again

/**
 * Go to a link of the app without loading the app anew. Streamlit reads page and parameters from the
 * address when the browser moves through its history: so this puts the link there and reports such a
 * move. What a component has just told must be answered before: sent after the page was left, it would
 * empty the next one, and the answer would write its link over that of the next page. While the first
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

/** A link that `visit` follows; opened with a modifier key or in a new tab, it is an ordinary link. */
export function appLink(attributes, ...children) {
  const follow = (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    visit(event.currentTarget.href);
  };
  return make("a", { ...attributes, click: follow }, ...children);
}
