import { differs } from "../../../components/javascript/address.js";

const PAUSE = 100; // milliseconds in which the server's answer may still lead to another page
const ONE_WALK = 1000; // milliseconds: Back undoes steps together that follow each other faster

/**
 * Let the browser's Back undo what a reader would expect. Streamlit adds an entry to the history
 * whenever the server changes the link of a page. Here, only these changes add one: to another page,
 * in one of the `steps` (parameters of the link, such as the changes in the model or the step of the
 * translation), and by `visit`, which marks its state. Any other choice replaces the entry.
 *
 * On the way to another page, Streamlit first learns the parameters of that page and then changes
 * the path together with them. The entry of the old page must not get these parameters: hence the
 * pause. Until it is over, `window.headlightAwaited` is the address that is to come: a component that
 * is drawn meanwhile reads its parameters there.
 */
export function oneEntryAPage(steps) {
  if (window.history.headlight) return;
  const add = window.history.pushState.bind(window.history);
  let waiting = 0;
  let added = -ONE_WALK;
  const settle = () => {
    clearTimeout(waiting);
    window.headlightAwaited = null;
  };
  const put = (state, title, link) => {
    settle();
    const isStep = differs(link, steps);
    const step = isStep && performance.now() - added > ONE_WALK;
    if (isStep) added = performance.now();
    if (step) add(state, title, link);
    else window.history.replaceState(state, title, link);
  };
  window.history.headlight = true;
  window.history.pushState = (state, title, link) => {
    settle();
    const url = new URL(link, window.location.href);
    if (url.pathname === window.location.pathname && !state?.visit) {
      window.headlightAwaited = url.href;
      waiting = setTimeout(() => put(state, title, window.headlightAwaited), PAUSE);
    } else add(state, title, link);
  };
  window.addEventListener("popstate", settle, true);
}
