import { fillIn, make, setText } from "../../components/javascript/dom.js";
import { canMeasure, changeEdits, labOf, measuredBy, measuredNow, optionsOf, picturesOf, themeNow } from "./lab.js";

/** The page on which heads are switched off: the boards of all heads. */
export function labHeadsOf(site, parentElement) {
  return labOf(site, parentElement, {
    places: ["heads_board", "caption", "choices"],
    state: { mode: "zero", click: "toggle" },
    asked: ({ lab, mode }, edits) => {
      return { foreseen: edits ? "" : lab.experiments.find(({ foreseen }) => foreseen).edits[mode] };
    },
    draw: drawBoards,
    measure: measureHeads,
  });
}

function drawBoards(page) {
  const { site, lab, mode, click } = page;
  site.parts.lab_heads.render({
    data: boardData(page), parentElement: page.heads_board,
    setTriggerValue: (_name, press) => changeEdits(page, { ask: "press", press, mode, only: click === "only" }),
  });
  const setMode = (chosen) => {
    page.mode = chosen;
    if (page.now().edits) changeEdits(page, { ask: "mode", mode: chosen });
    page.redraw();
    page.measure();
  };
  const setClick = (chosen) => {
    page.click = chosen;
    page.redraw();
  };
  page.choices.replaceChildren(
    optionsOf(lab.modesLabel, lab.modes, mode, setMode),
    optionsOf(lab.clicksLabel, lab.clicks, click, setClick),
  );
}

/** The data of the boards, framed by what was measured. */
function boardData(page) {
  const { lab, message } = page;
  const falls = measuredNow(page)?.falls;
  const pictures = picturesOf(page);
  const boards = message.boards.map(({ kind, off }, at) => {
    const values = falls ? falls[kind].map((row) => row.map((fall) => -fall)) : null;
    const own = { values, bars: null, picture: pictures[at], chosen: null, columns: null };
    return { kind, off, ...lab.kinds[kind], ...own };
  });
  const sizes = boards.flatMap(({ kind, values }) =>
    (values ?? []).flatMap((row, layer) => row.map((value, head) => [Math.abs(value), kind, layer, head])),
  );
  const [most, kind, layer, head] = sizes.reduce((top, one) => (one[0] > top[0] ? one : top), [0]);
  const name = most ? `${lab.kinds[kind].title} ${layer + 1}.${head + 1}` : "";
  const common = lab.boards[themeNow()];
  return { ...common, boards, most, words: { ...common.words, largest: most ? fillIn(lab.largest, { head: name }) : "" } };
}

/** Measure every head, unless the sentence is long. */
function measureHeads(page) {
  const { lab, message, caption, mode } = page;
  caption.replaceChildren(make("span", { role: "status" }, measuredNow(page) ? `${lab.pictures} ${lab.frames}` : lab.pictures));
  if (!canMeasure(page)) return null;
  const all = message.boards.reduce((sum, { off }) => sum + off.flat().length, 0);
  const asked = measuredBy(page, { ask: "importance", mode }, ({ written }) => {
    if (written) setText(caption.firstChild, `${lab.measuring}: ${Math.round((100 * written) / all)}%`);
  });
  asked.then(() => setText(caption.firstChild, `${lab.pictures} ${lab.frames}`), () => {});
  return asked;
}
