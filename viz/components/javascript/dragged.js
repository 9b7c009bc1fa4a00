/**
 * The listeners of a node that is dragged: `aim` gets what is `under` the pointer, or null when the
 * drag is given up, and `leave` gets what was aimed at last; `current` returns the initial aim.
 */
export function dragged(current, under, aim, leave) {
  let held = null;
  const stop = () => {
    if (held !== null) aim(null);
    held = null;
  };
  const listeners = {
    pointerdown: (event) => {
      if (event.button) return;
      event.preventDefault();
      event.currentTarget.focus();
      event.currentTarget.setPointerCapture(event.pointerId);
      held = current();
    },
    pointermove: (event) => {
      if (held === null) return;
      const at = under(event);
      held = at.held;
      aim(at);
    },
    pointerup: () => {
      if (held === null) return;
      const last = held;
      stop();
      leave(last);
    },
    pointercancel: stop,
  };
  return { listeners, stop };
}
