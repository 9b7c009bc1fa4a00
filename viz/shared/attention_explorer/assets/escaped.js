/** A text as XML; characters that it does not allow are left out. */
export function escaped(text) {
  // oxlint-disable-next-line no-control-regex -- XML does not allow them
  const clean = String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
  return clean.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
