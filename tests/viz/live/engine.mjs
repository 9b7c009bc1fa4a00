// Drive the model of viz/live: read tasks as JSON, one a line, and write a result for each. The
// numbers of arrays go into the file that is named on the command line.
import fs from "node:fs";
import readline from "node:readline";

import { inMemory } from "../../../viz/live/checkpoints/file.js";
import { readWeights } from "../../../viz/live/checkpoints/checkpoint.js";
import { Beam } from "../../../viz/live/decoding/beam.js";
import { Greedy } from "../../../viz/live/decoding/greedy.js";
import { Sampling } from "../../../viz/live/decoding/sampling.js";
import { Donors } from "../../../viz/live/interventions/donors.js";
import {
  extremeHead, inMode, keptOnly, leastHeads, leastOff, leastOnly, toggled,
} from "../../../viz/live/interventions/head_presses.js";
import { readEdits, writeEdits, writtenGroups } from "../../../viz/live/interventions/link_text.js";
import { INTERVENTIONS } from "../../../viz/live/interventions/table.js";
import { openKernel } from "../../../viz/live/kernel.js";
import { Decodes } from "../../../viz/live/messages/step_decoder.js";
import { headMessage, shownRow } from "../../../viz/live/messages/heads.js";
import { weightsMessage } from "../../../viz/live/messages/trace_weights.js";
import { distribution, turnedTo, withWeights } from "../../../viz/live/interventions/weight_acts.js";
import { headOffers } from "../../../viz/live/messages/head_offers.js";
import { explorerMessage } from "../../../viz/live/messages/attention_explorer.js";
import { lineMessage, storyMessage } from "../../../viz/live/messages/story.js";
import { tellStory } from "../../../viz/live/messages/story_runs.js";
import { traceFinding } from "../../../viz/live/messages/trace_finding.js";
import { Traces, traceMessage } from "../../../viz/live/messages/trace_map.js";
import { fallsAlone, headImportance } from "../../../viz/live/measures/importance.js";
import { hiddenWords } from "../../../viz/live/messages/mask_links.js";
import { MASK_ACTS } from "../../../viz/live/interventions/mask_acts.js";
import { doubtsMessage } from "../../../viz/live/messages/doubts.js";
import { wrongNumber } from "../../../viz/live/measures/copied_numbers.js";
import { effectMessage } from "../../../viz/live/messages/effect.js";
import { aligned } from "../../../viz/live/measures/sequences.js";
import { swappedRival } from "../../../viz/live/measures/minimal_pairs.js";
import { record } from "../../../viz/live/recording.js";
import { attentionSite } from "../../../viz/live/sites/sites.js";
import { Tokenizer } from "../../../viz/live/tokenizer.js";
import { readConfig, weightShapes } from "../../../viz/live/transformer/config.js";
import { Transformer } from "../../../viz/live/transformer/transformer.js";
import { Translator, explored, finished } from "../../../viz/live/translator.js";
import { clean, wordNumbers, wordsOf } from "../../../viz/live/words.js";

const STRATEGIES = { greedy: Greedy, beam: Beam, sampling: Sampling };
const arrays = fs.openSync(process.argv[2], "w");
let end = 0;
let translator = null;

function bufferOf(path) {
  const { buffer, byteOffset, length } = fs.readFileSync(path);
  return buffer.slice(byteOffset, byteOffset + length);
}

function wantedOf({ strategy: { name, ...settings } = { name: "greedy" }, edits = "", forced, draft }) {
  const strategy = new STRATEGIES[name](settings);
  return { strategy, interventions: readEdits(edits).interventions, forced, draft };
}

/** Append the numbers of tensors to the file of arrays; return where they are. */
function filed(tensors) {
  return Object.fromEntries(
    [...tensors].map(([site, { shape, values }]) => {
      const entry = { shape, at: end, type: values instanceof Uint8Array ? "u1" : "<f4" };
      fs.writeSync(arrays, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
      end += values.byteLength;
      return [site, entry];
    }),
  );
}

function plain({ header, arrays: bytes }) {
  const listed = ([kind, { shape, values }]) => [kind, { shape, values: [...values] }];
  return { header, arrays: Object.fromEntries(Object.entries(bytes).map(listed)) };
}

const TASKS = {
  open: ({ config, vocabulary, simd, ...paths }) => {
    const buffers = Object.fromEntries(Object.entries(paths).map(([part, path]) => [part, bufferOf(path)]));
    translator = new Translator({ config, vocabulary, ...buffers, weights: inMemory(buffers.weights) }, simd);
    return translator.model.config;
  },
  encode: ({ tokenizer, texts, side = "tokenizer" }) => {
    const own = tokenizer ? new Tokenizer(bufferOf(tokenizer)) : translator[side];
    return texts.map((text) => own.encode(text));
  },
  decode: ({ rows }) => rows.map((ids) => translator.targetTokenizer.decode(ids)),
  clean: ({ texts }) => texts.map(clean),
  invisible: () => {
    const ranges = [];
    for (let code = 0; code < 0x110000; code++) {
      if (!/[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u.test(String.fromCodePoint(code))) continue;
      if (ranges.at(-1)?.[1] === code) ranges.at(-1)[1]++;
      else ranges.push([code, code + 1]);
    }
    return ranges;
  },
  forced: ({ typed }) => typed.map((text) => translator.forcedIds(text)),
  translate: ({ text, ...wanted }) => translator.translate(text, wantedOf(wanted)),
  steps: ({ text, ...wanted }) => [...translator.steps(translator.source(text), wantedOf(wanted))],
  tree: ({ text, ...wanted }) => {
    const run = finished(translator.running(translator.source(text), wantedOf(wanted)));
    return { ...run.tree, leftOut: writeEdits(run.leftOut) };
  },
  record: ({ text, target, edits = "" }) => {
    const { interventions } = readEdits(edits);
    return filed(translator.record(translator.source(text), target, interventions).arrays);
  },
  recordIds: ({ config, weights, source, target, edits, donors, simd }) => {
    const sizes = readConfig(config);
    const model = new Transformer(sizes, readWeights(inMemory(bufferOf(weights)), weightShapes(sizes), simd));
    const others = new Donors(model, source, (text) => donors[text][0], (text) => donors[text][1]);
    return edits.map((text) => {
      const { interventions, refused } = readEdits(text);
      if (refused.length) throw new Error(`refused: ${refused}`);
      return filed(record(model, source, target, interventions, others).arrays);
    });
  },
  links: ({ texts }) =>
    texts.map((text) => {
      const { interventions, refused } = readEdits(text);
      return [writeEdits(interventions), refused];
    }),
  fitting: ({ text, edits, target }) => {
    const { fit, misfit } = translator.fitting(translator.source(text), readEdits(edits).interventions, target);
    return [writeEdits(fit), writeEdits(misfit)];
  },
  explorer: ({ weights, v, ...run }) => {
    const arrays = new Map();
    for (const [part, kinds] of Object.entries({ weights, v })) {
      for (const [kind, { shape: [layers, ...shape], values }] of Object.entries(kinds)) {
        const size = values.length / layers;
        for (let layer = 0; layer < layers; layer++) {
          const own = Float32Array.from(values.slice(layer * size, (layer + 1) * size));
          arrays.set(attentionSite(kind, layer, part), { shape, values: own });
        }
      }
    }
    return plain(explorerMessage({ ...run, arrays, layers: (kind) => weights[kind].shape[0] }));
  },
  exploredRun: ({ text }) => {
    const run = finished(translator.running(translator.source(text)));
    return plain(explored(translator, run));
  },
  decoder: ({ text, edits = "", strategy, ...view }) => {
    const { strategy: own, interventions } = wantedOf({ strategy, edits });
    const source = translator.source(text);
    const making = new Decodes(translator).message(source, interventions, { ...view, strategy: own });
    const { header, arrays } = finished(making);
    return { header, arrays: filed(new Map(arrays)) };
  },
  head: ({ text, edits = "", ...view }) => {
    const source = translator.source(text);
    const ran = (interventions) => finished(translator.running(source, { interventions }));
    const { interventions } = readEdits(edits);
    const message = headMessage(translator, ran(interventions), ran([]), view);
    return { ...message, arrays: filed(Object.entries(message.arrays)) };
  },
  trace: ({ text, edits = "", ...asked }) => {
    const ran = (own, some = "") =>
      finished(translator.running(translator.source(own), { interventions: readEdits(some).interventions }));
    const own = ran(text);
    const trace = finished(new Traces(translator).trace(own, asked));
    return traceMessage(translator, trace, { own, other: ran(asked.donor), changed: edits ? ran(text, edits) : null });
  },
  weights: ({ text, donor, row, edits = "" }) => {
    const ran = (own, some = "") =>
      finished(translator.running(translator.source(own), { interventions: readEdits(some).interventions }));
    const runs = { own: ran(text), other: ran(donor), changed: edits ? ran(text, edits) : null };
    const { decided, turned } = finished(new Traces(translator).turned(runs.own, donor, row));
    const { boards: _boards, off: _off, ...message } = weightsMessage(translator, runs, decided, row, turned);
    return message;
  },
  opensAt: ({ text, aligned }) => {
    const focus = { kind: null, layer: null, head: null, word: null, step: null };
    return shownRow(translator, finished(translator.running(translator.source(text))), { focus, opens: null, aligned });
  },
  weigh: ({ edits, row, weights, key }) => {
    const { interventions } = readEdits(edits);
    return writeEdits(weights ? withWeights(interventions, row, distribution(weights)) : turnedTo(interventions, row, key));
  },
  finding: ({ trace, tokens, words }) => {
    const numbers = (rows) => rows.map((row) => row.map((value) => value ?? NaN));
    const maps = Object.fromEntries(Object.entries(trace.maps).map(([kind, rows]) => [kind, numbers(rows)]));
    return traceFinding({ ...trace, maps }, tokens, words);
  },
  effect: ({ text, edits, foreseen: other, rivals, step, view, shown }) => {
    const source = translator.source(text);
    const ran = (interventions) => finished(translator.running(source, { interventions }));
    const [wanted, foreseen] = [edits, other].map((one) => readEdits(one).interventions);
    const [usual, changed, seen] = [ran([]), ran(wanted), foreseen.length ? ran(foreseen) : null];
    const asked = { interventions: changed.interventions, foreseen, rivals, step, view, shown };
    const { header, arrays: tiles } = effectMessage(translator, { usual, changed, foreseen: seen }, asked);
    return { header, arrays: filed(new Map(Object.entries(tiles))) };
  },
  importance: ({ text, mode }) => {
    const source = translator.source(text);
    const { recording } = finished(translator.running(source));
    const ids = [...recording.targetIds, translator.tokenizer.endId];
    return finished(headImportance(translator.model, source.ids, ids, mode));
  },
  mask: ({ edits, act, value }) => writeEdits(MASK_ACTS[act](readEdits(edits).interventions, value)),
  alone: ({ text }) => {
    const source = translator.source(text);
    const { recording } = finished(translator.running(source));
    const ids = [...recording.targetIds, translator.tokenizer.endId];
    const words = hiddenWords(source).map((one) => [one]);
    return { words: words.map(writeEdits), falls: finished(fallsAlone(translator.model, source.ids, ids, words)) };
  },
  press: ({ edits, press, mode, only, config }) => {
    const change = only ? keptOnly : toggled;
    return writeEdits(change(readEdits(edits).interventions, press, mode, readConfig(config)));
  },
  inMode: ({ edits, mode }) => writeEdits(inMode(readEdits(edits).interventions, mode)),
  ofFalls: ({ falls, mode }) =>
    [extremeHead(falls, mode, 1), extremeHead(falls, mode, -1), leastHeads(falls, 5, mode)].map(
      (some) => some && writeEdits(some),
    ),
  least: ({ edits, falls, mode, count }) => {
    const { interventions } = readEdits(edits);
    return {
      count: leastOff(interventions, falls, mode),
      edits: writeEdits(leastOnly(interventions, falls, count ?? 0, mode)),
    };
  },
  offers: ({ edits }) => headOffers(readEdits(edits).interventions),
  groups: ({ edits, config, source }) =>
    writtenGroups(readEdits(edits).interventions, readConfig(config), source),
  doubts: ({ text, known }) => {
    const run = finished(translator.running(translator.source(text)));
    return doubtsMessage(translator, run, known);
  },
  wrongNumbers: ({ pairs }) => pairs.map(([sentence, translation]) => wrongNumber(sentence, translation)),
  words: ({ rows }) => rows.map(wordNumbers),
  wordsOf: ({ rows }) => rows.map(wordsOf),
  align: ({ pairs }) => pairs.map(([one, other]) => aligned(one, other)),
  swapped: ({ texts, rivals }) => texts.map((text) => swappedRival(text, rivals)),
  story: ({ texts, rivals }) => {
    const telling = tellStory(translator, texts, rivals);
    const before = [];
    let step = telling.next();
    while (!step.done) {
      if (step.value?.cuts) before.push(storyMessage(step.value, translator.targetTokenizer));
      step = telling.next();
    }
    return { before, whole: storyMessage(step.value, translator.targetTokenizer) };
  },
  turnedLine: ({ texts, rivals, number, edit }) => {
    const telling = tellStory(translator, texts, rivals);
    let story = null;
    while (!story?.cuts) story = telling.next().value; // as it is before anything is changed
    return lineMessage(story, translator.targetTokenizer, number, edit);
  },
  names: () => INTERVENTIONS.map((each) => [each.name, each.names]),
  product: ({ x, rows, w, b, inputs, outputs }) =>
    [true, false].map((simd) => {
      const { numbers, linear } = openKernel(x.length + w.length + b.length + rows * outputs, simd);
      numbers.set([...x, ...w, ...b]);
      const [at, bias, y] = [x.length, x.length + w.length, x.length + w.length + b.length];
      linear(0, rows, at, bias, inputs, outputs, y);
      return [...numbers.subarray(y, y + rows * outputs)];
    }),
  productOfHalves: ({ x, rows, halves, b, inputs, outputs }) => {
    const [at, bias] = [x.length, x.length + halves.length / 2];
    const [wide, y] = [bias + outputs, bias + outputs + 4 * inputs];
    const { numbers, linear } = openKernel(y + rows * outputs);
    numbers.set(x);
    numbers.set(b, bias);
    new Uint16Array(numbers.buffer, 4 * at, halves.length).set(halves);
    linear(0, rows, at, bias, inputs, outputs, y, wide);
    return [...numbers.subarray(y, y + rows * outputs)];
  },
  finite: ({ halves }) => {
    const { numbers, finite } = openKernel(halves.length / 2);
    new Uint16Array(numbers.buffer, 0, halves.length).set(halves);
    return Array.from({ length: halves.length / 8 }, (_, eight) => finite(8 * eight, 8));
  },
  widen: ({ halves }) =>
    [true, false].map((simd) => {
      const { numbers, widen } = openKernel(halves.length, simd);
      new Uint16Array(numbers.buffer, 2 * halves.length, halves.length).set(halves);
      widen(halves.length, 0, halves.length);
      return [...new Uint32Array(numbers.buffer, 0, halves.length)];
    }),
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { task, ...given } = JSON.parse(line);
  let result = {};
  try {
    result = { done: TASKS[task](given) };
  } catch (error) {
    result = { error: error.message };
  }
  fs.writeSync(1, `${JSON.stringify(result)}\n`);
}
