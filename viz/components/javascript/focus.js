/** Tell the app what was chosen in a component, as parameters of a link; they soon reach the server. */
export function tellFocus(parameters) {
  window.headlightTold = performance.now(); // on the window, as components share no module
  window.dispatchEvent(new CustomEvent("headlight-focus", { detail: parameters }));
}

/**
 * Open the menu of a token that was clicked: `side` is "source" or "target", `place` its number from
 * 0, `name` its text. `own` holds what differs from the page's sentence: another `sentence`, and the
 * `span` of the pieces of the token's word; the `model` of another model's translation; the text of
 * a `given` translation; or `onlyHere` if only this page shows the translation, at the step that
 * reads this token.
 */
export function offerToken(element, side, place, name, keyboard = false, own = {}) {
  offerAt(element.getBoundingClientRect(), side, place, name, keyboard, own);
}

/** Open the menu of a token at a place in the window, for tokens that are drawn on a canvas. */
export function offerAt({ left, bottom }, side, place, name, keyboard = false, own = {}) {
  const detail = { side, place, name, left, bottom, keyboard, ...own };
  // A moment later, so that the click itself does not close the menu again.
  setTimeout(() => window.dispatchEvent(new CustomEvent("headlight-token", { detail })));
}
