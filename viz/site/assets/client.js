import { inflated } from "../../components/javascript/message.js";
import { take } from "./take.js";

/**
 * The model of a site on the page's side: its files are fetched once, kept by the browser, and given
 * to a worker (viz/live/worker.js), which answers. Nothing is fetched before `start`, `soon` or `ask`.
 *
 * @typedef {{ name: string, bytes: number, packed: number, scripts: number, mark: string,
 *   apart: boolean }} ModelFile A deflated file of `packed` bytes, fetched, or in so many `scripts`;
 *   `mark` changes with its content, and every second byte may lie `apart`, at the end.
 * @typedef {Record<string, ModelFile>} ModelFiles Those of a checkpoint (viz/live/checkpoints/checkpoint.js).
 * @typedef {{ script: string, folder: string, files: ModelFiles, offline?: boolean }} Place Addresses of
 *   the worker's script and of the checkpoint's folder; those of an `offline` site are run, not fetched.
 * @typedef {{ progress?: (bytes: number, all: number) => void, opened?: (kept: boolean) => void,
 *   failed?: (fault: Fault) => void }} Listener `opened` hears whether the browser keeps the files.
 * @typedef {{ start: () => Promise<object>, soon: (seconds?: number) => void,
 *   ask: (question: object, onPart?: (part: object) => void) => Asked }} Client
 * @typedef {Promise<object> & { cancel: () => void }} Asked
 */

const STORE = "headlight-models";
const SOON = 5; // seconds that somebody looks at a page before its model is fetched

/**
 * Why there is no answer: "missing" (`file` cannot be fetched), "damaged" (`said` names the fault),
 * "unsupported" (this browser is too old), "unserved" (a page that is a file may fetch nothing), or
 * "refused" (`said` is the model's own sentence).
 */
export class Fault extends Error {
  /**
   * @param {string} kind One of these.
   * @param {{ file?: string, said?: string }} about What is known of it.
   */
  constructor(kind, about = {}) {
    super(`${kind}: ${about.file ?? about.said ?? ""}`);
    Object.assign(this, { kind, ...about });
  }
}

/**
 * Prepare the model of a site.
 * @param {Place} place Where its files are.
 * @param {Listener} listener Who hears of its progress.
 * @returns {Client} The model. `start` resolves to `{ config, maxTokens }` once it is open; `soon`
 *   starts it after some seconds; `ask` starts it, too. The promise of `ask` is that of the answer; it
 *   rejects with a Fault, and stays open once it is cancelled.
 */
export function openModel(place, listener = {}) {
  let loading = null;
  const load = () => {
    loading ??= loadModel(place, listener).catch((error) => {
      loading = null; // the next question tries again
      listener.failed?.(error);
      throw error;
    });
    return loading;
  };
  const start = async () => (await load()).sizes;
  const begin = () => start().catch(() => {}); // the listener has heard of it
  const soon = (seconds = SOON) => {
    if (!navigator.connection?.saveData && isReachable(place)) setTimeout(begin, 1000 * seconds);
  };
  const ask = (question, onPart = () => {}) => {
    let cancel = null;
    let cancelled = false;
    const answer = load().then(({ put }) => {
      if (cancelled) return new Promise(() => {});
      const asked = put(question, [], onPart);
      ({ cancel } = asked);
      return asked.answer;
    });
    return Object.assign(answer, {
      cancel: () => {
        cancelled = true;
        cancel?.();
      },
    });
  };
  return { start, soon, ask };
}

function isReachable({ offline }) {
  return offline || window.location.protocol !== "file:";
}

async function loadModel(place, { progress, opened }) {
  if (!isReachable(place)) throw new Fault("unserved");
  if (!globalThis.Worker || !globalThis.DecompressionStream) throw new Fault("unsupported");
  const { folder, files } = place;
  const all = Object.values(files).reduce((sum, { packed }) => sum + packed, 0);
  let read = 0;
  const rest = new AbortController(); // stops the other files when one is missing
  const more = (bytes) => rest.signal.aborted || progress?.((read += bytes), all);
  const worker = new Worker(await workerOf(place)); // it starts while the files come
  const put = makeLine(worker);
  const store = await openStore();
  const keep = {};
  const entries = Object.entries(files).map(async ([part, file]) => {
    const stored = await placeOf(store, new URL(folder, document.baseURI), file);
    if (stored && !stored.kept) keep[part] = stored.handle;
    if (stored?.kept && part === "weights") return [part, stored.handle]; // read by the worker
    const content = await (stored?.kept?.arrayBuffer() ?? contentOf(folder, file, more, rest.signal));
    return [part, file.name.includes(".json") ? new TextDecoder().decode(content) : content];
  });
  const contents = await Promise.all(entries).then(Object.fromEntries, (fault) => {
    rest.abort();
    worker.terminate();
    throw fault;
  });
  const own = Object.values(contents).filter((content) => content instanceof ArrayBuffer);
  const { answer } = put({ ask: "open", files: contents, keep }, own);
  const sizes = await answer.catch(({ kind, said }) => {
    throw new Fault(kind === "refused" ? "damaged" : kind, { said });
  });
  opened?.(store !== null);
  return { sizes, put };
}

/** The address of the worker's script: a page that is a file may start only a worker that it made. */
async function workerOf({ script, offline }) {
  if (!offline) return script;
  const code = await taken(script, "live", script.split("/").at(-1));
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

/** The browser's folder for models, or null where it keeps nothing: in private windows, and without https. */
async function openStore() {
  try {
    const root = await navigator.storage.getDirectory();
    return await root.getDirectoryHandle(STORE, { create: true });
  } catch {
    return null;
  }
}

/**
 * The place of a file in the store, without its earlier versions, and what is `kept` there; null where
 * there is none.
 */
async function placeOf(store, { pathname }, { name, bytes, scripts, mark }) {
  if (!store || scripts) return null;
  const own = encodeURIComponent(`${pathname}${name}?`);
  try {
    for await (const old of store.keys()) {
      if (old.startsWith(own) && old !== own + mark) await store.removeEntry(old);
    }
    const handle = await store.getFileHandle(own + mark, { create: true });
    const file = await handle.getFile();
    return { handle, kept: file.size === bytes ? file : null };
  } catch {
    return null;
  }
}

/** The content of a file, which is fetched, or taken from scripts. */
async function contentOf(folder, file, more, signal) {
  const { name, scripts, mark } = file;
  const address = new URL(`${folder}${name}?${mark}`, document.baseURI).href;
  const parts = scripts ? await fromScripts(folder, file, more, signal) : await fetched(address, name, more, signal);
  return (await unpacked(file, parts)).buffer;
}

/** The parts of a file, as they came. */
async function fetched(address, name, more, signal) {
  const parts = [];
  try {
    const response = await fetch(address, { signal });
    if (!response.ok) throw new Error(response.statusText);
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      more(part.value.length);
    }
  } catch {
    throw new Fault("missing", { file: name });
  }
  return parts;
}

async function fromScripts(folder, { name, scripts }, more, signal) {
  const parts = [];
  for (let number = 0; number < scripts && !signal.aborted; number++) {
    const script = `${name}-${number}`;
    const letters = atob(await taken(`${folder}${script}.js`, script, `${script}.js`));
    const part = new Uint8Array(letters.length);
    for (let at = 0; at < letters.length; at++) part[at] = letters.charCodeAt(at);
    parts.push(part);
    more(part.length);
  }
  return parts;
}

async function taken(address, name, file) {
  try {
    return await take(address, name);
  } catch {
    throw new Fault("missing", { file });
  }
}

async function unpacked({ name, bytes, apart }, parts) {
  const packed = new Blob(parts);
  letGo(...parts);
  const content = await inflated(packed).catch(() => {
    throw new Fault("damaged", { said: `${name}: it cannot be inflated` });
  });
  if (content.length !== bytes) {
    throw new Fault("damaged", { said: `${name}: ${bytes} bytes expected, not ${content.length}` });
  }
  if (!apart) return content;
  const whole = joined(content);
  letGo(content);
  return whole;
}

/** Free the memory of bytes now, which a browser would do at some later time. */
function letGo(...views) {
  for (const { buffer } of views) buffer.transfer?.(0);
}

/** Put the first bytes and the second bytes of numbers together again. */
function joined(content) {
  const half = Math.ceil(content.length / 2);
  const whole = new Uint8Array(content.length);
  for (let at = 0; at < content.length; at++) whole[at] = content[(at >> 1) + (at & 1) * half];
  return whole;
}

/** Number the questions to a worker, and pass each answer to the one who asked. */
function makeLine(worker) {
  const waiting = new Map();
  let last = 0;
  let broken = null; // the fault of the worker itself
  worker.addEventListener("message", ({ data: { id, answer, error, ...part } }) => {
    const asked = waiting.get(id);
    if (!asked) return;
    if (answer === undefined && error === undefined) return asked.onPart(part);
    waiting.delete(id);
    if (error === undefined) asked.done(answer);
    else asked.fail(new Fault("refused", { said: error }));
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    broken = new Fault("damaged", { said: event.message ?? "" });
    for (const { fail } of waiting.values()) fail(broken);
    waiting.clear();
  });
  return (question, transfer, onPart = () => {}) => {
    const id = ++last;
    const answer = new Promise((done, fail) => (broken ? fail(broken) : waiting.set(id, { done, fail, onPart })));
    worker.postMessage({ ...question, id }, transfer);
    const cancel = () => {
      if (waiting.delete(id)) worker.postMessage({ id: ++last, ask: "cancel", of: id }, []);
    };
    return { answer, cancel };
  };
}
