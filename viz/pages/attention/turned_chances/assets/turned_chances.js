import { atEnd, kept } from "../../../../components/javascript/mount.js";

/** Send what the explorer asks while the end of a line is dragged, and pass each answer on to it. */
export function render({ data, parentElement, setTriggerValue }) {
  const line = kept(parentElement, begun);
  line.send = setTriggerValue;
  if (data.answer) window.dispatchEvent(new CustomEvent("headlight-turned", { detail: data.answer }));
  return atEnd(parentElement, () => line.leave());
}

function begun() {
  const line = { send: null };
  const ask = ({ detail }) => line.send?.("turning", detail);
  window.addEventListener("headlight-turning", ask);
  line.leave = () => window.removeEventListener("headlight-turning", ask);
  return line;
}
