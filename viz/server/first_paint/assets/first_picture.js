/**
 * Draw the first page's picture with the page's own `data`, in its theme, until the page draws it
 * itself.
 */
export function showFirst(render, { data, style, themes }) {
  const place = document.createElement("div");
  place.id = "first-picture";
  for (const [name, value] of Object.entries(themes[scheme()])) place.style.setProperty(name, value);
  const sheet = document.createElement("style");
  sheet.textContent = style;
  document.body.append(sheet, place);
  const end = render({ data, parentElement: place.attachShadow({ mode: "open" }) });
  const leave = () => {
    for (const name of ENDS) window.removeEventListener(name, leave);
    clearInterval(watch);
    const scrolled = place.scrollTop;
    end();
    place.remove();
    sheet.remove();
    document.querySelector('[data-testid="stMain"]')?.scrollTo(0, scrolled);
  };
  const ENDS = ["headlight-story", "popstate"]; // the page's own picture; another page
  for (const name of ENDS) window.addEventListener(name, leave);
  // A page that has ended without a picture shows something else.
  let ended = 0;
  const watch = setInterval(() => {
    ended += document.querySelector('[data-test-script-state="notRunning"]') ? 1 : 0;
    if (ended > 6) leave();
  }, 500);
}

/** The theme that Streamlit will have: the one chosen in this browser before, else the system's. */
function scheme() {
  let chosen = "";
  try {
    chosen = localStorage.getItem(`stActiveTheme-${window.location.pathname}-v2`) ?? "";
  } catch {
    // a browser without storage remembers no choice
  }
  const named = /"(?:Custom Theme )?(Light|Dark)"/.exec(chosen)?.[1].toLowerCase();
  return named ?? (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
