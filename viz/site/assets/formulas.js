/** A text in a formula that LaTeX shows unchanged: see viz/language/formula.py. */
const ESCAPES = {
  "\\": "\\backslash ", "{": "\\{", "}": "\\}", $: "\\$", "&": "\\&", "#": "\\#", "%": "\\%", _: "\\_",
  "^": "\\char94 ", "~": "\\char126 ", "`": "\\char96 ", "\n": " ",
};

/**
 * The formulas of a head's chain in LaTeX, with its numbers, as viz/pages/head/formulas.py writes them.
 * `words` has its texts by their English, and `arrays` the numbers of the chain by name. Each link of
 * the chain is a title, a text and its formulas.
 */
export function formulaLinks(words, header, arrays) {
  const { queries, keys, query, head, heads } = header;
  // A query of the decoder is named by the piece that its step writes.
  const named = header.queryStack === "decoder" ? (queries[query + 1] ?? "</s>") : queries[query];
  const numbers = Object.fromEntries(Object.entries(arrays).map(([name, { values }]) => [name, values]));
  const weights = [...numbers.weights];
  const chain = { ...header, ...numbers, words, at: weights.indexOf(Math.max(...weights)) };
  return [
    projected(chain, arrays.k.shape[0]), compared(chain, named, keys[chain.at]), scaledBy(chain),
    shared(chain, keys[chain.at]), averaged(chain, weights, keys), concatenated(chain, head, heads),
  ];
}

function projected({ words, x, q }, keys) {
  const [width, narrow] = [x.length, q.length];
  return {
    title: words.project,
    text: words.projected,
    formulas: [
      "q = x W_Q + b_Q",
      `(1 \\times ${width})\\,(${width} \\times ${narrow}) \\to 1 \\times ${narrow}`,
      "k_j = x_j W_K + b_K", "v_j = x_j W_V + b_V",
      `(${keys} \\times ${width})\\,(${width} \\times ${narrow}) \\to ${keys} \\times ${narrow}`,
      `\\lVert x \\rVert = ${rounded(sizeOfVector(x))},\\quad \\lVert q \\rVert = ${rounded(sizeOfVector(q))}`,
    ],
  };
}

function compared({ words, q, k, dots, at }, query, key) {
  const width = q.length;
  const terms = [0, 1, 2].map((dim) => q[dim] * k[at * width + dim]);
  const first = terms.map((value, place) => `${place && value >= 0 ? "+" : ""}${rounded(value)}`).join(" ");
  return {
    title: words.compare,
    text: words.compared,
    formulas: [
      `q_{${inFormula(query)}} \\cdot k_{${inFormula(key)}} = q \\cdot k_{${at + 1}}`,
      `= \\sum_{i=1}^{${width}} q_i\\,k_{${at + 1},i}`,
      `= ${first} + \\dots`, `= \\mathbf{${rounded(dots[at])}}`,
    ],
  };
}

function scaledBy({ words, q, dots, scores, divisor, allowed, changed, at }) {
  const isDivided = divisor !== 1;
  const factor = Math.sqrt(q.length) / divisor;
  const times = isDivided && Math.abs(factor - 1) > 1e-5 ? ` \\cdot ${rounded(factor)}` : "";
  const change = changed ? ` = ${rounded(dots[at] / divisor)} \\to` : " =";
  const seen = allowed.filter(Boolean).length;
  const count = (number) => inFormula(words.keys.replace("{count}", String(number)));
  return {
    title: words.scale,
    text: changed ? words.changed : (isDivided ? words.scaled : words.plain),
    formulas: [
      `s_{${at + 1}} = \\frac{${rounded(dots[at])}}{${isDivided ? `\\sqrt{${q.length}}` : "1"}}${times}${change} \\mathbf{${rounded(scores[at])}}`,
      `+\\,0\\ (${count(seen)}),\\quad -\\infty\\ (${count(allowed.length - seen)})`,
    ],
  };
}

function shared({ words, weights, temperature, entropy, allowed, at }, key) {
  const over = temperature === 1 ? "" : ` / ${rounded(temperature, 1)}`;
  const most = Math.log(Math.max(1, allowed.filter(Boolean).length));
  return {
    title: "softmax",
    text: words.shares,
    formulas: [
      `\\alpha_j = \\frac{e^{s_j${over}}}{\\sum_m e^{s_m${over}}}`,
      `\\alpha_{${at + 1}} = \\mathbf{${rounded(weights[at])}}:\\ ${inFormula(key)}`,
      "H = -\\sum_j \\alpha_j \\ln \\alpha_j",
      `= ${rounded(entropy[1])},\\quad ${inFormula(words.most)}\\ ${rounded(most)}`,
    ],
  };
}

function averaged({ words, z }, weights, keys) {
  const best = [...weights.keys()].sort((one, other) => weights[other] - weights[one] || one - other).slice(0, 2);
  const terms = best.map((at) => `${rounded(weights[at])}\\, v_{${inFormula(keys[at])}}`).join(" + ");
  return {
    title: words.mix,
    text: words.mixed,
    formulas: [
      "z = \\sum_j \\alpha_j\\, v_j", `= ${terms} + \\dots`,
      `z = (${Array.from(z.slice(0, 3), (value) => rounded(value)).join(", ")}, \\dots)`,
    ],
  };
}

function concatenated({ words, concat, z, out }, head, heads) {
  const output = inFormula(words.output);
  return {
    title: words.concat,
    text: words.joined,
    formulas: [
      `[z^1; \\dots; z^{${heads}}]: ${heads} \\times ${z.length} = ${concat.length}`,
      `z^{${head + 1}}:\\ ${inFormula(words.own)}`,
      `${output} = [z^1; \\dots; z^{${heads}}]\\, W_O + b_O`,
      `\\lVert ${output} \\rVert = ${rounded(sizeOfVector(out))}`,
    ],
  };
}

function inFormula(text) {
  return `\\text{${[...text].map((letter) => ESCAPES[letter] ?? letter).join("")}}`;
}

/** A number; a negative zero is zero. */
function rounded(value, digits = 2) {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

function sizeOfVector(values) {
  return Math.hypot(...values);
}
