import { editOf, resultOf } from "./state.js";

const PATIENCE = 10_000; // milliseconds without an answer, after which another question may be asked

/**
 * Ask for the results of turned lines, one at a time: what is aimed at while an answer is awaited is
 * asked for afterwards, and nothing queues. `send` gets a sentence's number and the turn as in a link.
 */
export function asker(told, look, send) {
  let sent = -Infinity; // when a question was sent that has no answer yet
  const ask = () => {
    const turn = look.aim ?? look.turn;
    if (turn?.line === undefined || resultOf(told, turn, look.shown)) return;
    if (performance.now() - sent < PATIENCE) return;
    sent = performance.now();
    send([look.shown, editOf(told, turn, look.shown)]);
  };
  /** Take an answer; return the version of the translation, a new one with `texts`, or null if it is known. */
  const learn = ({ number, edit, texts, ...result }) => {
    const name = `${number} ${edit}`;
    if (told.known.has(name)) return null;
    sent = -Infinity;
    const version = texts ? told.target[0].texts.length : number;
    texts?.forEach((text, word) => told.target[word].texts.push(text));
    told.known.set(name, { ...result, edit, written: version });
    return version;
  };
  return { ask, learn };
}
