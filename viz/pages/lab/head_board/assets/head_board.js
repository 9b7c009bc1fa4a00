/** Boards of layers x heads as tables of buttons; a press is sent, the server draws anew. */

const held = new WeakMap();

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

function channels(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

function colourAt(scale, at) {
  const above = Math.max(1, scale.findIndex(([position]) => position >= at));
  const [[low, from], [high, to]] = [scale[above - 1], scale[above]];
  const share = (at - low) / (high - low);
  const [a, b] = [channels(from), channels(to)];
  return a.map((value, i) => Math.round(value + (b[i] - value) * share));
}

function ink([red, green, blue]) {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#111111" : "#fafafa";
}

function valueText(value) {
  return value === null ? "" : value.toFixed(Math.abs(value) < 0.0995 ? 3 : 2);
}

function cellColour(data, value) {
  if (value === null || !data.most) return null;
  const share = Math.max(-1, Math.min(1, value / data.most));
  return colourAt(data.scale, data.signed ? 0.5 + share / 2 : Math.max(0, share));
}

function cell(data, board, layer, head, send, read) {
  const sign = board.off[layer][head];
  const value = board.values ? board.values[layer][head] : null;
  const { words } = data;
  const place = `${board.title}, ${words.layer} ${layer + 1}, ${words.head} ${head + 1}`;
  const text = [place, sign && words.off, value !== null && `${data.legend} ${valueText(value)}`];
  const label = text.filter(Boolean).join(": ");
  const button = make("button", { class: "cell", type: "button", "aria-label": label });
  button.setAttribute("aria-pressed", String(Boolean(sign)));
  button.title = label;
  const colour = cellColour(data, value);
  button.style.setProperty("--cell", colour ? `rgb(${colour.join(",")})` : "transparent");
  button.style.setProperty("--ink", colour ? ink(colour) : "var(--st-text-color)");
  const [chosenLayer, chosenHead] = board.chosen ?? [];
  button.classList.toggle("chosen", chosenLayer === layer && chosenHead === head);
  if (sign) button.append(make("span", {}, sign));
  button.onclick = () => send({ kind: board.kind, layer, head });
  button.onmouseenter = button.onfocus = () => read(label);
  return make("td", {}, button);
}

function table(data, board, send, read) {
  const { words } = data;
  const title = make(data.rows ? "button" : "span", { class: "title" }, board.title);
  if (data.rows) title.onclick = () => send({ kind: board.kind, layer: null, head: null });
  title.style.setProperty("--kind", board.colour);
  const corner = make("span", { class: "heads" }, words.heads);
  const heads = board.off[0].map((_, head) => make("th", { scope: "col" }, String(head + 1)));
  const top = make("tr", {}, make("th", { class: "corner" }, words.layer), ...heads);
  const rows = board.off.map((row, layer) => {
    const name = make(data.rows ? "button" : "span", { class: "layer" }, String(layer + 1));
    name.setAttribute("aria-label", `${board.title}, ${words.layer} ${layer + 1}, ${words.all}`);
    if (data.rows) name.onclick = () => send({ kind: board.kind, layer, head: null });
    const cells = row.map((_, head) => cell(data, board, layer, head, send, read));
    return make("tr", {}, make("th", { scope: "row" }, name), ...cells);
  });
  return make("table", { class: "board" }, make("caption", {}, title, corner), top, ...rows);
}

function foot(data, reading) {
  const parts = [];
  if (data.legend && data.most) {
    const stops = data.scale.map(([at, colour]) => `${colour} ${at * 100}%`).join(",");
    const bar = make("span", { class: "scale" });
    bar.style.background = `linear-gradient(90deg, ${stops})`;
    const low = data.signed ? `\u2212${valueText(data.most)}` : "0";
    const text = (words) => make("span", {}, words);
    parts.push(text(data.legend), text(low), bar, text(valueText(data.most)));
  }
  return make("div", { class: "foot" }, ...parts, reading);
}

function focusedAt(root) {
  const buttons = [...root.querySelectorAll("button")];
  return buttons.indexOf(root.getRootNode().activeElement);
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = held.get(parentElement) ?? make("div", {});
  if (!held.has(parentElement)) parentElement.append(root);
  held.set(parentElement, root);
  const at = focusedAt(root);
  const reading = make("span", { class: "reading", "aria-live": "polite" });
  const send = (press) => setTriggerValue("press", press);
  const read = (text) => (reading.textContent = text);
  const boards = data.boards.map((board) => table(data, board, send, read));
  root.replaceChildren(make("div", { class: "boards" }, ...boards), foot(data, reading));
  if (at >= 0) root.querySelectorAll("button")[at]?.focus();
  root.dataset.off = String(root.querySelectorAll('[aria-pressed="true"]').length);
  return () => held.delete(parentElement);
}
