import { readQuery, writeQuery } from "../../components/javascript/address.js";
import { inflated } from "../../components/javascript/message.js";
import { loaded, packed } from "./files.js";

const PLACES = { greedy: 0, beam: 1 };
const ARRAYS = ["self", "cross", "mask", "exactLogs", "bandLogs"];
const IDS = /^(?:(\d+(?:-\d+)*)\.)?(\d+(?:-\d+)*)$/;

/**
 * Answer the step decoder out of what was recorded of a sentence, as Python does in the app: greedy
 * with the branches there are, and beam. Resolves to a function that draws it again.
 */
export async function decoderOf(site, parentElement, number, asked) {
  let shown = null;
  const draw = (data) => {
    shown = data;
    site.parts.decoder.render({
      data, parentElement, setTriggerValue: (_name, value) => answer(readQuery(value), true),
    });
  };
  const answer = async (wanted, chosen) => {
    const strategy = wanted.get("strategy") in PLACES ? wanted.get("strategy") : "greedy";
    const recorded = await loaded(site, `decoder-${2 * number + PLACES[strategy]}`);
    const view = viewOf(recorded.header, wanted);
    if (chosen) writeAddress(view);
    draw(await sceneOf(recorded, view, wanted.get("turn") ?? ""));
  };
  await answer(asked, false);
  return () => draw(shown);
}

/** The view of a link or an answer; what was not recorded is left out of it. */
function viewOf({ view, recorded, branches: all }, wanted) {
  const asked = (wanted.get("branches") ?? "").split("_").filter((text) => recorded.includes(text));
  const branches = [...new Set(asked)].map(read);
  const branch = Math.min(branches.length, whole(wanted.get("branch")) ?? 0);
  const number = branch ? 1 + recorded.indexOf(write(branches[branch - 1])) : 0;
  const step = whole(wanted.get("step")) ?? view.step;
  const place = (...names) => {
    const text = names.map((name) => wanted.get(name)).find(Boolean);
    return text === "mean" ? null : whole(text) > 0 ? whole(text) - 1 : undefined;
  };
  const [layer, head] = [place("attention_layer", "layer"), place("attention_head", "head")];
  return {
    ...view, branches, branch,
    step: Math.min(Math.max(1, step), all[number].steps.length),
    attention_layer: layer === undefined ? view.attention_layer : layer,
    attention_head: head === undefined ? view.attention_head : head,
  };
}

function whole(text) {
  return /^\d{1,3}$/.test(text ?? "") ? Number(text) : null;
}

function read(text) {
  const [, prefix, forced] = IDS.exec(text);
  const ids = (part) => (part ? part.split("-").map(Number) : []);
  return { prefix: ids(prefix), forced: ids(forced) };
}

function write({ prefix, forced }) {
  return (prefix.length ? `${prefix.join("-")}.` : "") + forced.join("-");
}

/** The message of a view: of all branches that were recorded, those that it shows. */
async function sceneOf({ header, body }, view, turn) {
  const bytes = await inflated(body);
  const parts = new Map();
  let at = 0;
  for (const [name, size, shape] of header.arrays) {
    const end = at + size * shape.reduce((product, side) => product * side, 1);
    parts.set(name, { size, shape, bytes: bytes.subarray(at, end) });
    at = end;
  }
  const numbers = [0, ...view.branches.map((one) => 1 + header.recorded.indexOf(write(one)))];
  const wanted = numbers.flatMap((number, place) =>
    ARRAYS.map((name) => ({ name: `${place} ${name}`, ...parts.get(`${number} ${name}`) })),
  );
  const arrays = wanted.map(({ name, size, shape }) => [name, size, shape]);
  const branches = numbers.map((number) => header.branches[number]);
  const numbersOf = new Uint8Array(await new Blob(wanted.map((one) => one.bytes)).arrayBuffer());
  return packed({ ...header, view, turn, arrays, branches }, numbersOf);
}

function writeAddress({ strategy, step, attention_layer: layer, attention_head: head, branches, branch }) {
  const place = (number) => (number === null ? "mean" : String(number + 1));
  const says = {
    strategy: strategy === "greedy" ? "" : strategy,
    step: String(step), attention_layer: place(layer), attention_head: place(head),
    branches: branches.map(write).join("_"), branch: branch ? String(branch) : "",
  };
  window.history.replaceState(null, "", `#${writeQuery(says)}`);
}
