/** Make an element. Strings become text nodes, never markup, as a token may come from a stranger's link. */
export function make(tag, attributes = {}, ...children) {
  return built(document.createElement(tag), attributes, children);
}

/** Make an element of an SVG in the same way. */
export function makeSvg(tag, attributes = {}, ...children) {
  return built(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** Set attributes and children. Functions become listeners; null, undefined and false are left out. */
function built(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Set CSS variables, mostly colours: `text` as `--text`. Values that are not strings are left out. */
export function setVariables(node, values) {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string") node.style.setProperty(`--${name}`, value);
  }
}

/** Give a node these children, unless its own are equal: a press on them may have begun. */
export function setChildren(node, children) {
  const own = [...node.childNodes];
  const same = own.length === children.length && own.every((child, at) => child.isEqualNode(children[at]));
  if (!same) node.replaceChildren(...children);
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Fill values into the {names} of a sentence; unknown names stay. */
export function fillIn(sentence, values = {}) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? String(values[name]) : whole,
  );
}

/** The space between a sentence and the next: none after Chinese marks, which have their own room. */
export function spaceAfter(text) {
  return /[。！？；：）」]$/.test(text) ? "" : " ";
}

/** Join the sentences that are not empty: see viz/language/wording.py. */
export function inARow(sentences) {
  return sentences.filter(Boolean).reduce((all, next) => `${all}${spaceAfter(all)}${next}`, "").trimStart();
}
