import { addressNow, replaceAddress, said, withParameters, writeQuery } from "../../components/javascript/address.js";
import { betweenPresses } from "../../components/javascript/presses.js";
import { saidFault } from "./model_line.js";

const SECOND_SHOWN = { shown: "2" };

/**
 * The story. The recorded story is there at once. For any two sentences that differ in a word, the
 * model tells their story, as Python does in the app, and by the same link. Returns a function that
 * draws it again.
 */
export function storyOf({ common, parts, model, pages, words }, parentElement) {
  const state = { story: common, answer: 0, problem: "", line: null };
  const reasonOf = (fault) => (fault.kind === "refused" ? fault.said : saidFault(words, fault));
  let asked = null;
  const draw = () => {
    const { story, answer, problem, line } = state;
    const data = { text: JSON.stringify(story), asked: "", answer, problem, line };
    const setTriggerValue = (name, value) => (name === "pair" ? compare(value, false) : turn(value));
    parts.index.render({ data, parentElement, setTriggerValue });
  };
  const show = (story, pair, linked) => {
    Object.assign(state, { story, answer: state.answer + 1, problem: "", line: null });
    if (!linked) writePair(common, pair);
    draw();
  };
  const refuse = (problem) => {
    state.answer++;
    state.problem = problem;
    draw();
  };
  const compare = async (pair, linked) => {
    asked?.cancel();
    asked = null;
    const before = state.answer;
    if (common.sentences.every((text, number) => text === pair[number])) return show(common, ["", ""], linked);
    const told = (message, coming) => {
      return { ...common, ...message, coming, links: { ...common.links, follow: onward(message, pages) } };
    };
    const mine = model.ask({ ask: "pair", texts: pair, rivals: common.rivals }, async ({ story }) => {
      await betweenPresses();
      if (asked === mine) show(told(story, true), pair, linked || state.answer > before);
    });
    asked = mine;
    try {
      const { story } = await mine;
      await betweenPresses();
      if (asked !== mine) return;
      state.story = told(story, false); // now arcs can be turned, too
      draw();
    } catch (fault) {
      if (asked === mine) refuse(reasonOf(fault));
    }
  };
  const turn = ([number, edit]) => {
    const { story } = state;
    const take = ({ line }) => state.story === story && draw(Object.assign(state, { line }));
    const question = { ask: "line", texts: story.sentences, rivals: common.rivals, number, edit };
    model.ask(question).then(take, (fault) => refuse(reasonOf(fault)));
  };
  parentElement.addEventListener("focusin", ({ target }) => {
    if (target.matches("input")) model.start().catch(() => {}); // the page has said why
  });
  readOldLink(common);
  draw();
  const pair = common.pairNames.map((name) => said().get(name) ?? "");
  if (pair.some(Boolean)) compare(pair, true);
  return draw;
}

/** Show the second sentence if the link names it as other pages do. */
function readOldLink({ sentences }) {
  if (said().get("sentence") !== sentences[1]) return;
  replaceAddress(withParameters(addressNow(), { sentence: "", ...SECOND_SHOWN }));
}

/** Put a pair into the address, and remove what was chosen about the last pair. */
function writePair({ pairNames, link }, pair) {
  const look = Object.values(link).map((name) => [name, ""]);
  const own = pairNames.map((name, number) => [name, pair[number]]);
  replaceAddress(withParameters(addressNow(), Object.fromEntries([...look, ...own, ["sentence", ""]])));
}

/** The link to the head that decides, at the word or the step that looks. */
function onward({ sentences, arcs, source, target }, pages) {
  const { kind, layer, head, querySide, query } = arcs.at(-1);
  const place = { source, target }[querySide][query].pieces[0][0] + 1;
  const says = { sentence: sentences[0], kind, layer: String(layer + 1), head: String(head + 1) };
  return `${pages.attention}?${writeQuery({ ...says, [kind === "encoder" ? "word" : "step"]: String(place) })}`;
}
