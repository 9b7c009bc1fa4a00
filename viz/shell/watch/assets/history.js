const PAUSE = 100; // milliseconds in which an answer of the server may yet turn to another page

/**
 * Let Back lead to the page before. Streamlit adds an entry to the browser's history whenever the
 * server changes the link of a page; only another page is one. What is chosen replaces the entry, and
 * `visit`, which says so in the state it gives, always adds one.
 *
 * On the way to another page Streamlit learns its parameters before it changes the path, which it
 * then does with them: the entry of the page that is left must not get them.
 */
export function oneEntryAPage() {
  if (window.history.headlight) return;
  const add = window.history.pushState.bind(window.history);
  let waiting = 0;
  window.history.headlight = true;
  window.history.pushState = (state, title, link) => {
    clearTimeout(waiting);
    const samePage = new URL(link, window.location.href).pathname === window.location.pathname;
    if (samePage && !state?.visit) {
      waiting = setTimeout(() => window.history.replaceState(state, title, link), PAUSE);
    } else add(state, title, link);
  };
  window.addEventListener("popstate", () => clearTimeout(waiting), true);
}
