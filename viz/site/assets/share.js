import { addressNow, embedded } from "../../components/javascript/address.js";
import { copyText } from "../../components/javascript/clipboard.js";
import { make, setText } from "../../components/javascript/dom.js";

/** Offer to copy the link of the view and, where others can open its address, a frame of it. */
export function offerShare({ words }) {
  const place = document.getElementById("share");
  if (!place) return;
  const said = make("span", { role: "status" });
  const button = (name, hint, textOf, done, refused) =>
    make("button", {
      type: "button", title: hint, "data-share": name,
      click: async () => {
        const text = textOf();
        await copyText(text).then(() => setText(said, done), () => setText(said, `${refused} ${text}`));
      },
    }, words[name]);
  const frame = () => {
    const src = embedded(addressNow());
    return make("iframe", { src, title: document.title, width: "100%", height: "720", style: "border:0" }).outerHTML;
  };
  const isFile = window.location.protocol === "file:";
  place.replaceChildren(
    said,
    button("share", words.copy, addressNow, words.copied, words.refusedLink),
    isFile ? "" : button("embed", words.frame, frame, words.framed, words.refusedFrame),
  );
}
