import { INTERVENTIONS } from "./table.js";
import { oneOf } from "./fields.js";

const LONGEST = 12_000;
const MOST_INTERVENTIONS = 3000;

/**
 * Read interventions from the text of a link: pieces joined by "_", "zero.e.4.1-3~7_lift.d".
 * @param {string} text The text.
 * @returns {{ interventions: import("./base.js").Intervention[], refused: string[] }} Them, and the
 *   pieces that make no sense or pass a limit.
 */
export function readEdits(text) {
  const byName = Object.fromEntries(INTERVENTIONS.flatMap((each) => each.names.map((name) => [name, each])));
  const found = new Map();
  const refused = [];
  for (const piece of text ? text.slice(0, LONGEST).split("_") : []) {
    try {
      if (found.size > MOST_INTERVENTIONS) throw new Error(`more than ${MOST_INTERVENTIONS}`);
      const [name] = piece.split(".", 1);
      for (const one of oneOf(byName, name).read(name, piece.slice(name.length + 1))) found.set(one.text, one);
    } catch {
      refused.push(piece);
    }
  }
  if (text.length > LONGEST) refused.push(text.slice(LONGEST));
  return { interventions: [...found.values()], refused };
}

/**
 * Write interventions for a link, in a fixed order and without repetitions.
 * @param {import("./base.js").Intervention[]} interventions The interventions.
 * @returns {string} The text.
 */
export function writeEdits(interventions) {
  return groupsOf(interventions).map(written).join("_");
}

/**
 * Write each group of interventions that makes one piece of a link.
 * @param {import("./base.js").Intervention[]} interventions The interventions.
 * @param {import("../transformer/config.js").Config} config The sizes of the model.
 * @param {string[]} source The pieces of the source.
 * @returns {{ text: string, without: string, words: import("./message.js").Message }[]} The text of
 *   each, that of all the others, and what it does in words.
 */
export function writtenGroups(interventions, config, source) {
  return groupsOf(interventions).map((group) => {
    const own = new Set(group.map(({ text }) => text));
    const without = writeEdits(interventions.filter(({ text }) => !own.has(text)));
    return { text: written(group), without, words: group[0].constructor.wordsOf(group, config, source) };
  });
}

/** Group the interventions that make one piece of a link, in a fixed order. */
function groupsOf(interventions) {
  const unique = [...new Map(interventions.map((one) => [one.text, one])).values()];
  const groups = { alone: [], joined: [] };
  for (const each of INTERVENTIONS) {
    const own = unique.filter((one) => one.constructor === each);
    groups[each.joins ? "joined" : "alone"].push(...each.join(own));
  }
  return [...groups.alone.sort((one, other) => byRank(written(one), written(other))), ...groups.joined];
}

function written(group) {
  return group[0].constructor.write(group);
}

/** Compare two names; numbers within them compare by their size. */
function byRank(one, other) {
  const [own, its] = [one.split(/(\d+)/), other.split(/(\d+)/)];
  for (let at = 0; at < Math.min(own.length, its.length); at++) {
    if (own[at] === its[at]) continue;
    if (at % 2 && Number(own[at]) !== Number(its[at])) return own[at] - its[at];
    if (!(at % 2)) return own[at] < its[at] ? -1 : 1;
  }
  return own.length - its.length;
}
