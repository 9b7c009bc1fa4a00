const EVERYWHERE = ["sentence", "model", "lang", "present", "edits"];
const FOCUS = ["word", "step"];
const MODES = ["zero", "mean", "uniform"];

/** A link to another page, with what all pages share and these parameters. */
export function linkTo(page, parameters) {
  const now = new URLSearchParams(window.location.search);
  const link = new URLSearchParams();
  for (const name of EVERYWHERE) if (now.get(name)) link.set(name, now.get(name));
  for (const [name, value] of Object.entries(parameters)) link.set(name, value);
  return `${page}?${link}`;
}

/** The link of this page with other values of some parameters; an empty one takes it out. */
export function linkHere(parameters) {
  const link = new URL(window.location.href);
  for (const [name, value] of Object.entries(parameters)) {
    if (value) link.searchParams.set(name, value);
    else link.searchParams.delete(name);
  }
  return link.href;
}

/** What this link says of the word and the step that are looked at. */
export function focusHere() {
  const now = new URLSearchParams(window.location.search);
  return Object.fromEntries(FOCUS.filter((name) => now.get(name)).map((name) => [name, now.get(name)]));
}

/** Changes of a link and one more; all of them are about the sentence beside it, so no tie is needed. */
export function withEdit(edits, piece) {
  const others = untied(edits);
  return others ? `${others}_${piece}` : piece;
}

function untied(edits) {
  return edits.replace(/_of\.[0-9a-f]*$/, "");
}

/** A head switched off, as a link writes it; layer and head from 0. */
export function headOff({ kind, layer, head }) {
  return `zero.${kind[0]}.${layer + 1}.${head + 1}`;
}

/** Whether changes take a head's own output away, in whichever way. */
export function isOff(edits, { kind, layer, head }) {
  return untied(edits).split("_").some((piece) => {
    const off = headsOff(piece);
    return off?.kind === kind[0] && off.layers.includes(layer + 1) && off.heads.includes(head + 1);
  });
}

/** Changes without those of one head; the other heads that a piece names stay off. */
export function withoutHead(edits, { kind, layer, head }) {
  const pieces = untied(edits).split("_").flatMap((piece) => {
    const off = headsOff(piece);
    if (off?.kind !== kind[0]) return [piece];
    const write = (layers, heads) =>
      layers.length && heads.length ? [`${off.mode}.${off.kind}.${layers.join("~")}.${heads.join("~")}`] : [];
    const [same, others] = [[layer + 1], off.layers.filter((one) => one !== layer + 1)];
    if (others.length === off.layers.length) return [piece];
    return [...write(others, off.heads), ...write(same, off.heads.filter((one) => one !== head + 1))];
  });
  return pieces.join("_");
}

/** The heads that one piece of the changes switches off; null for a piece about something else. */
function headsOff(piece) {
  const [mode, kind, layers, heads] = piece.split(".");
  if (!MODES.includes(mode) || heads === undefined) return null;
  return { mode, kind, layers: numbers(layers), heads: numbers(heads) };
}

/** Numbers as links write them: "1-3~7". */
function numbers(text) {
  return text.split("~").flatMap((part) => {
    const [first, last] = part.split("-").map(Number);
    return Array.from({ length: Math.min((last ?? first) - first + 1, 100) || 0 }, (_, at) => first + at);
  });
}
