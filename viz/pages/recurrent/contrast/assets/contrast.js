import "./contrast.css";
import { make, makeSvg, setVariables } from "../../../../components/javascript/dom.js";
import { atEnd, kept, mount } from "../../../../components/javascript/mount.js";
import { currentColours } from "../../../../components/javascript/palette.js";

/* Models below each other: the sentence above, its translation below, and the way between them. */

const STRIP = 14; // the height of the one vector's strip, as in CSS

function words(texts, kind, language) {
  const spans = texts.map(([text, marked]) => make(marked ? "mark" : "span", {}, text));
  return make("div", { class: `words ${kind}`, lang: language }, ...spans);
}

function score({ score: value, share, trained }) {
  if (value === null) return make("div", { class: "score" }, trained);
  const bar = make("span", { class: "bar" }, make("i", { style: `width: ${100 * share}%` }));
  return make("div", { class: "score" }, bar, make("strong", {}, value), make("span", {}, "BLEU"), make("span", { class: "trained" }, trained));
}

function card(way, language) {
  const between = make("div", { class: "between" });
  const read = words(way.read.map((text) => [text, false]), "read", null);
  const written = words(way.written, "written", language);
  const strip = way.vector ? make("img", { class: "vector", src: way.vector, alt: "" }) : null;
  const lines = make("div", { class: "way" }, read, between, written, strip);
  const picture = make("div", { class: "picture", tabindex: "0", role: "img", "aria-label": way.label }, lines);
  const about = make("div", { class: "about" }, make("h2", {}, way.title), make("p", {}, way.said), score(way));
  return { way, between, read, written, strip, picture, node: make("section", { class: "card" }, about, picture) };
}

/** The middle of each word of a line, from the left edge of the picture. */
function middles(line) {
  return [...line.children].map((word) => word.offsetLeft + word.offsetWidth / 2);
}

function curve(from, top, to, bottom, weight, row, end = false) {
  const half = (top + bottom) / 2;
  const d = `M${from} ${top}C${from} ${half} ${to} ${half} ${to} ${bottom}`;
  return makeSvg("path", { d, class: end && "end", "stroke-width": 1 + 5 * weight, "stroke-opacity": Math.min(1, 0.12 + weight), "data-row": row });
}

/** Redraw the lines between the words' current places. */
function draw({ way, between, read, written, strip, picture }) {
  const [above, below] = [middles(read), middles(written)];
  const wide = Math.max(read.scrollWidth, written.scrollWidth);
  const high = between.clientHeight;
  const svg = makeSvg("svg", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}` });
  if (way.vector) {
    const [top, bottom] = [(high - STRIP) / 2, (high + STRIP) / 2];
    const middle = Math.min(wide, picture.clientWidth) / 2; // in the visible part of a long sentence
    const inside = (at) => middle + ((at - wide / 2) / wide) * 0.44 * middle; // within the strip
    Object.assign(strip.style, { left: `${0.76 * middle}px`, width: `${0.48 * middle}px` });
    svg.append(...above.map((at) => curve(at, 0, inside(at), top, 0.3, -1)));
    svg.append(...below.map((at, row) => curve(inside(at), bottom, at, high, 0.3, row)));
  } else {
    svg.append(...way.lines.map(([row, column, weight]) =>
      curve(above[column], 0, below[row], high, weight, row, way.ends.includes(column))));
  }
  between.replaceChildren(svg);
}

/** While the pointer is on a written word, only this word's lines are strong. */
function follow({ between, written }) {
  const show = (row) => {
    between.classList.toggle("one", row !== null);
    for (const path of between.querySelectorAll("path")) path.classList.toggle("own", Number(path.dataset.row) === row);
  };
  [...written.children].forEach((word, row) => {
    word.addEventListener("mouseenter", () => show(row));
    word.addEventListener("mouseleave", () => show(null));
  });
}

/** Mark the sides at which a picture goes on, and say so below; pictures that scroll go together. */
function showEdges(cards, note) {
  const room = ({ picture }) => picture.scrollWidth - picture.clientWidth;
  for (const { picture } of cards) {
    const [left, right] = [picture.scrollLeft > 1, picture.scrollLeft < room({ picture }) - 1];
    picture.dataset.more = [left && "left", right && "right"].filter(Boolean).join(" ");
  }
  note.hidden = !cards.some(({ picture }) => picture.dataset.more);
  return ({ picture: moved }) => {
    const share = moved.scrollLeft / Math.max(1, room({ picture: moved }));
    for (const { picture } of cards) {
      const place = share * room({ picture });
      if (picture !== moved && Math.abs(picture.scrollLeft - place) > 1) picture.scrollLeft = place;
    }
  };
}

export function render({ data, parentElement }) {
  const root = kept(parentElement, () => make("div", { class: "contrast" }));
  const cards = data.ways.map((way) => card(way, data.language));
  const note = make("span", { class: "goes-on" }, data.more);
  root.replaceChildren(...cards.map(({ node }) => node), make("p", { class: "marks" }, data.marks, " ", note));
  mount(parentElement, root);
  const { query, key } = currentColours(root, data.palette);
  setVariables(root, { query, key });
  cards.forEach(follow);
  const sizes = new ResizeObserver(() => {
    cards.forEach(draw);
    showEdges(cards, note);
  });
  for (const one of cards) one.picture.addEventListener("scroll", () => showEdges(cards, note)(one));
  cards.forEach(({ read, written }) => [read, written].forEach((line) => sizes.observe(line)));
  return atEnd(parentElement, () => sizes.disconnect());
}
