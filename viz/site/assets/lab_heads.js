import { fillIn, make, setText } from "../../components/javascript/dom.js";
import { drawDifference } from "./difference.js";
import { canMeasure, changeEdits, labOf, measuredBy, measuredNow, optionsOf, picturesOf, themeNow } from "./lab.js";
import { drawPicker, viewOf } from "./lab_picker.js";

/** The page on which heads are switched off: the boards of all heads. */
export function labHeadsOf(site, parentElement) {
  return labOf(site, parentElement, {
    places: ["heads_board", "caption", "choices", "least"],
    below: ["picker_board", "difference"],
    state: { mode: "zero", click: "toggle" },
    asked: (page, edits) => {
      const { lab, mode } = page;
      const { isNamed, ...view } = viewOf(page);
      const foreseen = edits ? "" : lab.experiments.find((one) => one.foreseen).edits[mode];
      return { foreseen, shown: isNamed ? view : null };
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
  drawLeast(page);
  drawMoved(page);
}

/** The slider that switches off more and more of the least important heads, once they are measured. */
async function drawLeast(page) {
  const { site, lab, message, mode, least } = page;
  const found = measuredNow(page);
  least.hidden = !found;
  if (!found) return least.replaceChildren();
  const { falls } = found;
  const ask = { ask: "least", falls, mode };
  const [bar, counted] = sliderOf(page, lab.least, Object.values(falls).flat(2).length, (count) => changeEdits(page, { ...ask, count }));
  const { count } = await site.model.ask({ ...ask, edits: page.now().edits });
  if (page.message !== message || page.mode !== mode) return;
  bar.value = String(count);
  setText(counted, String(count));
}

/** The slider itself and its number; it stays where it is while it is dragged. */
function sliderOf({ least }, title, most, change) {
  if (!least.firstChild) {
    const counted = make("output", {});
    const bar = make("input", {
      type: "range", min: "0", "aria-label": title,
      input: () => setText(counted, bar.value), change: () => bar.told(Number(bar.value)),
    });
    least.replaceChildren(make("label", {}, `${title}: `, counted), bar);
  }
  const [counted, bar] = [least.querySelector("output"), least.querySelector("input")];
  bar.max = String(most);
  bar.told = change;
  return [bar, counted];
}

/** The heads whose attention the changes moved, and what one of them looks at now and before. */
function drawMoved(page) {
  const { lab, message: { difference } } = page;
  page.picker_board.host.hidden = !difference;
  const view = difference?.view ?? lab.view;
  if (difference) drawPicker(page, view);
  drawDifference(page, view, Boolean(difference?.moved.length) && !viewOf(page).isNamed);
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
