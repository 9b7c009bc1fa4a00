const STOPS = "button, input, select, textarea, a[href], [tabindex='0']";
const CHANGES = '[class*="st-key-edits-row"]';
const RESTS = [`${CHANGES} button`, CHANGES, ".st-key-page-top"];

/** Keep the keyboard's cursor where its user is: in an open box, and near a press that has gone. */
export function keepCursor() {
  const intoBox = (event) => {
    if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) return;
    const to = neighbour(document.activeElement, event.shiftKey);
    if (!to) return;
    to.focus();
    event.preventDefault();
  };
  const pressed = ({ detail, target }) => {
    const button = target.closest?.(`${CHANGES} button:not([aria-haspopup])`);
    if (detail === 0 && button) restAfter(button);
  };
  window.addEventListener("keydown", intoBox, true);
  window.addEventListener("click", pressed, true);
  return () => {
    window.removeEventListener("keydown", intoBox, true);
    window.removeEventListener("click", pressed, true);
  };
}

/** Where Tab leads from a box's button, or from either end of the box, which stands at the page's end. */
function neighbour(from, back) {
  const box = document.querySelector("[data-testid=stPopoverBody]");
  const buttons = [...document.querySelectorAll("[data-testid=stPopoverButton][aria-expanded=true]")];
  const button = buttons.find((one) => one.checkVisibility());
  if (!box || !button) return null;
  const stops = [...box.querySelectorAll(STOPS)].filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility());
  if (from === button) return back ? null : (stops[0] ?? null);
  if (!box.contains(from)) return null;
  return from === stops.at(back ? 0 : -1) || !stops.includes(from) ? button : null;
}

/** Once a pressed button of the changes is no more, put the cursor at the next one, or at their place. */
function restAfter(button) {
  const watch = new MutationObserver(() => {
    if (button.isConnected) return;
    watch.disconnect();
    const place = RESTS.map((one) => document.querySelector(one)).find(Boolean);
    if (!place || document.activeElement !== document.body) return;
    if (!place.matches("button")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
  watch.observe(document.body, { childList: true, subtree: true });
}
