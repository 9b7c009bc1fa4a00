import { fillIn, make, spaceAfter } from "../../components/javascript/dom.js";

/**
 * Say of which words a translation is unsure, and why, with a press that helps, as the app does
 * (viz/shell/doubts.py); null leaves the line empty. The press puts a better sentence into the box.
 */
export function showDoubts({ doubts: { texts } }, found) {
  const line = document.getElementById("doubts");
  const sentences = found ? saidDoubts(texts, found) : [];
  line.replaceChildren(...sentences.flatMap(({ parts, text }) => [...parts.map(drawn), spaceAfter(text)]));
  const { offer, better } = found ? offeredBetter(texts, found) : {};
  if (offer) line.append(make("button", { type: "button", click: () => putInBox(better) }, offer));
}

/** The sentences of a message of viz/live/messages/doubts.js, each in parts of one style. */
export function saidDoubts({ unsure: form, reasons, comma, most }, { unsure, reason }) {
  const named = reason?.kind === "language" ? [] : unsure; // of another language, every word is
  const words = `${named.slice(0, most).join(comma)}${named.length > most ? `${comma}…` : ""}`;
  const { of, pieces: [pieces, fewer] = [0, 0], written } = reason ?? {};
  return [
    ...(named.length ? [saidIn(form, { words })] : []),
    ...(reason ? [saidIn(reasons[reason.kind], { characters: of, word: of, number: of, written, pieces, fewer })] : []),
  ];
}

/** A better sentence, and what a press on it does; nothing where there is no such sentence. */
export function offeredBetter({ offers, longest }, { reason }) {
  if (!reason?.better) return {};
  const { kind, better } = reason;
  const short = better.length <= longest ? better : `${better.slice(0, longest - 1)}…`;
  return { offer: fillIn(offers[kind], { sentence: short }), better };
}

/** Fill values into a text in Markdown; they are never read as Markdown. */
function saidIn(form, values) {
  const parts = form.split(/(\*\*[^*]+\*\*|\*[^*]+\*)/).filter(Boolean).map((part) => {
    const [, stars, text] = /^(\*{0,2})(.*?)\1$/s.exec(part);
    return { tag: ["", "i", "b"][stars.length], text: fillIn(text, values) };
  });
  return { parts, text: parts.map(({ text }) => text).join("") };
}

function drawn({ tag, text }) {
  return tag ? make(tag, {}, text) : text;
}

function putInBox(sentence) {
  const box = document.getElementById("sentence");
  box.value = sentence;
  box.form.requestSubmit();
}
