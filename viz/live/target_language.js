/**
 * Split off a target language at the start: ">>fra<< Hello" is [">>fra<<", " Hello"].
 * @param {string} text The text.
 * @returns {[string, string]} The language, "" without any, and the rest.
 */
export function splitLanguage(text) {
  const end = text.startsWith(">>") ? text.indexOf("<<") + 2 : 0;
  return end > 1 ? [text.slice(0, end), text.slice(end)] : ["", text];
}
