import { fillIn, make, setText } from "../../components/javascript/dom.js";
import { openModel } from "./client.js";
import { keepPages } from "./keep_pages.js";

const MEGABYTE = 1e6;
const READ = 8000; // milliseconds that a notice stands there

/**
 * The model of a page, with a line at the foot of the window that says how much of the model has
 * been loaded. Its errors are shown where those of the page are.
 */
export function modelOf({ live, words }) {
  const bar = make("progress", { "aria-hidden": "true" });
  const text = make("span");
  const line = make("p", { id: "model", role: "status" }, text, bar);
  line.hidden = true;
  document.body.append(line);
  const tell = (said) => {
    line.hidden = !said;
    setText(text, said);
    if (said) setTimeout(() => (line.hidden = true), READ);
  };
  const megabytes = (bytes) => (bytes / MEGABYTE).toFixed(0);
  return openModel(live, {
    progress: (bytes, all) => {
      line.hidden = false;
      Object.assign(bar, { value: bytes, max: all });
      setText(text, fillIn(words.coming, { here: megabytes(bytes), all: megabytes(all) }));
    },
    opened: (kept) => {
      document.body.dataset.model = "open";
      bar.hidden = true;
      tell(kept ? "" : words.unkept);
      if (kept) keepPages(live).then((isKept) => isKept || tell(words.unkeptPages));
    },
    failed: (fault) => {
      line.hidden = true;
      showProblem(saidFault(words, fault));
    },
  });
}

/** The sentence that tells of an error of the model. */
export function saidFault(words, { kind, file = "", said = "" }) {
  if (kind !== "refused") return fillIn(words[kind], { file, said });
  if (said.startsWith("there is nothing to translate")) return words.empty;
  if (said.startsWith("both sentences are translated alike")) return words.untraced;
  return said.startsWith("no piece has the id") ? words.unknownPieces : said;
}

/** Say what went wrong on the page; "" removes the sentence. */
export function showProblem(said) {
  const problem = document.getElementById("problem");
  problem.hidden = !said;
  setText(problem, said);
}
