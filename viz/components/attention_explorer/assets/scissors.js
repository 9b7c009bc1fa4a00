import { linkOf } from "../../javascript/address.js";
import { make, setText } from "../../javascript/dom.js";
import { appLink } from "../../javascript/visit.js";
import { headName, isOff } from "./aids.js";
import { saidPlace } from "./said.js";
import { placeOf } from "./state.js";

/**
 * Scissors for the line that the sentence beside them is about: the first pair cuts it in the head that
 * they name, the second in all heads of its kind. Without a link, or where no model answers, none.
 */
export function scissors(app) {
  const one = appLink({ "data-cut": "one" });
  const all = appLink({ "data-cut": "all" });
  const node = make("span", { class: "head-links scissors", role: "group", "aria-label": app.say("cut group") }, one, all);
  const show = () => {
    const { kind, layers, focused, view } = app.state;
    const { layer, heads } = placeOf(app.state);
    const offers = app.payload.header.offers?.head?.cut?.[kind];
    const link = offers && ["lines", "matrix"].includes(view) ? saidPlace({ ...app, hovered: null }) : null;
    const links = link ? linksBetween(app.sides, link, kind) : "";
    node.hidden = !links;
    if (!links) return;
    one.hidden = heads.length > 1 || layers || isOff(app, layer, focused);
    const [query, { label: key }] = [app.sides.queries[link.row], app.sides.keys[link.column]];
    const word = query.writes ? query.label : (query.next ?? query.label); // as the sentence beside them
    setText(one, `✂ ${app.say("cut one", { word, key, head: headName(app, layer, focused) })}`);
    setText(all, `✂ ${app.say("cut all", { kind: app.say(`${kind} name`) })}`);
    const values = { kind, layer: layer + 1, head: focused + 1, links };
    [one, all].forEach((scissor, number) => (scissor.href = linkOf(offers[number], values)));
    for (const scissor of [one, all]) scissor.title = app.say("cut hint", { word, key });
  };
  return { node, show };
}

/** All links from the pieces of a row to those of a column, as in a link: "13-9~13-10". */
function linksBetween({ queries, keys }, { row, column }, kind) {
  const pairs = queries[row].pieces.flatMap((query) => keys[column].pieces.map((key) => [query, key]));
  const seen = pairs.filter(([query, key]) => kind !== "decoder" || key <= query);
  return seen.map(([query, key]) => `${query + 1}-${key + 1}`).join("~");
}
