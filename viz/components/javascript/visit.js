import { make } from "./dom.js";

const LANGUAGE = "lang";
const SENT = 80; // milliseconds that Streamlit may take to send what a component told it

/**
 * Go to a link of the app without loading it anew. Streamlit reads the address when the browser
 * walks through its history, page and parameters alike: so the link is put there, and it is told.
 * What a component has just told goes first: sent after the page was left, it would empty the next.
 */
export function visit(link) {
  const wait = SENT - (performance.now() - (window.headlightTold ?? -SENT));
  const go = () => {
    window.history.pushState({ visit: true }, "", carrying(link));
    window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  };
  if (wait > 0) setTimeout(go, wait);
  else go();
}

/** A link that `visit` follows; with a modifier key, or in a new tab, it is a link like any other. */
export function appLink(attributes, ...children) {
  const follow = (event) => {
    event.currentTarget.href = carrying(event.currentTarget.href);
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    visit(event.currentTarget.href);
  };
  return make("a", { ...attributes, click: follow }, ...children);
}

/** The same link in the language of the address, if it names none itself. */
function carrying(link) {
  const url = new URL(link, window.location.href);
  const language = new URLSearchParams(window.location.search).get(LANGUAGE);
  if (language && !url.searchParams.has(LANGUAGE)) url.searchParams.set(LANGUAGE, language);
  return url.href;
}
