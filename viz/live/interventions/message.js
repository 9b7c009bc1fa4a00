import { WORD_START } from "../words.js";

/**
 * The description of an intervention in English, with `{names}` for its values, each of which may be
 * a message too; the page translates it. The name of a value gives its type, as in Python.
 * @typedef {{ text: string, values: Record<string, any> }} Message
 */

/**
 * Make a message.
 * @param {string} text The text.
 * @param {Record<string, any>} values Its values.
 * @returns {Message} The message.
 */
export function message(text, values = {}) {
  return { text, values };
}

/** Name a layer, from 0, of a kind of attention or of a stack. */
export function inLayer(kind, layer) {
  return message("{kind} layer {layer}", { kind, layer: layer + 1 });
}

/** Name a piece, from 0, by its text if that is known and visible, or else by its number. */
export function pieceNamed(place, tokens) {
  const text = tokens[place] ?? "";
  return isVisible([text]) ? message("“{word}”", { word: [text] }) : place + 1;
}

/** Name a query, from 0: by its piece in the encoder, else by the step that it writes. */
export function queryNamed(kind, place, source) {
  return kind === "encoder" ? pieceNamed(place, source) : message("step {number}", { number: place + 1 });
}

/** Tell whether pieces show any character. */
export function isVisible(pieces) {
  return pieces.join("").replaceAll(WORD_START, "") !== "";
}

/** Say `one` for a single number, else `many`; both contain {numbers}, counted from 1. */
export function several(one, many, numbers) {
  const { text } = numbers.length === 1 ? one : many;
  return message(text, { numbers: listed(numbers) });
}

/** List numbers that count from 0 as they are shown: counted from 1. */
export function listed(numbers) {
  return numbers.map((number) => number + 1).join(", ");
}
