import { Beam } from "./decoding/beam.js";
import { Greedy } from "./decoding/greedy.js";
import { Sampling } from "./decoding/sampling.js";
import { inMemory, keepFile, withKept } from "./checkpoints/file.js";
import { MASK_ACTS } from "./interventions/mask_acts.js";
import { extremeHead, inMode, keptOnly, leastHeads, leastOff, leastOnly, toggled } from "./interventions/head_presses.js";
import { readEdits, writeEdits, writtenGroups } from "./interventions/link_text.js";
import { distribution, turnedTo, withWeights } from "./interventions/weight_acts.js";
import { fallsAlone, headImportance } from "./measures/importance.js";
import { stepChances } from "./measures/step_chances.js";
import { doubtsMessage } from "./messages/doubts.js";
import { effectMessage } from "./messages/effect.js";
import { headOffers } from "./messages/head_offers.js";
import { headMessage, shownRow } from "./messages/heads.js";
import { hiddenWords, leftWithoutKeys } from "./messages/mask_links.js";
import { Decodes } from "./messages/step_decoder.js";
import { lineMessage, storyMessage } from "./messages/story.js";
import { tellStory } from "./messages/story_runs.js";
import { Traces, traceMessage } from "./messages/trace_map.js";
import { weightsMessage } from "./messages/trace_weights.js";
import { copied } from "./tensor.js";
import { Translator, explored } from "./translator.js";

const AT_A_STRETCH = 12; // milliseconds of work before messages are read again

/**
 * A question of the page, answered by messages of the same `id`: `{ id, step }` for each step and
 * now and then `{ id, written }` for the pieces so far, then `{ id, answer }`, or `{ id, error }` with one
 * sentence. Only "cancel" has no answer, and what it cancels then has none either.
 *
 * - open: `files` of a checkpoint, transferred, or in place of `weights` their handle in the browser's
 *   store, and the handles of those to `keep` there
 * - translate, steps, run: `text`, and perhaps `strategy` ({ name: "greedy", "beam" or "sampling" }
 *   with its settings), `forced` ids, `edits` as in a link, and the ids of a `draft`
 * - record: `text`, the ids of a `target`, and perhaps `edits`
 * - explore: as run, answered by the message of the attention explorer in place of the recording,
 *   what it may offer of a head, and `changes`, each with its text in a link, the link without it, and
 *   its words
 * - decode: as run, and `branches`, `given`, `branch`, `node` and `rivals` by ids: the message of the
 *   step decoder, with offers and changes as for explore
 * - head: as explore, with what `HeadView` of messages/heads.js names, answered by its message
 * - trace: as explore, with what `Asked` of messages/trace_map.js names, answered by the message of the
 *   trace's maps; `{ id, traced }` are the runs so far, and all of them
 * - weights: as trace, with the head and the query of `HeadView`, answered by the message of its weights
 * - weigh: the `edits` with these `weights`, or all of them on one `key`, for the query of a `row`
 * - change: `text` and `edits`, those of a change that is `foreseen`, `rivals` by ids and a `step`: the
 *   outcome and the boards of heads, with offers and changes as for explore; for a `view`, a head, also
 *   its links and the controls of masks; its attention after minus before is that of the head that is
 *   `shown`, or else of the one that moved most
 * - chances: `text`, `edits` and perhaps a `step`: the two pieces that it decides between, before and
 *   after
 * - importance: `text` and a `mode`: the falls of the log-probability without each head, after
 *   `{ id, written }` for the heads so far, and the edits that the worst, the best and the half do
 * - least: the `edits` with the `count` heads off that change the log-probability least by these
 *   `falls`, in a `mode`; without a `count`, how many of them the edits switch off
 * - press: the `edits` after a `press` on a board of heads, in a `mode`, which may keep `only` those
 * - alone: `text`: the falls without each word, and the edits that hide the worst and the least
 * - mask: the `edits` after an `act` of `mask_acts.js` with its `value` on a `text`, or the `query`
 *   that it would leave without any key
 * - mode: the `edits` with all heads that are off in this `mode`
 * - doubts: `text`, and what is `known` of the model: its unsure words, and the reason
 * - force: `typed` text, answered by the `ids` of its pieces
 * - pair: two `texts` that differ in a word, and `rivals` such as il and elle; `{ id, story }` is the
 *   message of the story's picture before its arcs can be turned, and the answer the whole of it
 * - line: the `texts` and `rivals` of a story, the `number` of its sentence, 0 or 1, and the `edit` that
 *   turns a step; the `line` of the answer is the message of the result
 * - cancel: the id `of` another question
 *
 * The arrays of a recording are transferred.
 * @typedef {{ id: number, ask: string, text?: string, files?: import("./checkpoints/checkpoint.js")
 *   .Files, keep?: Record<string, FileSystemFileHandle>, simd?: boolean, strategy?: { name: string }, forced?: number[], edits?: string,
 *   draft?: number[], target?: number[], branches?: { prefix: number[], forced: number[] }[],
 *   given?: string, branch?: number, node?: number | null, typed?: string, texts?: string[],
 *   foreseen?: string, step?: number | null, mode?: string, only?: boolean,
 *   view?: import("./interventions/mask_acts.js").View,
 *   shown?: import("./interventions/mask_acts.js").View | null,
 *   falls?: Record<string, number[][]>, count?: number, act?: string, value?: any,
 *   press?: import("./interventions/head_presses.js").Press,
 *   rivals?: Record<number, number> | [string, string][], number?: number, edit?: string,
 *   of?: number }} Question
 * @typedef {{ tell: (part: object) => void, breathe: () => Promise<boolean> }} Turn `breathe`
 *   lets other questions be read where it is time, and ends this one once it is cancelled.
 */

const STRATEGIES = { greedy: Greedy, beam: Beam, sampling: Sampling };

/** What answers each question; each returns `answer` and what is transferred along. */
const ANSWERS = {
  translate: async (translator, question, turn) => {
    const { source, wanted, known } = understood(translator, question);
    const choices = await collected(translator.choices(source, wanted), turn);
    return { answer: { ...known, translation: translator.translation(choices) } };
  },
  steps: async (translator, question, turn) => {
    const { source, wanted, known } = understood(translator, question);
    await collected(translator.steps(source, wanted), turn, (step) => turn.tell({ step }));
    return { answer: known };
  },
  record: (translator, question) => {
    const { source, wanted, known } = understood(translator, question);
    return sent(known, translator.record(source, question.target, wanted.interventions));
  },
  run: async (translator, question, turn) => {
    const { known, run } = await ran(translator, question, turn);
    const { recording, choices, translation, tree } = run;
    return sent({ ...known, choices, translation, tree }, recording);
  },
  explore: async (translator, question, turn) => {
    const { known, run } = await ranOnce(translator, question, turn);
    const message = explored(translator, run);
    const transfer = Object.values(message.arrays).map(({ values }) => values.buffer);
    const { translation, interventions } = run;
    const changed = offered(translator, interventions, known.source);
    return { answer: { ...known, translation, message, ...changed }, transfer };
  },
  head: async (translator, question, turn) => {
    const { known, run } = await ranOnce(translator, question, turn);
    const plain = run.interventions.length
      ? (await ranOnce(translator, { ...question, edits: "" }, turn)).run
      : run;
    const { translation, interventions } = run;
    const message = headMessage(translator, run, plain, question);
    const arrays = Object.entries(message.arrays).map(([name, { shape, values }]) => [name, { shape, values: values.slice() }]);
    const transfer = arrays.map(([, { values }]) => values.buffer);
    return {
      answer: { ...known, translation, message: { ...message, arrays }, ...offered(translator, interventions, known.source) }, transfer,
    };
  },
  trace: async (translator, question, turn) => {
    const { donor, part, restored, piece, values } = question;
    const { traces, runs, answer } = await tracing(translator, question, turn);
    const making = traces.trace(runs.own, { donor, part, restored, piece, values });
    const trace = await toItsEnd(making, turn, "traced");
    return { answer: { ...answer, message: traceMessage(translator, trace, runs) } };
  },
  weights: async (translator, question, turn) => {
    const { traces, runs, answer } = await tracing(translator, question, turn);
    const row = shownRow(translator, runs.own, question);
    const { decided, turned } = await toItsEnd(traces.turned(runs.own, question.donor, row), turn, "traced");
    return { answer: { ...answer, message: weightsMessage(translator, runs, decided, row, turned) } };
  },
  weigh: (_translator, { edits, row, weights, key }) => {
    const { interventions } = readEdits(edits);
    const made = weights ? withWeights(interventions, row, distribution(weights)) : turnedTo(interventions, row, key);
    return { answer: { edits: writeEdits(made) } };
  },
  pair: async (translator, { texts, rivals }, turn) => {
    const telling = tellStory(translator, texts, rivals);
    let step = telling.next();
    while (!step.done) {
      if (step.value?.cuts) turn.tell({ story: storyMessage(step.value, translator.targetTokenizer) });
      await turn.breathe();
      step = telling.next();
    }
    STORIES.set(translator, { name: JSON.stringify(texts), story: step.value });
    return { answer: { story: storyMessage(step.value, translator.targetTokenizer) } };
  },
  line: async (translator, { texts, rivals, number, edit }, turn) => {
    const name = JSON.stringify(texts);
    if (STORIES.get(translator)?.name !== name) {
      const telling = tellStory(translator, texts, rivals);
      let step = telling.next();
      while (!step.value?.cuts) {
        await turn.breathe();
        step = telling.next();
      }
      STORIES.set(translator, { name, story: step.value });
    }
    return { answer: { line: lineMessage(STORIES.get(translator).story, translator.targetTokenizer, number, edit) } };
  },
  decode: async (translator, question, turn) => {
    const { source, wanted, known } = understood(translator, question);
    const { branches, given, branch, node, rivals } = question;
    if (!DECODES.has(translator)) DECODES.set(translator, new Decodes(translator));
    const view = { strategy: wanted.strategy, branches, given, branch, node, rivals };
    const making = DECODES.get(translator).message(source, wanted.interventions, view);
    const message = await toItsEnd(making, turn);
    return { answer: { ...known, message, ...offered(translator, wanted.interventions, source) } };
  },
  change: async (translator, question, turn) => {
    const { source, wanted, known } = understood(translator, question);
    const usual = await usualRun(translator, source, turn);
    const changedBy = async (interventions) => {
      if (!interventions.length) return usual;
      const draft = usual.translation.ids;
      return toItsEnd(translator.running(source, { ...wanted, interventions, draft }), turn);
    };
    const changed = await changedBy(wanted.interventions);
    CHANGED.set(translator, changed);
    const foreseen = readEdits(question.foreseen ?? "").interventions;
    const seen = foreseen.length ? await changedBy(foreseen) : null;
    const { rivals, step = null, view, shown } = question;
    const asked = { interventions: changed.interventions, foreseen, rivals, step, view, shown };
    const message = effectMessage(translator, { usual, changed, foreseen: seen }, asked);
    const leftOut = [known.leftOut, writeEdits(changed.leftOut)].filter(Boolean).join("_");
    const made = offered(translator, wanted.interventions, source);
    return { answer: { ...known, leftOut, message, ...made } };
  },
  chances: async (translator, { text, edits, step }, turn) => {
    const usual = await usualRun(translator, translator.source(text), turn);
    return { answer: stepChances(translator, usual, readEdits(edits).interventions, step) };
  },
  importance: async (translator, { text, mode }, turn) => {
    const source = translator.source(text);
    const { recording } = await usualRun(translator, source, turn);
    const ids = [...recording.targetIds, translator.tokenizer.endId];
    const measuring = headImportance(translator.model, source.ids, ids, mode);
    const falls = await toItsEnd(measuring, turn);
    const half = Math.floor(Object.values(falls).flat(2).length / 2);
    const found = [extremeHead(falls, mode, 1), extremeHead(falls, mode, -1), leastHeads(falls, half, mode)];
    return { answer: { falls, edits: found.map((some) => some && writeEdits(some)) } };
  },
  least: (_translator, { edits, falls, mode, count }) => {
    const { interventions } = readEdits(edits);
    if (count === undefined) return { answer: { count: leastOff(interventions, falls, mode) } };
    return { answer: { edits: writeEdits(leastOnly(interventions, falls, count, mode)) } };
  },
  press: ({ model }, { edits, press, mode, only }) => {
    const change = only ? keptOnly : toggled;
    return { answer: { edits: writeEdits(change(readEdits(edits).interventions, press, mode, model.config)) } };
  },
  alone: async (translator, { text }, turn) => {
    const source = translator.source(text);
    const { recording } = await usualRun(translator, source, turn);
    const ids = [...recording.targetIds, translator.tokenizer.endId];
    const words = hiddenWords(source).map((one) => [one]);
    const falls = await toItsEnd(fallsAlone(translator.model, source.ids, ids, words), turn);
    const pick = (rankOf) => {
      const [most] = [...falls.keys()].sort((one, other) => rankOf(falls[one]) - rankOf(falls[other]));
      return most === undefined ? null : writeEdits(words[most]);
    };
    return { answer: { falls, edits: [null, pick((fall) => -fall), pick(Math.abs)] } };
  },
  mask: async (translator, { text, edits, act, value }, turn) => {
    const source = translator.source(text);
    const last = CHANGED.get(translator);
    const run = last?.source.text === source.text ? last : await usualRun(translator, source, turn);
    const wanted = MASK_ACTS[act](readEdits(edits).interventions, value);
    const query = leftWithoutKeys(translator, run, wanted);
    return { answer: query ? { query } : { edits: writeEdits(wanted) } };
  },
  mode: (_translator, { edits, mode }) => {
    return { answer: { edits: writeEdits(inMode(readEdits(edits).interventions, mode)) } };
  },
  doubts: async (translator, { text, known }, turn) => {
    const run = await usualRun(translator, translator.source(text), turn);
    return { answer: doubtsMessage(translator, run, known) };
  },
  force: (translator, { typed }) => ({ answer: { ids: translator.forcedIds(typed) } }),
};

const DECODES = new WeakMap();
const STORIES = new WeakMap(); // the last story of a model, by its sentences
const CHANGED = new WeakMap(); // the last run of each model under the changes in force

/** Translate and record without any change. */
async function usualRun(translator, { text }, turn) {
  return (await ranOnce(translator, { text }, turn)).run;
}

const RUNS = new WeakMap();
const MOST_RUNS = 2; // the last ones, 6 MB each: a sentence as it is, and changed
const MOST_TRACED = 3; // and another one
const TRACES = new WeakMap();

/** The runs of a trace: this sentence, the other one, and this one in the changed model, if it is changed. */
async function tracing(translator, question, turn) {
  const { known, run } = await ranOnce(translator, question, turn, MOST_TRACED);
  const { translation, interventions } = run;
  const changed = interventions.length ? run : null;
  const own = changed ? (await ranOnce(translator, { ...question, edits: "" }, turn, MOST_TRACED)).run : run;
  const other = (await ranOnce(translator, { text: question.donor }, turn, MOST_TRACED)).run;
  if (!TRACES.has(translator)) TRACES.set(translator, new Traces(translator));
  const answer = { ...known, translation, ...offered(translator, interventions, known.source) };
  return { traces: TRACES.get(translator), runs: { own, other, changed }, answer };
}

/** Translate and record as `ran` does, or find it among the last runs. */
async function ranOnce(translator, question, turn, most = MOST_RUNS) {
  if (!RUNS.has(translator)) RUNS.set(translator, new Map());
  const kept = RUNS.get(translator);
  const { text, edits = "", strategy, forced } = question;
  const key = JSON.stringify([text, edits, strategy, forced]);
  const done = kept.get(key) ?? (await ran(translator, question, turn));
  kept.delete(key);
  while (kept.size >= most) kept.delete(kept.keys().next().value);
  kept.set(key, done);
  return done;
}

/** What a page offers beside changes in force, and how to undo each. */
function offered({ model }, interventions, { tokens }) {
  const changes = writtenGroups(interventions, model.config, tokens);
  return { offers: headOffers(interventions), changes };
}

/** Translate and record, telling the pieces so far. */
async function ran(translator, question, turn) {
  const { source, wanted, known } = understood(translator, question);
  const run = await toItsEnd(translator.running(source, wanted), turn);
  const leftOut = [known.leftOut, writeEdits(run.leftOut)].filter(Boolean).join("_");
  return { known: { ...known, leftOut }, run };
}

/** Run a generator to its end, telling now and then what it yields; return what it returns. */
async function toItsEnd(running, turn, name = "written") {
  let step = running.next();
  while (!step.done) {
    if (await turn.breathe()) turn.tell({ [name]: step.value });
    step = running.next();
  }
  return step.value;
}

/**
 * Answer the questions that arrive at a port.
 * @param {MessagePort | typeof globalThis} port The worker's own scope, or another port.
 * @returns {void}
 */
export function serve(port) {
  let translator = null;
  const open = new Set();
  const pause = makePause();
  const answered = async ({ id, ask, ...question }) => {
    if (ask === "open") {
      translator = await opened(question);
      return { answer: { config: translator.model.config, maxTokens: translator.maxTokens } };
    }
    if (!translator) throw new Error("no model is open yet");
    return ANSWERS[ask](translator, question, {
      tell: (part) => port.postMessage({ id, ...part }),
      breathe: async () => {
        const isPaused = await pause();
        if (!open.has(id)) throw new Cancelled();
        return isPaused;
      },
    });
  };
  port.addEventListener("message", async ({ data: question }) => {
    const { id, ask } = question;
    if (ask === "cancel") {
      open.delete(question.of);
      return;
    }
    open.add(id);
    try {
      const { answer, transfer } = await answered(question);
      port.postMessage({ id, answer }, transfer ?? []);
    } catch (error) {
      if (!(error instanceof Cancelled)) port.postMessage({ id, error: error.message });
    }
    open.delete(id);
  });
  port.start?.();
}

/** Open a checkpoint whose weights come along, or lie in the browser's store; keep there what is to be kept. */
async function opened({ files, simd, keep = {} }) {
  const { weights } = files;
  const open = (file) => new Translator({ ...files, weights: file }, simd);
  if (!(weights instanceof ArrayBuffer)) return withKept(weights, open);
  const translator = open(inMemory(weights));
  for (const [part, handle] of Object.entries(keep)) await keepFile(handle, files[part]);
  weights.transfer?.(0); // frees its memory now: the numbers lie in the kernel's
  return translator;
}

class Cancelled extends Error {}

/**
 * Make a function that lets messages be read once some time has passed. It resolves to whether
 * that was so.
 */
function makePause() {
  const { port1, port2 } = new MessageChannel();
  port1.start();
  let last = performance.now();
  return async () => {
    if (performance.now() - last < AT_A_STRETCH) return false;
    await new Promise((resume) => {
      port1.addEventListener("message", resume, { once: true });
      port2.postMessage(null);
    });
    last = performance.now();
    return true;
  };
}

/** Read a question: its source, what is wanted with the edits that fit, and what to say of both. */
function understood(translator, { text, strategy, forced, edits = "", draft, target = null }) {
  const { interventions, refused } = readEdits(edits);
  const { name, ...settings } = strategy ?? { name: "greedy" };
  const source = translator.source(text);
  const { fit, misfit } = translator.fitting(source, interventions, target);
  const wanted = { strategy: new STRATEGIES[name](settings), forced, interventions: fit, draft };
  return { source, wanted, known: { source, refused, leftOut: writeEdits(misfit) } };
}

async function collected(running, { breathe }, tell = () => {}) {
  const found = [];
  for (const one of running) {
    found.push(one);
    tell(one);
    await breathe();
  }
  return found;
}

/** Let copies of the arrays of a recording go along with an answer: runs share some of them. */
function sent(known, { sourceIds, targetIds, arrays }) {
  const copies = [...arrays].map(([site, tensor]) => [site, copied(tensor)]);
  const recording = { sourceIds, targetIds, arrays: Object.fromEntries(copies) };
  return { answer: { ...known, recording }, transfer: copies.map(([, { values }]) => values.buffer) };
}
