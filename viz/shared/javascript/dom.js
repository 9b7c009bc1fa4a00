/** Make an element. Strings become text nodes, never markup: a token from a link is a stranger's. */
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Replace {name} in a sentence. */
function fillIn(sentence, values = {}) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? String(values[name]) : whole,
  );
}

/** A row of buttons of which one is on. Returns the node and a function that shows which. */
function segmented(label, options, pick) {
  const buttons = options.map(([value, text, title]) =>
    make("button", { type: "button", "data-value": value, title, click: () => pick(value) }, text),
  );
  const node = make("div", { class: "segmented", role: "group", "aria-label": label }, ...buttons);
  const show = (current) => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.value === current));
    }
  };
  return { node, show };
}

/** A button that opens a panel under itself; Esc, a click elsewhere or the button close it. */
function dropdown(label, className, ...content) {
  const panel = make("div", { class: "panel", role: "group", "aria-label": label }, ...content);
  panel.hidden = true;
  const button = make(
    "button",
    { type: "button", class: "opener", "aria-label": label, "aria-expanded": "false" },
    make("span", { class: "opener-label" }, label),
    make("span", { class: "caret", "aria-hidden": "true" }, "▾"),
  );
  const node = make("div", { class: `dropdown ${className}` }, button, panel);
  const open = (wanted) => {
    panel.hidden = !wanted;
    button.setAttribute("aria-expanded", String(wanted));
    if (!wanted) return;
    panel.style.left = "0";
    const over = panel.getBoundingClientRect().right - node.parentElement.getBoundingClientRect().right;
    panel.style.left = `${-Math.max(0, over)}px`;
  };
  button.addEventListener("click", () => open(panel.hidden));
  node.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !node.contains(event.relatedTarget)) open(false);
  });
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden) return;
    event.stopPropagation();
    open(false);
    button.focus();
  });
  const closeIfOutside = (event) => {
    if (!event.composedPath().includes(node)) open(false);
  };
  return { node, button, panel, open, closeIfOutside };
}

/** Give a canvas its size in CSS pixels, sharp on this screen; returns its context, cleared. */
function sized(canvas, width, height) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const wide = Math.max(1, Math.round(width * ratio));
  const high = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    if (canvas.style) {
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
