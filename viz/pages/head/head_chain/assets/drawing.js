/** Make an element. Strings become text nodes, never markup: a token from a link is a stranger's. */
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node[name] = value;
    else if (value !== null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Replace {name} in a sentence. */
function fillIn(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

function number(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

function channels(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** A colour of a scale [[position, #colour], ...] at a position from 0 to 1, as three bytes. */
function colourAt(scale, position) {
  const at = Math.min(1, Math.max(0, position));
  const above = Math.max(1, scale.findIndex(([stop]) => stop >= at));
  const [[low, from], [high, to]] = [scale[above - 1], scale[above]];
  const share = (at - low) / (high - low);
  const [a, b] = [channels(from), channels(to)];
  return a.map((value, i) => Math.round(value + (b[i] - value) * share));
}

/** The colour of a signed value, full at `most`, as CSS; faded where text stands on it. */
function signed(colours, value, most, strength = 1) {
  const position = 0.5 + (most ? (value / most / 2) * strength : 0);
  return `rgb(${colourAt(colours.diverging, position).join(" ")})`;
}

/**
 * A matrix {values, shape, most} as a picture, one pixel a number: CSS makes it larger. Its name
 * and rows are told under the pointer.
 */
function picture(array, colours, { name, rows, faded, tip }) {
  const columns = array.shape.at(-1);
  const height = array.values.length / columns;
  const canvas = make("canvas", { class: "matrix", width: columns, height });
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, height);
  const table = Array.from({ length: 256 }, (_, at) => colourAt(colours.diverging, at / 255));
  array.values.forEach((value, at) => {
    const level = array.most ? Math.round((value / array.most + 1) * 127.5) : 128;
    image.data.set(table[level], at * 4);
    image.data[at * 4 + 3] = faded?.(Math.floor(at / columns)) ? 70 : 255;
  });
  context.putImageData(image, 0, 0);
  canvas.onmousemove = (event) => {
    const column = Math.min(columns - 1, Math.floor((event.offsetX / canvas.clientWidth) * columns));
    const row = Math.min(height - 1, Math.floor((event.offsetY / canvas.clientHeight) * height));
    const value = number(array.values[row * columns + column], 3);
    const place = height > 1 ? `${row + 1}, ${column + 1}` : `${column + 1}`;
    const who = rows ? ` · ${rows[row]}` : "";
    tip(event, `${name}[${place}] = ${value}${who}`);
  };
  canvas.onmouseleave = () => tip(null);
  return canvas;
}

function colour(root, colours) {
  for (const [name, value] of Object.entries(colours)) {
    if (typeof value === "string") root.style.setProperty(`--${name}`, value);
  }
}
