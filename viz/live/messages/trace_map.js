import { writeEdits } from "../interventions/link_text.js";
import { STACKS } from "../sites/sites.js";
import { decidedStep, knownTrace, patchOf, traced } from "../trace.js";

const MOSTLY = 0.5; // a token whose vector alone moves the answer by this share holds it; see way.py

/**
 * Trace two sentences in the unchanged model.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../translator.js").Run} run The run of this sentence.
 * @param {string} donor The other one.
 * @param {string} part "residual" or "sublayer".
 * @param {(number | null)[][][] | null} known The values of both maps, where they are known.
 * @yields {[number, number]} The runs so far, and all of them.
 * @returns {import("../trace.js").Trace} The maps. Throws an Error when nothing decides.
 */
export function* tracedPair(translator, run, donor, part, known = null) {
  const other = translator.source(donor);
  const ids = [run.source.ids, other.ids];
  const target = translator.targetIds(run.translation.ids);
  const decided = decidedStep(translator.model, ids, target);
  if (known) return knownTrace(translator.model, decided, part, other.text, known);
  return yield* traced(translator.model, ids, decided, part, other.text);
}

/**
 * Make the message of the maps: what depends on the sentences. The page adds its words and colours.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../trace.js").Trace} trace The trace.
 * @param {{ own: import("../translator.js").Run, other: import("../translator.js").Run,
 *   changed: import("../translator.js").Run | null }} runs This sentence, the other one, and this one
 *   in the changed model, if it is changed.
 * @returns {object} Each map: its rows, its values to four places (null without a partner), the cells
 *   that are in force, and for each cell the changes that a press leads to; the arrows; and the two
 *   deciding pieces with their probabilities in each run.
 */
export function traceMessage(translator, trace, { own, other, changed }) {
  const { tokenizer } = translator;
  const { decided, maps, part } = trace;
  const interventions = changed?.interventions ?? [];
  const names = tokenizer.tokens(decided.prefix).map(spaced);
  const pieces = tokenizer.tokens(decided.pieces).map((token) => spaced(token).replace(/^·+|·+$/g, ""));
  const rows = {
    encoder: tokenizer.tokens(own.source.ids).map(spaced),
    decoder: [...names.slice(0, -1), `→ ${pieces.join(" / ")}`],
  };
  const target = own.translation.ids;
  const { fit } = translator.fitting(own.source, interventions, target);
  const forced = changed && translator.record(own.source, target, fit);
  return {
    part, rivals: pieces,
    answers: [own.recording, other.recording, forced].filter(Boolean).map((one) => answerOf(one, decided)),
    maps: STACKS.map((stack) => mapOf(trace, stack, rows[stack], interventions)),
    arrows: part === "residual" ? arrowsOf(maps) : [],
    translations: [own, ...(changed ? [changed] : [])].map(({ translation }) => translation.text),
  };
}

function mapOf(trace, name, rows, interventions) {
  const values = trace.maps[name].map((row) =>
    row.map((value) => (Number.isNaN(value) ? null : Number(value.toFixed(4)))),
  );
  const on = [];
  const edits = values.map((row, at) => row.map((value, column) => {
    if (value === null) return null;
    const patch = patchOf(trace, name, at, column);
    const others = interventions.filter(({ text }) => text !== patch.text);
    if (others.length === interventions.length) return writeEdits([...interventions, patch]);
    on.push([at, column]);
    return writeEdits(others);
  }));
  return { name, rows, values, on, edits };
}

/** The probabilities of the two pieces at the step that decides. */
function answerOf({ arrays }, { prefix, pieces }) {
  const { shape: [, count], values } = arrays.get("decoder.logits");
  const row = values.subarray((prefix.length - 1) * count, prefix.length * count);
  const top = row.reduce((most, logit) => Math.max(most, logit), -Infinity);
  const sum = row.reduce((all, logit) => all + Math.exp(logit - top), 0);
  return pieces.map((id) => Math.exp(row[id] - top) / sum);
}

/** The arrows along which the answer passes: see viz/pages/trace/way.py. */
function arrowsOf({ encoder, decoder }) {
  const columns = encoder[0].length;
  const held = []; // cells that hold the answer, at most one in a column, the memory's last
  for (let column = columns - 1; column >= 0; column--) {
    const shares = encoder.map((row) => row[column] || 0);
    let token = held[0]?.[0] ?? 0;
    if (shares[token] < MOSTLY) token = shares.indexOf(Math.max(...shares));
    if (shares[token] >= MOSTLY) held.unshift([token, column]);
  }
  const cell = ([token, column]) => ["encoder", token, column];
  const found = held.slice(1).flatMap((to, at) =>
    held[at][0] === to[0] ? [] : [{ from: cell(held[at]), to: cell(to), moves: true }],
  );
  const taken = decoder.at(-1).findIndex((share) => share >= MOSTLY);
  const last = held.at(-1);
  if (taken < 0 || last?.[1] !== columns - 1) return found;
  return [...found, { from: cell(last), to: ["decoder", decoder.length - 1, taken], moves: false }];
}

function spaced(token) {
  return token.replaceAll("\u2581", "·");
}
