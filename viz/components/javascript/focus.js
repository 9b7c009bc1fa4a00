/** Tell the app what was chosen in a component, as parameters of a link; it reaches the server soon. */
export function tellFocus(parameters) {
  window.headlightTold = performance.now(); // components share no module, but the window
  window.dispatchEvent(new CustomEvent("headlight-focus", { detail: parameters }));
}

/**
 * Offer what can be done with a token that was clicked: `side` is "source" or "target", `place` its
 * number from 0, `name` how it is written. Of another sentence than the page's, `own` holds this
 * `sentence` and the `span` of pieces that the token's word has; of another model's translation,
 * that `model`; of a translation that was given, its text as `given`; `onlyHere` tells that no other
 * page shows the translation: its own page does, at the step that reads this token.
 */
export function offerToken(element, side, place, name, keyboard = false, own = {}) {
  offerAt(element.getBoundingClientRect(), side, place, name, keyboard, own);
}

/** The same at a place of the window, for tokens that are drawn on a canvas. */
export function offerAt({ left, bottom }, side, place, name, keyboard = false, own = {}) {
  const detail = { side, place, name, left, bottom, keyboard, ...own };
  // A moment later, so that the click itself does not close the menu again.
  setTimeout(() => window.dispatchEvent(new CustomEvent("headlight-token", { detail })));
}
