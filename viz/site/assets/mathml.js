const SIGNS = {
  times: "×", cdot: "·", to: "→", dots: "…", infty: "∞", alpha: "α", sum: "∑", lVert: "‖", rVert: "‖", ln: "ln",
};
const NAMES = ["alpha", "infty", "ln"]; // what is no operator
const SPACES = { ",": "0.17em", " ": "0.33em", quad: "1em" };
const IN_TEXT = { "backslash ": "\\", "char94 ": "^", "char126 ": "~", "char96 ": "`" };

/**
 * A formula in LaTeX as MathML: the part of LaTeX in which viz/pages/head/formulas.py writes. `node`
 * makes an element of a name, its children and perhaps its attributes; texts are strings. Throws an
 * Error at anything else.
 */
export function mathOf(latex, node) {
  const reader = { latex, at: 0, node };
  const parts = sequence(reader);
  if (reader.at < latex.length) throw new Error(`not understood at ${reader.at}: ${latex}`);
  return node("math", parts, { display: "block" });
}

/** Everything up to the end of a group. */
function sequence(reader) {
  const parts = [];
  while (reader.at < reader.latex.length && reader.latex[reader.at] !== "}") {
    if (reader.latex[reader.at] === " ") reader.at++;
    else parts.push(scripted(reader));
  }
  return parts;
}

/** One thing with what stands below and above it. */
function scripted(reader) {
  const { node } = reader;
  const isSum = reader.latex.startsWith("\\sum", reader.at);
  const base = single(reader);
  const beside = {};
  while (["_", "^"].includes(reader.latex[reader.at])) {
    const side = reader.latex[reader.at++];
    beside[side] = single(reader);
  }
  const { _: below, "^": above } = beside;
  const [under, over, both] = isSum ? ["munder", "mover", "munderover"] : ["msub", "msup", "msubsup"];
  if (below && above) return node(both, [base, below, above]);
  if (below) return node(under, [base, below]);
  return above ? node(over, [base, above]) : base;
}

function single(reader) {
  const { latex, node } = reader;
  if (latex[reader.at] === "{") return group(reader);
  if (latex[reader.at] === "\\") return command(reader);
  const [number] = /^\d+(\.\d+)?/.exec(latex.slice(reader.at)) ?? [""];
  const text = number || latex[reader.at];
  reader.at += text.length;
  if (number) return node("mn", [number]);
  if (/\p{L}/u.test(text)) return node("mi", [text]);
  if (!"+-=()[],;:/".includes(text)) throw new Error(`not understood: ${text}`);
  return node("mo", [text === "-" ? "\u2212" : text], "()[]".includes(text) ? { stretchy: "false" } : {});
}

function group(reader) {
  reader.at++;
  const parts = sequence(reader);
  if (reader.latex[reader.at++] !== "}") throw new Error(`a group without an end: ${reader.latex}`);
  return reader.node("mrow", parts);
}

function command(reader) {
  const { latex, node } = reader;
  const [, name] = /^\\([a-zA-Z]+|[\s\S])/.exec(latex.slice(reader.at));
  reader.at += 1 + name.length;
  if (name === "frac") return node("mfrac", [group(reader), group(reader)]);
  if (name === "sqrt") return node("msqrt", [group(reader)]);
  if (name === "mathbf") return node("mrow", [group(reader)], { style: "font-weight: bold" });
  if (name === "text") return node("mtext", [textOf(reader)]);
  if (Object.hasOwn(SPACES, name)) return node("mspace", [], { width: SPACES[name] });
  if (!Object.hasOwn(SIGNS, name)) throw new Error(`not understood: \\${name}`);
  return node(NAMES.includes(name) ? "mi" : "mo", [SIGNS[name]], name.endsWith("Vert") ? { stretchy: "false" } : {});
}

/** The text of \text{...}, in which every letter stands for itself. */
function textOf(reader) {
  let text = "";
  reader.at++;
  while (reader.latex[reader.at] !== "}") {
    if (reader.at >= reader.latex.length) throw new Error(`a text without an end: ${reader.latex}`);
    if (reader.latex[reader.at] !== "\\") text += reader.latex[reader.at++];
    else {
      const after = reader.latex.slice(reader.at + 1);
      const name = Object.keys(IN_TEXT).find((one) => after.startsWith(one)) ?? after[0];
      text += IN_TEXT[name] ?? name;
      reader.at += 1 + name.length;
    }
  }
  reader.at++;
  return text;
}
