import "./architecture.css";
import { make, makeSvg, setText, setVariables } from "../../../../components/javascript/dom.js";
import { inflateMessage } from "../../../../components/javascript/message.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { currentColours } from "../../../../components/javascript/palette.js";
import { drawTensor, tensorOf } from "./tensor.js";

/* The architecture, and one block's output. When played, the sentence goes up block by block. */

const PACE = 450; // milliseconds for a block
const LETTERS = 36; // letters of a line as wide as a frame, in the usual size
const SIZE = 14; // the size of these letters, in pixels; on stage none is smaller than --least

function arrowHead(id, colour) {
  const shape = makeSvg("path", { d: "M0 0L8 4L0 8z", fill: colour });
  const size = { refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse" };
  return makeSvg("marker", { id, orient: "auto", ...size }, shape);
}

/** The heads of an attention block side by side, each cut from the image of all of them. */
function pictures(box, data) {
  const [count, href] = data.heads[box.site] ?? [0, ""];
  const wide = (box.width - 10) / count;
  return Array.from({ length: count }, (_, head) => {
    const image = makeSvg("image", { href, width: count, height: 1, preserveAspectRatio: "none" });
    const frame = { x: box.x + 7 + head * wide, y: box.y + box.height - data.pictureHeight - 1, width: wide - 4, height: data.pictureHeight - 2 };
    return makeSvg("svg", { ...frame, viewBox: `${head} 0 1 1`, preserveAspectRatio: "none", class: "head" }, image, makeSvg("rect", { class: "edge", x: head, y: 0, width: 1, height: 1 }));
  });
}

function isSmall({ width }, data) {
  return width < data.boxWidth / 2 + 1;
}

function boxOf(box, data, pick) {
  const { x, y, width, height } = box;
  const heads = pictures(box, data);
  const middle = y + (heads.length ? height - data.pictureHeight : height) / 2;
  const press = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick(box.site);
  };
  const small = isSmall(box, data);
  const title = makeSvg("text", { x: small ? x + width / 2 : x + 9, y: middle, class: small ? "small" : null }, box.number ?? box.title);
  return makeSvg(
    "g",
    {
      class: "box", style: `--kind: ${data.colours[box.kind]}`, role: "button", tabindex: 0,
      "aria-label": `${box.title}, ${box.shape}`, "data-site": box.site, "data-closed": String(box.closed),
      click: () => pick(box.site), keydown: press,
    },
    makeSvg("rect", { x, y, width, height, rx: 5 }), title,
    small ? null : makeSvg("text", { x: x + width - 9, y: middle, class: "shape" }, box.shape), ...heads,
  );
}

/** Break a text into lines of `most` letters; "…" ends the last line if more text follows. */
function wrapped(text, most, lines) {
  const parts = text.match(/[\u2e80-\uffff]|[^\s\u2e80-\uffff]+\s*/g) ?? [];
  const wide = (part) => (part > "\u2e80" ? 2 : part.trimEnd().length);
  const found = [""];
  let room = most;
  for (const part of parts) {
    if (wide(part) > room && found.at(-1)) {
      found.push("");
      room = most;
    }
    found[found.length - 1] += part;
    room -= part > "\u2e80" ? 2 : part.length;
  }
  const shown = found.slice(0, lines).map((line) => line.trim());
  if (found.length > lines || shown.at(-1).length > most) shown.push(`${shown.pop().slice(0, most - 1).trimEnd()}…`);
  return shown;
}

/** The words that enter a stack below, on one or two lines, and the words that leave it above. */
function ends(data, stack, most) {
  const boxes = data.boxes.filter((box) => box.stack === stack);
  const [top, bottom] = [Math.min(...boxes.map((box) => box.y)), Math.max(...boxes.map((box) => box.y + box.height))];
  const highest = data.boxes.every(({ y }) => y >= top);
  const [enters, leaves] = data.ends[stack];
  const [left, right] = [data.left[stack], data.left[stack] + data.boxWidth];
  const line = (x, y, text, whole, anchor) => makeSvg("text", { x, y, class: "words", "text-anchor": anchor }, text, makeSvg("title", {}, whole));
  const below = wrapped(enters, most, data.wordLines).map((text, at) => line((left + right) / 2, bottom + 12 + 16 * at, text, enters, "middle"));
  const [above] = wrapped(leaves, highest ? Math.floor((most * right) / data.boxWidth) : most, 1);
  const short = above.length <= most;
  return [...below, line(short ? (left + right) / 2 : right, top - 11, above, leaves, short ? "middle" : "end")];
}

/** Scroll a drawing that is wider than its place until the chosen box is in view. */
function reveal(svg) {
  const frame = svg.parentElement;
  const pull = () => {
    const chosen = svg.querySelector(".chosen")?.getBoundingClientRect();
    const seen = frame.getBoundingClientRect();
    if (!chosen || (chosen.left >= seen.left && chosen.right <= seen.right)) return;
    frame.scrollLeft += (chosen.left + chosen.right - seen.left - seen.right) / 2;
  };
  // The page is drawn part by part, so its place gets a width a little later.
  const observer = new ResizeObserver(() => (svg.isConnected ? pull() : observer.disconnect()));
  observer.observe(frame);
}

function svgOf(data, pick, letters) {
  const size = { width: data.width, height: data.height, viewBox: `0 0 ${data.width} ${data.height}` };
  const svg = makeSvg("svg", { ...size, class: "blocks", role: "group", "aria-label": data.words.label });
  setVariables(svg, { memory: data.colours.cross });
  svg.append(makeSvg("defs", {}, arrowHead("head", "currentColor"), arrowHead("memory", data.colours.cross)));
  for (const [kind, d] of data.lines) {
    const marker = kind === "memory" ? "url(#memory)" : "url(#head)";
    svg.append(makeSvg("path", { class: `line ${kind}`, d, "marker-end": marker }));
  }
  for (const [stack, y, height, label] of data.frames) {
    const x = data.left[stack] - 6;
    svg.append(makeSvg("rect", { class: "frame", x, y, width: data.boxWidth + 20, height, rx: 8 }));
    svg.append(makeSvg("text", { x: x + 8, y: y + 7.5, class: "layer" }, label));
  }
  for (const box of data.boxes.filter(({ closed, x, stack }) => closed && x === data.left[stack] + data.name)) {
    svg.append(makeSvg("text", { x: data.left[box.stack] + 4, y: box.y + box.height / 2 }, data.words.layers));
  }
  svg.append(...Object.keys(data.ends).flatMap((stack) => ends(data, stack, letters)));
  svg.append(...data.boxes.map((box) => boxOf(box, data, pick)));
  return svg;
}

/** The size of a block's output, which travels with it; small boxes only have a dot on their edge. */
function packetOf() {
  const node = makeSvg("g", { class: "packet", "aria-hidden": "true" });
  return { node, text: makeSvg("text"), pill: makeSvg("rect", { y: -10, height: 20, rx: 10 }), dot: makeSvg("circle", { r: 6 }) };
}

function carry({ packet, svg, data, at }) {
  const box = data.boxes[at];
  packet.node.style.display = box ? "" : "none";
  svg.querySelector(".lent")?.remove();
  if (!box) return;
  const small = isSmall(box, data);
  const heads = data.heads[box.site] ? data.pictureHeight : 0;
  const [x, y] = small ? [box.x + box.width / 2, box.y] : [box.x + box.width - 9, box.y + (box.height - heads) / 2];
  const wide = 7.4 * box.shape.length + 14;
  packet.text.textContent = box.shape;
  packet.pill.setAttribute("x", String(7 - wide));
  packet.pill.setAttribute("width", String(wide));
  packet.node.replaceChildren(...(small ? [packet.dot] : [packet.pill, packet.text]));
  packet.node.classList.toggle("jumps", packet.stack !== box.stack);
  packet.stack = box.stack;
  packet.node.style.transform = `translate(${x}px, ${y}px)`;
  if (box.site.includes("cross_attn")) lend(svg, data, box);
}

/** Let a dot run along the line from the memory to a block of cross-attention. */
function lend(svg, data, box) {
  const end = `V${box.y + Math.floor(box.height / 2)}H`;
  const [, path] = data.lines.find(([kind, d]) => kind === "memory" && d.includes(end));
  svg.append(makeSvg("circle", { class: "lent", r: 7, style: `offset-path: path("${path}")` }));
}

function create() {
  const view = { at: null, timer: null, sent: null, packet: packetOf() };
  view.play = make("button", { type: "button", class: "play", click: () => toggle(view) });
  view.drawing = make("div", { class: "drawing" });
  view.tensor = tensorOf();
  view.root = make("div", { class: "architecture" }, view.play, view.drawing, view.tensor.node);
  return view;
}

function toggle(view) {
  if (view.timer) stop(view);
  else start(view, view.at ?? 0);
  draw(view);
}

function start(view, from) {
  stop(view);
  view.at = from;
  const step = () => {
    if (view.at === view.data.boxes.length - 1) {
      stop(view);
      view.at = null; // back to the chosen block
    } else view.at += 1;
    draw(view);
  };
  view.timer = setInterval(step, PACE);
}

function stop(view) {
  clearInterval(view.timer);
  view.timer = null;
}

/** Mark the box where the sentence is, or else the chosen box, and draw its output. */
function draw(view) {
  const { data, svg } = view;
  const box = data.boxes[view.at] ?? data.boxes.find(({ site, closed }) => site === view.chosen && !closed) ?? data.boxes[0];
  for (const node of svg.querySelectorAll(".box")) {
    const { site, closed } = node.dataset;
    const chosen = site === view.chosen && closed === "false";
    node.setAttribute("aria-pressed", String(chosen));
    node.classList.toggle("chosen", site === box.site);
  }
  setText(view.play, view.timer ? `❚❚ ${data.words.pause}` : `▶ ${data.words.play}`);
  view.colours = currentColours(view.root, data.palette, view.colours);
  setVariables(svg, { key: view.colours.key });
  carry(view);
  drawTensor(view.tensor, box, view.arrays[box.site], data, view.colours);
  Object.assign(view.root.dataset, { playing: String(Boolean(view.timer)), shown: box.site });
}

function take(view, data, arrays, send) {
  const focused = view.svg?.getRootNode().activeElement?.dataset?.site;
  if (view.data && view.chosen !== data.chosen) { // the answer to the reader's own press stops nothing
    stop(view);
    view.at = null;
  }
  Object.assign(view, { data, arrays, chosen: data.chosen });
  view.at = view.at === null || view.at >= data.boxes.length ? null : view.at;
  const pick = (site) => {
    stop(view);
    view.at = null;
    if (data.boxes.some((box) => box.site === site && !box.closed)) view.chosen = site; // at once
    draw(view);
    send(site);
  };
  const least = Number.parseFloat(getComputedStyle(view.root).getPropertyValue("--least")) || SIZE;
  view.svg = svgOf(data, pick, Math.floor((LETTERS * SIZE) / Math.max(SIZE, least)));
  view.svg.dataset.chosen = data.chosen;
  view.svg.append(view.packet.node);
  view.drawing.replaceChildren(view.svg);
  setVariables(view.root, { most: String(Math.max(...Object.values(data.tokens).map((tokens) => tokens.length))) });
  if (focused) view.svg.querySelector(`[data-site="${CSS.escape(focused)}"]`)?.focus();
}

export function render({ data, parentElement, setTriggerValue }) {
  const view = kept(parentElement, create);
  if (view.data) draw(view);
  if (view.sent !== data.tensors + data.chosen) {
    view.sent = data.tensors + data.chosen;
    const bytes = Uint8Array.from(atob(data.tensors), (letter) => letter.charCodeAt(0));
    inflateMessage(bytes).then(({ arrays }) => {
      mount(parentElement, view.root);
      take(view, data, arrays, (site) => setTriggerValue("site", site));
      draw(view);
      reveal(view.svg);
    });
  }
  return atEnd(parentElement, () => stop(view));
}
