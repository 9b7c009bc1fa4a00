import { differs } from "../../../components/javascript/address.js";

const PAUSE = 100; // milliseconds in which an answer of the server may yet turn to another page
const ONE_WALK = 1000; // milliseconds: steps that follow each other faster are taken back together

/**
 * Let Back lead to what was done before. Streamlit adds an entry to the browser's history whenever the
 * server changes the link of a page. Here only another page is one, and a change of the `steps`, by
 * their names in the link: a change of the model, a step of the translation; what else is chosen replaces the entry, and `visit`, which says so in the state
 * it gives, always adds one.
 *
 * On the way to another page Streamlit learns its parameters before it changes the path, which it
 * then does with them: the entry of the page that is left must not get them.
 */
export function oneEntryAPage(steps) {
  if (window.history.headlight) return;
  const add = window.history.pushState.bind(window.history);
  let waiting = 0;
  let added = -ONE_WALK;
  const put = (state, title, link) => {
    const isStep = differs(link, steps);
    const step = isStep && performance.now() - added > ONE_WALK;
    if (isStep) added = performance.now();
    if (step) add(state, title, link);
    else window.history.replaceState(state, title, link);
  };
  window.history.headlight = true;
  window.history.pushState = (state, title, link) => {
    clearTimeout(waiting);
    const samePage = new URL(link, window.location.href).pathname === window.location.pathname;
    if (samePage && !state?.visit) {
      waiting = setTimeout(() => put(state, title, link), PAUSE);
    } else add(state, title, link);
  };
  window.addEventListener("popstate", () => clearTimeout(waiting), true);
}
