import { fillIn, make, setText } from "../../../../components/javascript/dom.js";

const LONGEST_TEXT = 400; // characters of a box

/**
 * The form for two sentences of one's own, which differ in a word. `send` gets them. It keeps what is
 * typed while the picture above it is drawn anew.
 */
export function pairForm(send) {
  const boxes = [sentenceBox(), sentenceBox()];
  const [title, examples, problem] = [make("h2"), make("p", { class: "pairs" }), make("p", { class: "problem", role: "status" })];
  const go = make("button", { type: "submit", class: "change" });
  const fields = make("fieldset", {}, title, ...boxes, go);
  const submit = (event) => {
    event.preventDefault();
    ask(boxes.map((box) => box.value.trim()));
  };
  const node = make("form", { class: "own", submit }, fields, problem, examples);
  let words = null;
  let shown = []; // the sentences of the picture
  let answered = null; // the number of the last answer
  let written = ["", ""]; // what the boxes held when nobody had typed
  const write = (pair) => {
    boxes.forEach((box, number) => (box.value = pair[number]));
    written = boxes.map(({ value }) => value);
  };
  const ask = (pair) => {
    write(pair);
    if (pair.every((text, number) => text === shown[number])) return settle("");
    node.dataset.busy = "yes";
    setText(problem, words.busy);
    send(pair);
  };
  const settle = (reason) => {
    const [name, count] = reason.split(" "); // of a sentence that is too long, its pieces are counted
    const said = words.reasons[name];
    Object.assign(node.dataset, { busy: "", problem: said ? name : reason });
    setText(problem, said ? fillIn(said, { count }) : reason);
  };
  /** Say it in the language of the page, with the model's own pairs to choose from. */
  const say = ({ words: { pair }, languages: [from], pairs }) => {
    words = pair;
    setText(title, pair.title);
    setText(go, pair.go);
    boxes.forEach((box, number) => {
      box.setAttribute("aria-label", [pair.first, pair.second][number]);
      box.lang = from;
    });
    const buttons = pairs.map(({ name, first, second }) =>
      make("button", { type: "button", lang: from, title: `${first} / ${second}`, click: () => ask([first, second]) }, name),
    );
    examples.replaceChildren(...(buttons.length ? [`${pair.known} `, ...buttons] : []));
  };
  /** Follow what the page says: the sentences of its picture, the number of its answer, and a reason against it. */
  const follow = ({ sentences, pairs }, { answer = 0, problem: reason = "" }, canAsk) => {
    fields.disabled = !canAsk;
    examples.hidden = !pairs.length;
    examples.inert = !canAsk;
    const other = sentences.some((text, number) => text !== shown[number]);
    shown = sentences;
    if (answer === answered && !other) return;
    answered = answer;
    // Somebody may be typing the next pair while the last one is answered.
    if (!reason && boxes.every((box, number) => box.value === written[number])) write(sentences);
    settle(reason);
  };
  return { node, say, follow };
}

function sentenceBox() {
  return make("input", { type: "text", maxlength: LONGEST_TEXT, autocomplete: "off", spellcheck: "false" });
}
