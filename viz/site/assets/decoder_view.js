/** The numbers of a view that a link may set, each with its least and its largest value. */
const WHOLE = { width: [1, 8], top_k: [0, 999_999], seed: [0, 999_999], step: [1, 9999] };
const REAL = { penalty: [0, 2], temperature: [0.05, 5], top_p: [0.01, 1] };
const STRATEGIES = ["greedy", "beam", "sampling"];
const OWNERS = {
  width: "beam", penalty: "beam", node: "beam",
  temperature: "sampling", top_k: "sampling", top_p: "sampling", seed: "sampling",
};
const MOST_NODES = 99_999;
const LONGEST_GIVEN = 2000;
const IDS = /^(?:(\d{1,6}(?:-\d{1,6})*)\.)?(\d{1,6}(?:-\d{1,6})*)$/;

/**
 * The view of the step decoder that parameters ask for, as the app reads it (step_decoder/view.py):
 * what makes no sense is as in `defaults`. `layers` and `heads` are those of cross-attention.
 */
export function readView(parameters, defaults, { layers, heads, maxBranches }) {
  const text = (name) => parameters.get(name) ?? "";
  const view = { ...defaults, branches: [], branch: 0, given: text("given").slice(0, LONGEST_GIVEN), node: null };
  const put = (name, value) => value !== null && (view[name] = value);
  if (STRATEGIES.includes(text("strategy"))) view.strategy = text("strategy");
  for (const [name, limits] of Object.entries(WHOLE)) put(name, whole(text(name), ...limits));
  for (const [name, limits] of Object.entries(REAL)) put(name, real(text(name), ...limits));
  put("node", whole(text("node"), 0, MOST_NODES));
  for (const [name, most] of [["attention_layer", layers], ["attention_head", heads]]) {
    const place = whole(text(name), 1, most);
    if (text(name) === "mean") view[name] = null;
    else if (place !== null) view[name] = place - 1;
  }
  const branches = text("branches").split("_").map(readForcing);
  if (branches.length <= maxBranches && !branches.includes(null)) view.branches = branches;
  put("branch", whole(text("branch"), 0, view.branches.length + (view.given ? 1 : 0)));
  return view;
}

/** The parameters of a view: those that matter for its strategy and differ from `defaults`. */
export function parametersOfView(view, defaults) {
  const place = (number) => (number === null ? "mean" : String(number + 1));
  const said = {
    ...view, given: view.given, node: view.node ?? "", branches: view.branches.map(writeForcing).join("_"),
    branch: view.branch || "",
  };
  const written = {};
  for (const [name, value] of Object.entries(said)) {
    const matters = !(name in OWNERS) || OWNERS[name] === view.strategy;
    written[name] = matters && value !== defaults[name] ? String(value) : "";
  }
  return {
    ...written, step: String(view.step), attention_layer: place(view.attention_layer),
    attention_head: view.attention_head === null ? "" : place(view.attention_head),
  };
}

/** What a view asks the model for: a strategy with its settings, branches, and what is on screen. */
export function askedFor({ strategy, branches, given, node, branch, ...settings }) {
  const { width, penalty, temperature, top_k: topK, top_p: topP, seed } = settings;
  const own = {
    greedy: {}, beam: { width, lengthPenalty: penalty }, sampling: { temperature, topK, topP, seed },
  };
  const shown = strategy === "beam" ? { branch, node } : { branch: 0, node: null };
  return { strategy: { name: strategy, ...own[strategy] }, branches, given, ...shown };
}

function readForcing(text) {
  const found = IDS.exec(text);
  if (!found) return null;
  const ids = (part) => (part ? part.split("-").map(Number) : []);
  return { prefix: ids(found[1]), forced: ids(found[2]) };
}

function writeForcing({ prefix, forced }) {
  return (prefix.length ? `${prefix.join("-")}.` : "") + forced.join("-");
}

function whole(text, least, most) {
  return /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null;
}

function real(text, least, most) {
  const value = /\d/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
}
