const LONGEST_PRESS = 10; // steps of 50 ms: a longer one is a drag, and need not end in a click

let lastPress = Promise.resolve();

window.addEventListener("pointerdown", () => {
  lastPress = new Promise((done) => {
    window.addEventListener("pointerup", () => setTimeout(done), { once: true, capture: true }); // after its click
    step(LONGEST_PRESS, done);
  });
}, true);

/** Call `done` after so many steps. While the page is busy, no step ends, and a press need not be over. */
function step(left, done) {
  if (left) setTimeout(() => step(left - 1, done), 50);
  else done();
}

/**
 * Resolve once nothing is being pressed: a button that moves or is drawn anew meanwhile gets no click.
 * The next press may begin before the end of the last one is noticed.
 */
export async function betweenPresses() {
  for (let awaited = null; awaited !== lastPress;) {
    awaited = lastPress;
    await awaited;
  }
}

/** Make a component's `render` wait for that, and send its answers one by one; the next message waits behind it. */
export function heldDuringPresses(render) {
  return async (told) => {
    await betweenPresses();
    const { setTriggerValue } = told;
    return render(setTriggerValue ? { ...told, setTriggerValue: oneByOne(setTriggerValue) } : told);
  };
}

const unsent = [];

/**
 * Streamlit sends what was answered when its timer runs, for which clicks do not wait, and of two
 * answers with one name it reads only the last. So each answer is told after the timer of the one before.
 */
function oneByOne(tell) {
  return (...answer) => {
    if (unsent.push(() => tell(...answer)) === 1) sendFirst();
  };
}

function sendFirst() {
  try {
    unsent[0]();
  } finally {
    setTimeout(() => {
      unsent.shift();
      if (unsent.length) sendFirst();
    });
  }
}
