import { cachedScorer } from "../decoding/cached_scorer.js";
import { editedScorer } from "../decoding/edited_scorer.js";
import { Greedy } from "../decoding/greedy.js";
import { TurnAttention } from "../interventions/attention.js";
import { prepare } from "../interventions/prepare.js";
import { Runs, changesOf } from "../measures/cuts.js";
import { decidingHead, headsOf, onWord, rowOf } from "../measures/deciding.js";
import { parting, swappedRival } from "../measures/minimal_pairs.js";
import { NoPair, checkDecided, differing, ownStory } from "../measures/own_pair.js";
import { findWord, wordsOf } from "../words.js";

const LONGEST_SOURCE = 30; // pieces, as in Python: each takes runs of the model
const LOOKS = 0.4; // the least weight with which another head looks there, too

/**
 * The runs of the story of two sentences, as viz/compute/cuts.py and pairs.py make them.
 * @typedef {import("../words.js").Word} Word
 * @typedef {{ kind: string, layer: number, head: number, reads: boolean }} ArcHead `reads` tells that
 *   the arc goes from the deciding step to the word that asks.
 * @typedef {{ likely: [number, number], other: number, weights: [number, number][],
 *   written: string[] }} Result The probabilities of the two deciding pieces and of the likeliest other
 *   one, the weights of every arc on its two words, and the translation in pieces.
 * @typedef {Result & { turn: TurnAttention }} Turned
 * @typedef {{ layer: number, head: number, weight: number, likely: [number, number] }} OtherHead A
 *   head that looks there, too, and the probabilities when its link alone is cut.
 * @typedef {{ told: import("../measures/deciding.js").Told, heads: ArcHead[], carries: boolean,
 *   decision: import("../measures/minimal_pairs.js").Decision, sides: StorySide[],
 *   cuts: Result[][], turns: Turned[][][], also: OtherHead[][][] }} StoryRuns `cuts` by sentence and
 *   combination of changes; `turns` by sentence, arc and word, and `also` by arc and sentence, both
 *   empty before they were made.
 */

/**
 * Tell the story of two sentences.
 * @param {import("../translator.js").Translator} translator The model.
 * @param {string[]} texts The sentences.
 * @param {[string, string][]} rivals Words of which a translation has one or the other: il, elle.
 * @yields {StoryRuns | number | null} The story twice: before anything is changed, and before arcs are
 *   turned. Otherwise it is at work.
 * @returns {StoryRuns} The story. Throws a NoPair.
 */
export function* tellStory(translator, texts, rivals) {
  const sources = texts.map((text) => sourceOf(translator, text));
  differing(...sources.map(({ tokens }) => sourceWords(tokens)));
  const sides = [];
  for (const source of sources) {
    sides.push(new StorySide(translator, source, yield* translator.running(source)));
  }
  const decision = decisionOf(translator.targetTokenizer, sides, rivals);
  checkDecided(decision, sides.map(({ written }) => written), translator.tokenizer.endId);
  for (const side of sides) side.beginWith(decision);
  const { config } = translator.model;
  const told = ownStory(config, sides);
  const heads = arcHeads(config, told, sides);
  sides.forEach((side, number) => side.tell(told, heads, number));
  const carried = sides.map(({ cut }) => cut.carried);
  const carries = carried[0][1] - carried[0][0] === carried[1][1] - carried[1][0];
  const story = { told, heads, carries: false, decision, sides, cuts: [[], []], turns: [[], []] };
  story.also = heads.map(() => [[], []]);
  const [unchanged, ...changes] = changesOf(heads.length, carries);
  const half = (changes.length + 1) / 2;
  sides.forEach((side, number) => story.cuts[number].push(side.result(side.runs.changed(unchanged))));
  yield story;
  story.carries = carries;
  for (const [number, side] of sides.entries()) {
    const results = story.cuts[number];
    for (const change of changes) {
      // Where no link is cut, it does not matter which heads a cut would be in.
      const same = change.cut.length ? null : results[results.length - half];
      results.push(same ?? side.result(side.runs.changed(change, sides[1 - number].runs)));
      yield null;
    }
  }
  yield story;
  for (const [number, side] of sides.entries()) {
    for (const arc of heads.keys()) {
      for (const other of side.also(arc)) {
        story.also[arc][number].push(other);
        yield null;
      }
    }
    for (const turns of side.arcTurns()) {
      const results = [];
      for (const turn of turns) {
        results.push({ turn, ...side.result(side.runs.edited(side.editsOfTurn(turn))) });
        yield null;
      }
      story.turns[number].push(results);
    }
  }
  return story;
}

function sourceOf(translator, text) {
  let source = null;
  try {
    source = translator.source(text);
  } catch {
    throw new NoPair("empty");
  }
  if (source.ids.length > LONGEST_SOURCE) throw new NoPair(`long ${source.ids.length}`);
  return source;
}

/** The words of a source, without the end token. */
function sourceWords(tokens) {
  return wordsOf(tokens.slice(0, -1));
}

/** Where two translations part or, if they are equal, where two rivals would. */
function decisionOf(tokenizer, sides, rivals) {
  const whole = (ids) => [tokenizer.beginId, ...ids, tokenizer.endId];
  const [first, second] = sides.map(({ translation }) => translation);
  const own = parting(whole(first.ids), whole(second.ids));
  if (own) return own;
  const swapped = swappedRival(first.text, rivals);
  if (swapped === null) return null;
  return parting(...[first.text, swapped].map((text) => whole(tokenizer.encode(text))));
}

/**
 * Name the heads whose arcs tell a story. Where an encoder head decides, the cross-attention head
 * that looks most at the word that asks comes before it.
 */
function arcHeads(config, told, sides) {
  const deciding = { ...decidingHead(config, told, sides), reads: false };
  if (deciding.kind !== "encoder") return [deciding];
  const looks = (head) =>
    sides.reduce((sum, { words, recording, step }) => {
      return sum + onWord(rowOf(recording.arrays, head, step), words[findWord(words, told.asks)]);
    }, 0);
  const all = headsOf(config, "cross").map((head) => ({ head, look: looks(head) }));
  const { head } = all.reduce((most, one) => (one.look > most.look ? one : most));
  return [{ ...head, reads: true }, deciding];
}

/** One sentence of a story. */
export class StorySide {
  /**
   * @param {import("../translator.js").Translator} translator The model.
   * @param {import("../translator.js").Source} source The sentence.
   * @param {import("../translator.js").Run} run Its translation, recorded to the end.
   */
  constructor(translator, source, run) {
    const { translation, recording: whole } = run;
    Object.assign(this, { translator, source, translation, whole, words: sourceWords(source.tokens) });
    this.written = translation.tokens;
  }

  /**
   * Take the recording up to the deciding step: the sentence's own, unless that begins differently.
   * @param {import("../measures/minimal_pairs.js").Decision} decision The step and both pieces.
   * @returns {void}
   */
  beginWith(decision) {
    const isOwn = decision.prefix.every((id, at) => id === this.whole.targetIds[at]);
    this.recording = isOwn ? this.whole : this.translator.record(this.source, decision.prefix.slice(1));
    this.decision = decision;
    this.step = decision.prefix.length - 1;
  }

  /**
   * Take over what both sentences have in common; then it can be changed.
   * @param {import("../measures/deciding.js").Told} told The words.
   * @param {ArcHead[]} heads The heads of the arcs.
   * @param {number} number 0 or 1.
   * @returns {void}
   */
  tell(told, heads, number) {
    const { step } = this;
    const span = (text) => {
      const word = this.words[findWord(this.words, text)];
      return word && [word.first, word.last];
    };
    const keys = ({ reads }) => (reads ? [told.asks, told.asks] : told.source).map(span);
    Object.assign(this, { heads, keys: heads.map(keys) });
    const everywhere = heads.map(({ kind }, arc) => {
      const unique = new Map(this.keys[arc].filter(Boolean).map((pieces) => [pieces[0], pieces]));
      return { kind, queries: kind === "encoder" ? span(told.asks) : [step, step], keys: [...unique.values()] };
    });
    const alone = heads.map(({ layer, head }, arc) => ({ ...everywhere[arc], head: [layer, head] }));
    const links = [...alone, ...everywhere];
    const { sourceIds, targetIds } = this.whole;
    this.cut = { sourceIds, targetIds, links, carried: span(told.asks || told.source[number]) };
    this.runs = new Runs(this.translator.model, this.cut);
  }

  /**
   * Read the outcome of a run; where it prefers another piece, the sentence is translated anew.
   * @param {import("../measures/cuts.js").Outcome} outcome The outcome.
   * @returns {Result} The result.
   */
  result(outcome) {
    const weights = this.heads.map((head, arc) => {
      const own = rowOf(outcome.arrays, head, this.cut.links[arc].queries[0]);
      return this.keys[arc].map((span) => (span ? onWord(own, { first: span[0], last: span[1] }) : 0));
    });
    return { ...this.chances(outcome), weights, written: this.rewritten(outcome) };
  }

  /** The probabilities of the two deciding pieces, and of the likeliest other one. */
  chances(outcome) {
    const { ids } = this.decision;
    const chances = chancesOf(this.rowOfLogits(outcome, this.step));
    const other = chances.reduce((most, chance, id) => (ids.includes(id) ? most : Math.max(most, chance)), 0);
    return { likely: ids.map((id) => chances[id]), other };
  }

  /**
   * Cut each other head that looks where the head of an arc looks most, alone.
   * @param {number} arc The arc.
   * @yields {OtherHead} A head.
   */
  *also(arc) {
    const { kind, layer, head } = this.heads[arc];
    const { links: { [arc]: link } } = this.cut;
    const looks = (one) =>
      link.keys.map(([first, last]) => onWord(rowOf(this.whole.arrays, one, link.queries[0]), { first, last }));
    const own = looks({ kind, layer, head });
    const strongest = own.indexOf(Math.max(...own));
    for (const one of headsOf(this.translator.model.config, kind)) {
      const weight = looks(one)[strongest];
      if (weight < LOOKS || (one.layer === layer && one.head === head)) continue;
      const cut = { ...this.cut, links: [{ ...link, head: [one.layer, one.head] }] };
      const { likely } = this.chances(new Runs(this.translator.model, cut).changed({ cut: [0] }));
      yield { layer: one.layer, head: one.head, weight, likely };
    }
  }

  rowOfLogits({ logits: { shape: [, pieces], values } }, row) {
    return values.subarray(row * pieces, (row + 1) * pieces);
  }

  rewritten(outcome) {
    const own = [...this.cut.targetIds.slice(1), this.translator.tokenizer.endId];
    const preferred = own.map((_, row) => mostProbableOf(this.rowOfLogits(outcome, row)));
    const changed = preferred.findIndex((id, row) => id !== own[row]);
    return changed < 0 ? this.written : this.translated(outcome, own.with(changed, preferred[changed]));
  }

  /** Translate greedily; `draft` is the old translation with the first piece that changes. */
  translated({ source, edits }, draft) {
    const { model, tokenizer } = this.translator;
    const known = [tokenizer.beginId, ...draft];
    const decoder = [...edits.keys()].some((site) => site.startsWith("decoder."));
    const scorer = decoder ? editedScorer(model, source, edits, known) : cachedScorer(model, source, known);
    const steps = new Greedy().steps(scorer, this.translator.limits(this.source));
    return this.translator.translation([...steps]).tokens;
  }

  /**
   * List the turns of every arc onto every word: of its head, or of all cross-attention heads.
   * @returns {TurnAttention[][]} The turns by arc and word.
   */
  arcTurns() {
    return this.heads.map(({ kind, layer, head }, arc) => {
      const heads = kind === "cross" ? [] : [[layer, head]];
      const [query] = this.cut.links[arc].queries;
      return this.words.map(({ first, last }) => {
        const keys = Array.from({ length: last + 1 - first }, (_, n) => first + n);
        return new TurnAttention(kind, query, keys, heads);
      });
    });
  }

  /**
   * Make the step of a turn look at its keys, and read what it writes.
   * @param {TurnAttention} turn The turn.
   * @returns {Turned & { ids: [number, number], before: [number, number] }} The result; `ids` are the
   *   piece that the step writes by itself, and the likeliest other one now; `likely` and `other` are of these.
   */
  turnedLine(turn) {
    const outcome = this.runs.edited(this.editsOfTurn(turn));
    const step = turn.query;
    const own = [...this.cut.targetIds.slice(1), this.translator.tokenizer.endId][step];
    const after = chancesOf(this.rowOfLogits(outcome, step));
    const before = chancesOf(this.rowOfLogits({ logits: this.whole.arrays.get("decoder.logits") }, step));
    const best = (left) => after.reduce((top, chance, id) => (left.includes(id) || chance <= (after[top] ?? -1) ? top : id), -1);
    const ids = [own, best([own])];
    const { weights, written } = this.result(outcome);
    const of = (chances) => ids.map((id) => chances[id]);
    return { turn, ids, before: of(before), likely: of(after), other: after[best(ids)], weights, written };
  }

  editsOfTurn(turn) {
    const { sourceIds, targetIds } = this.cut;
    const lengths = { source: sourceIds.length, target: targetIds.length };
    return prepare([turn], this.translator.model.config, lengths).edits;
  }
}

/** The softmax of logits, in double precision. */
function chancesOf(logits) {
  const top = logits.reduce((most, logit) => Math.max(most, logit), -Infinity);
  const shares = Float64Array.from(logits, (logit) => Math.exp(logit - top));
  const sum = shares.reduce((all, value) => all + value, 0);
  return shares.map((value) => value / sum);
}

function mostProbableOf(logits) {
  return logits.indexOf(logits.reduce((top, logit) => Math.max(top, logit), -Infinity));
}
