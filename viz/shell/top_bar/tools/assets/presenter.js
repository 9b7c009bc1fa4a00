import { addressNow, linkOf, replaceAddress } from "../../../../components/javascript/address.js";
import { make } from "../../../../components/javascript/dom.js";

const HALO = 64; // pixels across
const AGAIN = 400; // milliseconds between two looks at the address

/**
 * Make the switch of the mode for a class; stage.css says how a page looks in it. The mode lasts in
 * this tab, from page to page, and is part of the address: `modes()` returns the offers of this page
 * with it `on` and `off`. `told` is called with whether it is on.
 */
export function presenter(modes, told) {
  const halo = make("div", { "aria-hidden": "true", class: "bar-halo", hidden: true }); // until the pointer moves
  const root = document.documentElement;
  const isOn = () => "headlightPresents" in root.dataset;
  const set = (on) => {
    if (on) root.dataset.headlightPresents = "";
    else delete root.dataset.headlightPresents;
    window.headlightPresents = on;
    if (on) document.body.append(halo);
    else halo.remove();
    replaceAddress(linkOf(on ? modes().on : modes().off));
    told(on);
  };
  const move = ({ clientX, clientY }) => {
    halo.hidden = false;
    halo.style.transform = `translate(${clientX - HALO / 2}px, ${clientY - HALO / 2}px)`;
  };
  // The server may rewrite the address at any moment, without the mode.
  const again = setInterval(() => isOn() && replaceAddress(linkOf(modes().on)), AGAIN);
  const press = (event) => pressed(event, isOn(), () => set(!isOn()));
  window.addEventListener("keydown", press, true);
  window.addEventListener("pointermove", move, true);
  return {
    toggle: () => set(!isOn()),
    /** Keep the mode, even if something has rewritten the address meanwhile. */
    keep: () => set(window.headlightPresents ?? linkOf(modes().on) === addressNow()),
    leave: () => {
      window.removeEventListener("keydown", press, true);
      window.removeEventListener("pointermove", move, true);
      clearInterval(again);
      halo.remove();
    },
  };
}

/** Take P, and the page keys of remote controls: a component with steps may claim these. */
function pressed(event, on, toggle) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  if (event.key === "p" || event.key === "P") {
    event.preventDefault();
    event.stopImmediatePropagation();
    toggle();
    return;
  }
  const by = { PageUp: -1, PageDown: 1 }[event.key];
  if (!on || !by) return;
  const step = new CustomEvent("headlight-step", { detail: by, cancelable: true });
  if (!window.dispatchEvent(step)) event.preventDefault();
}

function isTyping(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  const field = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable=true]";
  return target.closest(field) !== null;
}
