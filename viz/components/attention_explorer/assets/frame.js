import { make, setText } from "../../javascript/dom.js";
import { readingAids } from "./aids.js";
import { sharePanel } from "./exports.js";
import { helpDialog } from "./keyboard.js";
import { picture } from "./picture.js";
import { sidePanel } from "./side.js";
import { makeToolbar } from "./toolbar.js";

/** Build all parts of the explorer, once. */
export function buildParts(app) {
  const parts = { ...controls(app), picture: picture(app), side: sidePanel(app), help: helpDialog(app) };
  parts.drops.push(parts.picture.drop);
  app.root.replaceChildren(
    translationLine(app), parts.bar, parts.notice.node,
    make("div", { class: "stage" }, parts.picture.node, parts.side.node),
    parts.help.node,
  );
  return parts;
}

export function translationLine(app) {
  const { translation } = app.payload.header;
  // In the app, the top bar shows it already.
  if (translation === null || app.address.inApp) return make("p", { class: "translation", hidden: true });
  return make(
    "p", { class: "translation" },
    make("span", { class: "by" }, app.say("translation")), " ",
    make("span", { lang: app.payload.header.language }, translation || app.say("empty")),
  );
}

/** The row of controls and the notice under it. */
function controls(app) {
  const bar = makeToolbar(app);
  const aids = readingAids(app);
  const share = sharePanel(app);
  bar.node.append(aids.node, share.node);
  const dismiss = make(
    "button", { type: "button", class: "plain", click: () => (notice.hidden = true) }, app.say("close"),
  );
  const text = make("span", {}, "");
  const notice = make("div", { class: "notice", role: "alert" }, text, dismiss);
  notice.hidden = true;
  const show = (wanted) => {
    notice.hidden = !wanted;
    setText(text, wanted ? app.say("malformed") : "");
  };
  return { bar: bar.node, toolbar: bar, aids, drops: [bar.drop, aids, share], notice: { node: notice, show } };
}
