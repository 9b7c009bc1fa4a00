import { writeEdits } from "../interventions/link_text.js";
import { decidedStep, isOfHeads, knownTrace, patchOf, sideOfSites, traced } from "../trace.js";
import { answerOf } from "../measures/answer.js";
import { bestHead, nearTie, pieceNames, traceFinding } from "./trace_finding.js";
import { answersWhenTurned } from "./trace_weights.js";
import { answerWay } from "./way.js";

const MOST_TRACES = 6; // the last ones are kept: a view in both directions, and those of some heads

/**
 * What is asked of two sentences: the text of the other one, what is carried over, and of heads the
 * piece of the source, null for the one whose memory moves the answer most.
 * @typedef {{ donor: string, part: string, restored?: boolean, piece?: number | null,
 *   values?: (number | null)[][][] | null }} Asked `values` are those of the maps where they are known.
 */

/** The last traces of a model. */
export class Traces {
  /** @param {import("../translator.js").Translator} translator The model. */
  constructor(translator) {
    Object.assign(this, { translator, kept: new Map() });
  }

  /**
   * Trace two sentences in the unchanged model, or find their trace among the last.
   * @param {import("../translator.js").Run} run The run of this sentence.
   * @param {Asked} asked What is asked.
   * @yields {[number, number]} The runs so far, and all of them.
   * @returns {import("../trace.js").Trace} The maps. Throws an Error when nothing decides.
   */
  *trace(run, { donor, part, restored = false, piece = null, values = null }) {
    const asked = JSON.stringify([run.source.text, donor, part, restored, isOfHeads(part) && piece]);
    return this.keep(asked, this.kept.get(asked) ?? (yield* this.made(run, { donor, part, restored, piece, values })));
  }

  /** The step that decides between two sentences; an Error when nothing does. */
  decided(run, donor) {
    const ids = [run.source.ids, this.translator.source(donor).ids];
    return decidedStep(this.translator.model, ids, this.translator.targetIds(run.translation.ids));
  }

  /**
   * Answer with a query of one head turned onto each of its keys, or find it among the last.
   * @param {import("../translator.js").Run} run The run of this sentence.
   * @param {string} donor The other sentence.
   * @param {import("../interventions/weight_acts.js").Row} row The query.
   * @yields {[number, number]} The keys so far, and all of them.
   * @returns {{ decided: import("../trace.js").Decided, turned: [number, number][] }} The answers.
   */
  *turned(run, donor, row) {
    const asked = JSON.stringify([run.source.text, donor, row]);
    if (!this.kept.has(asked)) {
      const decided = this.decided(run, donor);
      this.keep(asked, { decided, turned: yield* answersWhenTurned(this.translator, run, decided, row) });
    }
    return this.kept.get(asked);
  }

  keep(asked, found) {
    this.kept.delete(asked);
    if (this.kept.size === MOST_TRACES) this.kept.delete(this.kept.keys().next().value);
    this.kept.set(asked, found);
    return found;
  }

  *made(run, { donor, part, restored, piece, values }) {
    const { model } = this.translator;
    const other = this.translator.source(donor);
    const ids = [run.source.ids, other.ids];
    const decided = this.decided(run, donor);
    const carried = { part, restored, donor: other.text, at: null };
    if (isOfHeads(part)) {
      const isThere = piece !== null && piece < ids[0].length;
      const own = isThere ? piece : strongest(yield* this.trace(run, { donor, part: "residual" }));
      carried.at = [own, decided.prefix.length - 1];
    }
    if (values) return knownTrace(model, decided, carried, values);
    return yield* traced(model, ids, decided, carried);
  }
}

/** The token whose memory moves the answer most, up or down. */
function strongest({ maps: { encoder } }) {
  const sizes = encoder.map((row) => Math.abs(row.at(-1)) || 0);
  return sizes.indexOf(Math.max(...sizes));
}

/**
 * Make the message of the maps: what depends on the sentences. The page adds its words and colours.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {import("../trace.js").Trace} trace The trace.
 * @param {{ own: import("../translator.js").Run, other: import("../translator.js").Run,
 *   changed: import("../translator.js").Run | null }} runs This sentence, the other one, and this one
 *   in the changed model, if it is changed.
 * @returns {object} Each map: its rows (null where they are layers), its values to four places (null
 *   without a partner), the cells that are in force, and for each cell the changes that a press leads
 *   to, if it can be pressed; the arrows; the two deciding pieces with their probabilities in each run;
 *   what all this shows; and of heads the tokens that the maps are about, and the link of each.
 */
export function traceMessage(translator, trace, { own, other, changed }) {
  const { tokenizer, targetTokenizer } = translator;
  const { decided, part, restored } = trace;
  const interventions = changed?.interventions ?? [];
  const names = targetTokenizer.tokens(decided.prefix).map(spaced);
  const rivals = targetTokenizer.tokens(decided.pieces).map((token) => spaced(token).replace(/^·+|·+$/g, ""));
  const pieces = tokenizer.tokens(own.source.ids);
  const rows = {
    encoder: pieces.map(spaced),
    decoder: [...names.slice(0, -1), `→ ${rivals.join(" / ")}`],
  };
  const target = own.translation.ids;
  const { fit } = translator.fitting(own.source, interventions, target);
  const forced = changed && translator.record(own.source, target, fit);
  const answers = [own.recording, other.recording, forced].filter(Boolean).map((one) => answerOf(one, decided));
  return {
    part, restored, rivals, answers, pieces: rows.encoder,
    maps: Object.keys(trace.maps).map((kind) => mapOf(trace, kind, isOfHeads(part) ? null : rows[kind], interventions)),
    arrows: part === "residual" ? arrowsOf(trace) : [],
    heads: isOfHeads(part) ? aboutHeads(trace, [rows.encoder, names]) : null,
    translations: [own, ...(changed ? [changed] : [])].map(({ translation }) => translation.text),
    finding: traceFinding(trace, pieces, namesOf(targetTokenizer, decided, [own, other], rivals)), caution: nearTie(answers),
  };
}

/** The names of the two deciding pieces: a part of a word with the word, if its translation has it. */
function namesOf(tokenizer, { prefix, pieces }, runs, rivals) {
  const place = prefix.length - 1;
  return runs.map(({ translation: { ids } }, side) => {
    const isWritten = [...prefix.slice(1), pieces[side]].every((id, at) => ids[at] === id);
    return isWritten ? pieceNames(tokenizer.tokens(ids))[place] : rivals[side];
  });
}

function mapOf(trace, name, rows, interventions) {
  const values = trace.maps[name].map((row) =>
    row.map((value) => (Number.isNaN(value) ? null : Number(value.toFixed(4)))),
  );
  const on = [];
  const edits = values.map((row, at) => row.map((value, column) => {
    const patch = patchOf(trace, name, at, column);
    const others = interventions.filter(({ text }) => text !== patch.text);
    if (others.length < interventions.length) on.push([at, column]);
    if (value === null || trace.restored) return null;
    return writeEdits(others.length < interventions.length ? others : [...interventions, patch]);
  }));
  return { name, rows, values, on, edits };
}

/** Of heads: the piece and the tokens that the maps are about, the link of each, and the head that moves most. */
function aboutHeads(trace, tokens) {
  const { at, part, sites } = trace;
  const isOfKey = part === "k" || part === "v";
  const each = (of) => Object.fromEntries(Object.keys(sites).map((kind) => [kind, of(kind, sideOfSites(sites[kind]))]));
  const queryOf = (kind) => (kind !== "encoder" ? at[1] : isOfKey ? null : at[0]);
  return {
    piece: at[0],
    tokens: each((_kind, side) => tokens[side][at[side]]),
    links: each((kind, side) => [queryOf(kind), isOfKey ? at[side] : null]),
    first: bestHead(trace)?.head ?? null,
  };
}

/** The arrows along which the answer passes. */
function arrowsOf(trace) {
  const { passes, end, read } = answerWay(trace);
  const cell = ([token, column]) => ["encoder", token, column];
  const found = passes.map(([from, to]) => ({ from: cell(from), to: cell(to), moves: true }));
  if (end === null || !read) return found;
  return [...found, { from: cell([end, trace.sites.encoder.length - 1]), to: ["decoder", ...read], moves: false }];
}

function spaced(token) {
  return token.replaceAll("\u2581", "·");
}
