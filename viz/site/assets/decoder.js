import {
  addressNow, readQuery, replaceAddress, said, withParameters, writeQuery,
} from "../../components/javascript/address.js";
import { fillIn } from "../../components/javascript/dom.js";
import { inflated } from "../../components/javascript/message.js";
import { makeAsker } from "./asker.js";
import { askedFor, parametersOfView, readView } from "./decoder_view.js";
import { bodyOf, loaded, packed } from "./files.js";
import { followQuestion, showChanges, showNotes } from "./question.js";

/**
 * The step decoder of any sentence, with any choices: the opening sentence was recorded, and the
 * model computes all others. Resolves to a function that draws it again.
 */
export async function decoderOf(site, parentElement) {
  const { header: first, body } = await loaded(site, "decoder-0");
  const recorded = { header: { ...first, headOffers: site.offers }, body: await inflated(body) };
  const [layers, heads] = first.sizes.cross;
  const limits = { layers, heads, maxBranches: first.maxBranches };
  const own = JSON.stringify(askedFor(first.view));
  const app = { view: viewOf(said()), turn: "", problem: "", scene: null };

  function viewOf(parameters) {
    return readView(fromFocus(parameters), first.view, limits);
  }
  const draw = (scene = app.scene) => {
    app.scene = scene;
    const { turn, view, problem } = app;
    const data = packed({ ...scene.header, view, turn, problem: problem || scene.header.problem }, scene.body);
    const setTriggerValue = (_name, value) => chosen(readQuery(value));
    site.parts.decoder.render({ data, parentElement, setTriggerValue });
  };
  const opening = () => {
    showNotes(site, {});
    showChanges(site, [], question.go);
    draw(recorded);
  };
  const answered = async ({ message: { header, arrays }, offers, changes, ...answer }) => {
    showNotes(site, answer);
    showChanges(site, changes, question.go);
    const { arrays: named, body: numbers } = bodyOf(arrays);
    draw({ header: { ...first, ...header, headOffers: { ...site.offers, ...offers }, arrays: named }, body: numbers });
  };
  const asker = makeAsker(site, parentElement.host, answered, opening);
  const take = ({ sentence, edits }) => {
    const asked = askedFor(app.view);
    const isOwn = sentence === site.sentences[0].text && !edits && JSON.stringify(asked) === own;
    if (isOwn) return asker.open();
    return asker.ask({ ask: "decode", text: sentence, edits, rivals: site.rivals, ...asked });
  };
  const chosen = async (parameters) => {
    app.turn = parameters.get("turn") ?? "";
    const before = JSON.stringify(askedFor(app.view));
    app.view = viewOf(parameters);
    app.problem = "";
    if (parameters.get("typed")) await addTyped(site, app, parameters);
    replaceAddress(withParameters(addressNow(), parametersOfView(app.view, first.view)));
    if (JSON.stringify(askedFor(app.view)) !== before) await take(question.now());
    else if (app.problem) draw();
  };
  const question = followQuestion(site, (asked) => {
    app.view = viewOf(said());
    return take(asked);
  });
  await take(question.now());
  return () => draw();
}

/** If a link names a head, but not what the decoder shows, the decoder shows that head. */
function fromFocus(parameters) {
  if (parameters.get("kind") === "encoder") return parameters;
  const places = ["layer", "head"].map((name) => {
    return [`attention_${name}`, parameters.get(`attention_${name}`) ?? parameters.get(name) ?? ""];
  });
  return readQuery(writeQuery({ ...Object.fromEntries(parameters), ...Object.fromEntries(places) }));
}

/** Force typed text in a branch of its own, or say that no piece has this text. */
async function addTyped(site, app, parameters) {
  const typed = parameters.get("typed");
  try {
    const { ids } = await site.model.ask({ ask: "force", typed });
    const prefix = (parameters.get("prefix") ?? "").split("-").filter(Boolean).map(Number);
    const key = [...prefix, ...ids].join("-");
    const known = app.view.branches.findIndex((one) => [...one.prefix, ...one.forced].join("-") === key);
    const branches = known < 0 ? [...app.view.branches, { prefix, forced: ids }] : app.view.branches;
    app.view = { ...app.view, branches, branch: known < 0 ? branches.length : known + 1, node: null };
  } catch (fault) {
    if (fault.kind !== "refused") throw fault;
    app.problem = fillIn(site.words.unforced, { typed: JSON.stringify(typed) });
  }
}
