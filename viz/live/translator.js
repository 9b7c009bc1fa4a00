import { loadCheckpoint } from "./checkpoints/checkpoint.js";
import { Beam, stepsOf } from "./decoding/beam.js";
import { cachedScorer } from "./decoding/cached_scorer.js";
import { editedScorer } from "./decoding/edited_scorer.js";
import { Greedy } from "./decoding/greedy.js";
import { paddedIds } from "./interventions/compiled.js";
import { Donors } from "./interventions/donors.js";
import { fitting } from "./interventions/fitting.js";
import { HideSource } from "./interventions/masks.js";
import { prepare } from "./interventions/prepare.js";
import { explorerMessage } from "./messages/attention_explorer.js";
import { encodedPass, record } from "./recording.js";
import { layersOf } from "./transformer/config.js";
import { WORD_START, clean } from "./words.js";

const MAX_TOKENS = 128; // as in Python, like the next
const MOST_TOKENS = 256;
const MOST_ENCODED = 2; // a sentence as it is, and changed

/**
 * @typedef {import("./interventions/base.js").Intervention} Intervention
 * @typedef {import("./decoding/steps.js").Choice} Choice
 * @typedef {import("./decoding/steps.js").Scorer} Scorer
 * @typedef {{ text: string, ids: number[], tokens: string[], cut: boolean }} Source
 * @typedef {{ text: string, tokens: string[], ids: number[], logProb: number }} Translation
 * @typedef {{ steps: (scorer: Scorer, limits: object, forced: number[]) => Generator<Choice> }
 *   } Strategy
 * @typedef {{ strategy?: Strategy, forced?: number[], interventions?: Intervention[],
 *   draft?: number[], steps?: number }} Wanted
 * @typedef {{ token: string, id: number, probability: number }} Alternative
 * @typedef {{ prefix: string[], chosen: Alternative, alternatives: Alternative[], rank: number,
 *   forced: boolean, draw: number | null }} Step
 * @typedef {{ source: Source, choices: Choice[], translation: Translation,
 *   recording: import("./recording.js").Recording, interventions: Intervention[],
 *   leftOut: Intervention[],
 *   tree: import("./decoding/beam.js").Tree | null }} Run
 */

/** A checkpoint ready to use: from text to translation, steps, recording, or all of them. */
export class Translator {
  /**
   * @param {import("./checkpoints/checkpoint.js").Files} files The files of a checkpoint.
   * @param {boolean} simd Whether to use WebAssembly where there is any.
   */
  constructor(files, simd = true) {
    Object.assign(this, loadCheckpoint(files, simd));
    const { max_length: positions } = this.model.config;
    const half = Math.max(MAX_TOKENS, Math.floor(positions / 2));
    this.maxTokens = Math.min(positions, MOST_TOKENS, half);
    this.donors = new Map(); // what is known of the last donors
    this.encoded = new Map(); // the last passes of the encoder, by ids and by what changed them
  }

  /**
   * Clean a text and cut it into ids, at most `maxTokens`.
   * @param {string} text The text.
   * @returns {Source} The ids. Throws an Error when nothing is left.
   */
  source(text) {
    const cleaned = clean(text);
    const ids = this.tokenizer.encode(cleaned);
    if (!ids.length) throw new Error("there is nothing to translate: the text is empty");
    const kept = [...ids.slice(0, this.maxTokens - 1), this.tokenizer.endId];
    const tokens = this.tokenizer.tokens(kept);
    return { text: cleaned, ids: kept, tokens, cut: ids.length > this.maxTokens - 1 };
  }

  /**
   * Return the end of decoding for a source: 2 S + 10 pieces, or more if forced.
   * @param {Source} source The source.
   * @param {number[]} forced The ids of the first pieces.
   * @returns {import("./decoding/steps.js").Limits} The limits.
   */
  limits(source, forced = []) {
    const { beginId, endId } = this.tokenizer;
    const longest = Math.max(2 * source.ids.length + 10, forced.length + 1);
    const { pad_id: pad, begin_id: begin } = this.model.config;
    const banned = pad === begin ? [pad] : [];
    return { beginId, endId, maxLength: Math.min(longest, this.maxTokens), banned };
  }

  /**
   * Encode a source once; return a scorer of the piece after prefixes.
   * @param {Source} source The source.
   * @param {Intervention[]} interventions The changes.
   * @param {number[]} draft The ids of an expected translation, which changes no result.
   * @returns {Scorer} The scorer. Throws an Error when an intervention does not fit.
   */
  scorer(source, interventions = [], draft = []) {
    const run = prepare(interventions, this.model.config, this.lengths(source));
    const ids = paddedIds(source.ids, run.sizes);
    const known = draft.length && !run.looksAhead ? [this.tokenizer.beginId, ...draft] : [];
    const decoder = [...run.edits.keys()].some((site) => site.startsWith("decoder."));
    const encoded = this.encode(ids, run.edits, interventions);
    return decoder ? editedScorer(this.model, encoded, run.edits, known) : cachedScorer(this.model, encoded, known);
  }

  /** Encode ids under edits, those of interventions, unless they are among the last that were. */
  encode(ids, edits, interventions) {
    const isEdited = [...edits.keys()].some((site) => site.startsWith("encoder."));
    const key = JSON.stringify([ids, isEdited ? interventions.map(({ text }) => text) : []]);
    const pass = this.encoded.get(key) ?? encodedPass(this.model, ids, edits);
    this.encoded.delete(key);
    this.encoded.set(key, pass);
    if (this.encoded.size > MOST_ENCODED) this.encoded.delete(this.encoded.keys().next().value);
    return pass;
  }

  lengths(source, target = null) {
    const cut = (donor) => this.source(donor).ids;
    const write = (donor) => this.targetIds(this.translate(donor).ids);
    const donors = new Donors(this.model, source.ids, cut, write, this.donors);
    return { source: source.ids.length, target, donors };
  }

  /** Put the begin token before ids of a target, and cut it at the length limit. */
  targetIds(ids) {
    return [this.tokenizer.beginId, ...ids].slice(0, this.maxTokens);
  }

  /**
   * Yield the steps of a strategy, greedy by default.
   * @param {Source} source The source.
   * @param {Wanted} wanted The strategy, the ids of the first pieces, and the changes.
   * @returns {Generator<Choice>} The steps.
   */
  choices(source, { strategy = new Greedy(), forced = [], interventions = [], draft = [] } = {}) {
    const scorer = this.scorer(source, interventions, draft);
    return strategy.steps(scorer, this.limits(source, forced), forced);
  }

  /**
   * Yield the steps with the names of their pieces and probabilities.
   * @param {Source} source The source.
   * @param {Wanted} wanted As for `choices`.
   * @yields {Step} A step.
   */
  *steps(source, wanted = {}) {
    const alternative = ({ id, logProb }) => {
      return { token: this.targetTokenizer.names[id], id, probability: Math.exp(logProb) };
    };
    for (const choice of this.choices(source, wanted)) {
      yield {
        ...choice,
        prefix: this.targetTokenizer.tokens(choice.prefix),
        chosen: alternative(choice.chosen),
        alternatives: choice.alternatives.map(alternative),
      };
    }
  }

  /**
   * Translate a text.
   * @param {string} text The text.
   * @param {Wanted} wanted As for `choices`.
   * @returns {Translation} The translation.
   */
  translate(text, wanted = {}) {
    return this.translation([...this.choices(this.source(text), wanted)]);
  }

  /**
   * Turn the steps of a decode into its translation.
   * @param {Choice[]} choices The steps.
   * @returns {Translation} The translation.
   */
  translation(choices) {
    const ids = choices.map(({ chosen }) => chosen.id).filter((id) => id !== this.tokenizer.endId);
    const logProb = choices.reduce((sum, { chosen }) => sum + chosen.logProb, 0);
    return { text: this.targetTokenizer.decode(ids), tokens: this.targetTokenizer.tokens(ids), ids, logProb };
  }

  /**
   * Turn typed text into pieces to force: "chat" starts a new word, "+eau" continues the last one.
   * @param {string} typed The text.
   * @returns {number[]} The ids. Throws an Error when there are none.
   */
  forcedIds(typed) {
    const text = clean(typed.replaceAll(WORD_START, " "));
    const { targetTokenizer: pieces } = this;
    if (text === pieces.names[pieces.endId]) return [pieces.endId];
    const ids = text.startsWith("+") ? [pieces.id(text.slice(1))] : pieces.encode(text);
    if (!ids.length) throw new Error("there is nothing to force: the text is empty");
    return ids;
  }

  /**
   * Name the pieces of a recording.
   * @param {import("./recording.js").Recording} recording The recording.
   * @returns {{ source: string[], target: string[] }} Their names; the target begins with the begin token.
   */
  pieces({ sourceIds, targetIds }) {
    return { source: this.tokenizer.tokens(sourceIds), target: this.targetTokenizer.tokens(targetIds) };
  }

  /**
   * Record one pass over a sentence and a translation.
   * @param {Source} source The source.
   * @param {number[]} target The ids of the target, without begin and end token.
   * @param {Intervention[]} interventions The changes.
   * @param {import("./recording.js").Pass | null} written A pass of the decoder under them.
   * @returns {import("./recording.js").Recording} The recording.
   */
  record(source, target, interventions = [], written = null) {
    const { donors } = this.lengths(source);
    const encode = (ids, edits) => this.encode(ids, edits, interventions);
    return record(this.model, source.ids, this.targetIds(target), interventions, donors, { encode, written });
  }

  /**
   * Return the edits of a run again, by their sites.
   * @param {Run} run The run.
   * @returns {Map<string, import("./sites/tap.js").Edit>} The edits.
   */
  editsOf({ source, recording, interventions }) {
    return prepare(interventions, this.model.config, this.lengths(source, recording.targetIds.length)).edits;
  }

  /**
   * Split interventions into those that fit a sentence, and the others.
   * @param {Source} source The source.
   * @param {Intervention[]} interventions The interventions.
   * @param {number[] | null} target The ids of the target; null while it is being written.
   * @returns {{ fit: Intervention[], misfit: Intervention[] }} Both.
   */
  fitting(source, interventions, target = null) {
    const length = target && this.targetIds(target).length;
    return fitting(interventions, this.model.config, this.lengths(source, length));
  }

  /**
   * Translate and record in one, with the interventions that fit.
   * @param {Source} source The source.
   * @param {Wanted} wanted As for `choices`.
   * @yields {number} The pieces so far.
   * @returns {Run} The result.
   */
  *running(source, wanted = {}) {
    const { fit, misfit } = this.fitting(source, wanted.interventions ?? []);
    const { strategy = new Greedy(), forced = [], draft = forced, steps = Infinity } = wanted;
    const scorer = this.scorer(source, fit, draft);
    const limits = this.limits(source, forced);
    const choices = [];
    let tree = null;
    if (strategy instanceof Beam) {
      tree = yield* strategy.search(scorer, limits, forced);
      choices.push(...stepsOf(tree));
    } else {
      for (const choice of strategy.steps(scorer, limits, forced)) {
        yield choices.push(choice);
        if (choices.length >= steps) break;
      }
    }
    const translation = this.translation(choices);
    const there = this.fitting(source, fit, translation.ids);
    const written = there.misfit.length ? null : scorer.written;
    const recording = this.record(source, translation.ids, there.fit, written);
    const leftOut = [...misfit, ...there.misfit];
    return { source, choices, translation, recording, interventions: there.fit, leftOut, tree };
  }
}

/**
 * Make the message of the attention explorer from a run.
 * @param {Translator} translator The translator that ran.
 * @param {Run} run The run.
 * @returns {ReturnType<typeof explorerMessage>} The message.
 */
export function explored(translator, { source, translation, recording, interventions }) {
  const { targetIds, arrays } = recording;
  const { model, targetTokenizer } = translator;
  const names = translator.pieces(recording);
  const { shape: [, pieces], values } = arrays.get("decoder.logits");
  const last = values.subarray(-pieces);
  const next = last.indexOf(last.reduce((top, logit) => Math.max(top, logit), -Infinity));
  return explorerMessage({
    sentence: source.text,
    translation: translation.text,
    sourceTokens: names.source,
    targetTokens: names.target,
    predictedTokens: targetTokenizer.tokens([...targetIds.slice(1), next]),
    masked: interventions.flatMap((one) => (one instanceof HideSource ? one.places : [])),
    layers: (kind) => layersOf(model.config, kind),
    arrays,
  });
}

/**
 * Run a generator to its end.
 * @template Result
 * @param {Generator<unknown, Result>} running The generator.
 * @returns {Result} What it returns.
 */
export function finished(running) {
  let step = running.next();
  while (!step.done) step = running.next();
  return step.value;
}
