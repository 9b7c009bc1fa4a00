import { betweenPresses } from "../../components/javascript/presses.js";
import { showDoubts } from "./doubts.js";
import { saidFault, showProblem } from "./model_line.js";

/**
 * Make a function that asks the model about the sentence of a page, for its picture in `host`. Only
 * the last question counts; while it waits, the picture is faint. `answered(answer)` draws the
 * answer, and `opening()` what was recorded, which stays where no model comes; `coming` is called
 * with how far a trace has come, and with null when it fails.
 */
export function makeAsker(site, host, answered, opening, coming = () => {}) {
  let last = null;
  let drawn = false; // whether there is a picture
  let draft = { sentence: "", ids: [] }; // its translation, which a changed model often keeps
  const busy = (value) => host.setAttribute("aria-busy", String(value));
  const draw = async (own, drawing) => {
    await betweenPresses();
    if (last !== own) return; // the press has asked another question
    await drawing();
    drawn = true;
    busy(false);
  };
  const doubt = async (text) => {
    const own = site.model.ask({ ask: "doubts", text, known: site.doubts.known });
    last = own;
    const doubts = await own;
    await betweenPresses();
    if (last === own) showDoubts(site, doubts);
  };
  const open = () => {
    last?.cancel();
    last = null;
    busy(true);
    showProblem("");
    showDoubts(site, null);
    return draw(null, opening);
  };
  const ask = async (question) => {
    last?.cancel();
    showProblem("");
    showDoubts(site, null);
    busy(true);
    const { text: sentence } = question;
    const known = draft.sentence === sentence ? { draft: draft.ids } : {};
    const own = site.model.ask({ ...known, ...question }, ({ traced }) => traced && last === own && coming(traced));
    last = own;
    try {
      const answer = await own;
      if (answer.translation) draft = { sentence, ids: answer.translation.ids };
      await draw(own, () => answered(answer));
      if (last === own && !question.edits) doubt(sentence).catch(() => {}); // what it doubts is answered
    } catch (fault) {
      if (fault.kind === undefined) throw fault;
      coming(null);
      showProblem(saidFault(site.words, fault));
      if (drawn) busy(false);
      else await draw(own, opening);
    }
  };
  return { ask, open };
}
