import "./architecture.css";
import { makeSvg, setVariables } from "../../../../components/javascript/dom.js";
import { mount } from "../../../../components/javascript/mount.js";

function arrowHead(id, colour) {
  const shape = makeSvg("path", { d: "M0 0L8 4L0 8z", fill: colour });
  const size = { refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse" };
  return makeSvg("marker", { id, orient: "auto", ...size }, shape);
}

function boxOf(box, data, pick) {
  const x = data.left[box.stack];
  const middle = box.y + box.height / 2;
  const chosen = box.site === data.chosen && !box.closed;
  const press = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick(box.site);
  };
  return makeSvg(
    "g",
    {
      class: chosen ? "box chosen" : "box",
      style: `--kind: ${data.colours[box.kind]}`,
      role: "button",
      tabindex: 0,
      "aria-pressed": String(chosen),
      "aria-label": `${box.title}, ${box.shape}`,
      "data-site": box.site,
      "data-closed": String(box.closed),
      click: () => pick(box.site),
      keydown: press,
    },
    makeSvg("rect", { x, y: box.y, width: data.boxWidth, height: box.height, rx: 5 }),
    makeSvg("text", { x: x + 9, y: middle }, box.title),
    makeSvg("text", { x: x + data.boxWidth - 9, y: middle, class: "shape" }, box.shape),
  );
}

/** Scroll a drawing that is wider than its place until the chosen box is in view. */
function reveal(svg) {
  const frame = svg.parentElement ?? svg.getRootNode().host;
  const pull = () => {
    const chosen = svg.querySelector(".chosen")?.getBoundingClientRect();
    const seen = frame.getBoundingClientRect();
    if (!chosen || (chosen.left >= seen.left && chosen.right <= seen.right)) return;
    frame.scrollLeft += (chosen.left + chosen.right - seen.left - seen.right) / 2;
  };
  // The page is drawn part by part, so the place gets its width a little later.
  const observer = new ResizeObserver(() => (svg.isConnected ? pull() : observer.disconnect()));
  observer.observe(frame);
}

/** Draw the architecture anew each time, and keep the focus on its box. */
export function render({ data, parentElement, setTriggerValue }) {
  const focused = parentElement.activeElement?.dataset?.site;
  const size = { width: data.width, height: data.height, viewBox: `0 0 ${data.width} ${data.height}` };
  const svg = makeSvg("svg", { ...size, role: "group", "aria-label": data.label });
  setVariables(svg, { memory: data.colours.cross });
  const heads = makeSvg("defs", {}, arrowHead("head", "currentColor"), arrowHead("memory", data.colours.cross));
  svg.append(heads);
  for (const [stack, y, height, label] of data.frames) {
    const x = data.left[stack] - 8;
    svg.append(makeSvg("rect", { class: "frame", x, y, width: data.boxWidth + 23, height, rx: 8 }));
    svg.append(makeSvg("text", { x: x + 9, y: y + 12 }, label));
  }
  for (const [kind, d] of data.lines) {
    const marker = kind === "memory" ? "url(#memory)" : "url(#head)";
    svg.append(makeSvg("path", { class: `line ${kind}`, d, "marker-end": marker }));
  }
  for (const [stack, name] of Object.entries(data.stacks)) {
    const top = Math.min(...data.boxes.filter((box) => box.stack === stack).map((box) => box.y));
    svg.append(makeSvg("text", { class: "stack-name", x: data.left[stack], y: top - 14 }, name));
  }
  const pick = (site) => setTriggerValue("site", site);
  svg.append(...data.boxes.map((box) => boxOf(box, data, pick)));
  svg.dataset.chosen = data.chosen;
  mount(parentElement, svg);
  reveal(svg);
  if (focused) svg.querySelector(`[data-site="${CSS.escape(focused)}"]`)?.focus();
}
