const LONGEST_PRESS = 500; // milliseconds: a longer one is a drag, and need not end in a click

let lastPress = Promise.resolve();

window.addEventListener("pointerdown", () => {
  lastPress = new Promise((done) => {
    window.addEventListener("pointerup", () => setTimeout(done), { once: true, capture: true }); // after its click
    setTimeout(done, LONGEST_PRESS);
  });
}, true);

/** Resolve once nothing is being pressed: a button that moves or is drawn anew meanwhile gets no click. */
export function betweenPresses() {
  return lastPress;
}

/** Make a component's `render` wait for that; the next message waits behind it. */
export function heldDuringPresses(render) {
  return async (told) => {
    await betweenPresses();
    return render(told);
  };
}
