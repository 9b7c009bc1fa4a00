// The model of viz/live in a worker, as one script: ask it what is on the command line, print what
// it answers.
import fs from "node:fs";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

if (isMainThread) {
  const { script, files, questions } = JSON.parse(fs.readFileSync(0, "utf8"));
  const worker = new Worker(new URL(import.meta.url), { workerData: script });
  const bufferOf = (path) => Uint8Array.from(fs.readFileSync(path)).buffer;
  const buffers = { weights: bufferOf(files.weights), tokenizer: bufferOf(files.tokenizer) };
  const opening = { id: 0, ask: "open", files: { config: files.config, ...buffers } };
  let left = questions.filter(({ ask }) => ask !== "cancel").length;
  const cancelled = questions.filter(({ ask }) => ask === "cancel").length;
  worker.on("message", ({ answer, ...message }) => {
    const arrays = answer?.recording?.arrays ?? {};
    for (const one of Object.values(arrays)) one.values = Array.from(one.values.slice(0, 3));
    process.stdout.write(`${JSON.stringify({ ...message, answer })}\n`);
    if (message.id === 0) {
      process.stdout.write(`${JSON.stringify({ taken: buffers.weights.byteLength === 0 })}\n`);
      for (const question of questions) worker.postMessage(question);
    } else if (message.id > 0 && (answer || "error" in message)) left--;
    if (left === cancelled) worker.terminate();
  });
  worker.postMessage({ id: -1, ask: "translate", text: "Too early." });
  worker.postMessage(opening, Object.values(buffers));
} else {
  const headlight = new Function(`${workerData}return headlight();`)();
  headlight.serve(parentPort);
}
