/** A text escaped for XML; characters that XML does not allow are left out. */
export function escaped(text) {
  // oxlint-disable-next-line no-control-regex -- XML does not allow them
  const clean = String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
  return clean.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** A text as a cell of a CSV file; a text that a spreadsheet would take for a formula gets an apostrophe. */
export function csvCell(text) {
  const plain = String(text ?? "");
  return `"${/^[=+\-@\t\r]/.test(plain) ? "'" : ""}${plain.replace(/"/g, '""')}"`;
}

const WIDE = /[\u2e80-\uffef]/;
const WORDS = /\s*(?:[\u2e80-\uffef][\u3001\u3002\uff09\uff0c\uff1a\uff1b\u201d]*|[^\s\u2e80-\uffef]+)/g;

/** Break a text into lines of `most` letters, at spaces or between Chinese letters, which count double. */
export function wrapped(text, most) {
  const size = (line) => [...line].reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);
  const lines = [""];
  for (const [word] of text.matchAll(WORDS)) {
    const longer = `${lines.at(-1)}${word}`.trimStart();
    if (lines.at(-1) && size(longer) > most) lines.push(word.trim());
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
