/**
 * Draw the first page's picture with what it will send itself, `data`, in the theme that it will
 * have, until it draws its own.
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
  // A page that has ended without a picture has something else to say.
  let ended = 0;
  const watch = setInterval(() => {
    ended += document.querySelector('[data-test-script-state="notRunning"]') ? 1 : 0;
    if (ended > 6) leave();
  }, 500);
}

/** The theme that Streamlit will take: the one chosen here before, else the system's. */
function scheme() {
  let chosen = "";
  try {
    chosen = localStorage.getItem(`stActiveTheme-${window.location.pathname}-v2`) ?? "";
  } catch {
    // without storage nothing was chosen
  }
  const named = /"(?:Custom Theme )?(Light|Dark)"/.exec(chosen)?.[1].toLowerCase();
  return named ?? (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
