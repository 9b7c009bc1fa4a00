import { said } from "../../components/javascript/address.js";
import { makeAsker } from "./asker.js";
import { bodyOf, loaded, packed } from "./files.js";
import { readFocus } from "./focus.js";
import { followQuestion, showChanges, showNotes } from "./question.js";

/**
 * The explorer of any sentence: the opening sentence was recorded, and the model computes all
 * others. Resolves to a function that draws it again.
 */
export async function attentionOf(site, parentElement) {
  let explorer = null;
  window.addEventListener("popstate", ({ isTrusted }) => {
    // A step that the explorer makes keeps its view; a step back has a view of its own.
    if (!isTrusted) explorer?.address.write(explorer.state);
  });
  const recorded = await loaded(site, "attention-0");
  const show = async (header, body) => {
    site.told(header.start.heads, header.sentence);
    const bytes = packed({ ...header, start: startOf(header, said()) }, body);
    if (explorer) await explorer.receive(bytes);
    else explorer = site.parts.attention.inSite(parentElement, bytes);
  };
  const opening = () => {
    showNotes(site, {});
    showChanges(site, [], question.go);
    return show({ ...recorded.header, offers: { head: site.offers } }, recorded.body);
  };
  const answered = async ({ message, offers, changes, ...answer }) => {
    const { header } = message;
    showNotes(site, answer);
    showChanges(site, changes, question.go);
    const { arrays, body } = bodyOf(Object.entries(message.arrays));
    const id = JSON.stringify([header.sentence, changes]);
    const head = { ...site.offers, ...offers };
    await show({ ...recorded.header, ...header, id, offers: { head }, arrays, plain: true }, body);
  };
  const asker = makeAsker(site, parentElement.host, answered, opening);
  const take = ({ sentence, edits }) =>
    sentence === site.sentences[0].text && !edits
      ? asker.open()
      : asker.ask({ ask: "explore", text: sentence, edits });
  const question = followQuestion(site, take);
  window.addEventListener("headlight-turning", ({ detail }) => answerTurn(site, detail));
  await take(question.now());
  return () => explorer.receive(explorer.bytes);
}

/** Answer what the explorer asks while the end of a line is dragged; without a model, it just waits. */
async function answerTurn({ model }, asked) {
  const { sentence, edits, step } = asked;
  const chances = await model.ask({ ask: "chances", text: sentence, edits, step }).catch(() => null);
  if (chances) window.dispatchEvent(new CustomEvent("headlight-turned", { detail: { ...chances, ...asked } }));
}

/**
 * Where the explorer opens: at the head and the query that the address names, as the app reads it
 * (viz/link/focus.py), or else where the recording opens.
 */
function startOf({ start, kinds }, asked) {
  const focus = readFocus(asked);
  const kind = focus.kind ?? start.kind;
  const { layers, heads, queries } = kinds[kind];
  const below = (number, limit) => (number !== null && number < limit ? number : null);
  const layer = below(focus.layer, layers);
  const head = below(focus.head, heads);
  const own = start.heads[kind];
  const place = layer === null ? own : [layer, head ?? own[1]];
  const query = below((kind === "encoder" ? focus.word : focus.step) ?? focus.query, queries);
  const here = kind === start.kind && layer === null ? start.query : null;
  return { kind, heads: { ...start.heads, [kind]: place }, query: query ?? here, words: true };
}
