const QUIET = 3000; // milliseconds after which a page is being looked at, and nothing is in a hurry

/**
 * Load the code that draws charts while the page is being looked at: a scene with the first chart of a
 * visit took 3 s in a new browser on two cores, and takes 0.5 s with it. `name` is the file of this code,
 * beside Streamlit's own.
 */
export function loadCharts(name) {
  const own = document.querySelector('script[type="module"][src]')?.src;
  const later = window.requestIdleCallback;
  if (!name || !own || !later || navigator.connection?.saveData) return;
  setTimeout(() => later(() => import(new URL(name, own).href).catch(() => {})), QUIET);
}
