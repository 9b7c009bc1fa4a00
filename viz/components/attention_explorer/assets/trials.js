import { said } from "../../javascript/address.js";
import { make } from "../../javascript/dom.js";
import { percent } from "../../javascript/numbers.js";
import { named } from "../../javascript/tokens.js";
import { schedule } from "./draw.js";

const PATIENCE = 10_000; // milliseconds without an answer, after which another question may be asked
const SAME = 0.0005; // a smaller change of a probability is not seen in per cent

/**
 * What turned lines do to the next words: the turn that is aimed at while an end is dragged, and
 * after its release the one that was made. The page around the explorer hears "headlight-turning"
 * and answers with "headlight-turned". One question is asked at a time, and nothing queues.
 *
 * @typedef {{ row: number, column: number, kind: string, edits: string, turn: string,
 *   step: number | null }} Turn `edits` are all changes as in a link, `turn` this one; `step` is the
 *   row of the decoder whose piece is asked for, null for the row that changes most.
 */
export function trials(app) {
  const results = new Map();
  let aimed = null;
  let made = null;
  let sent = -Infinity; // when a question was sent that has no answer yet
  const questionOf = ({ edits, step }) => ({ sentence: app.payload.header.sentence, edits, step });
  const resultOf = (turn) => results.get(JSON.stringify(questionOf(turn)));
  const ask = () => {
    const turn = aimed ?? made;
    if (!turn || resultOf(turn) || performance.now() - sent < PATIENCE) return;
    sent = performance.now();
    window.dispatchEvent(new CustomEvent("headlight-turning", { detail: questionOf(turn) }));
  };
  const learn = ({ detail: { sentence, edits, step, ...result } }) => {
    const name = JSON.stringify({ sentence, edits, step });
    if (results.has(name)) return;
    results.set(name, result);
    sent = -Infinity;
    ask();
    schedule(app, "hover");
  };
  const aim = (turn) => {
    aimed = turn;
    ask();
    schedule(app, "hover");
  };
  const settle = (turn) => {
    made = turn;
    aimed = null;
    ask();
  };
  const isInForce = ({ kind, turn }) =>
    kind === app.state.kind && (said().get("edits") ?? "").split("_").includes(turn);
  /** The turn to speak of with its result, if it is known: an aimed one, or the made one at this row. */
  const shown = (row) => {
    if (aimed) return { ...aimed, isAimed: true, result: resultOf(aimed) };
    return made?.row === row && isInForce(made) ? { ...made, isAimed: false, result: resultOf(made) } : null;
  };
  window.addEventListener("headlight-turned", learn);
  const leave = () => window.removeEventListener("headlight-turned", learn);
  return { aim, settle, shown, isAimed: () => aimed !== null, leave };
}

/** What a turn does, as the parts of a line: the two words that it decides between, and what stays. */
export function effectOf(app, { result }) {
  if (!result) return [` ${app.say("trial waits")}`];
  const { pieces, before, after, stays } = result;
  const chances = pieces.flatMap((piece, place) => [
    place ? ", " : " ", make("em", {}, named(piece)), ` ${percent(before[place])} → `,
    make("b", {}, percent(after[place])),
  ]);
  const moves = pieces.some((_, place) => Math.abs(after[place] - before[place]) >= SAME);
  if (stays) return [...(moves ? [...chances, "."] : []), ` ${app.say("trial stays")}`];
  return [...chances, "."];
}
