const mounted = new WeakMap();
const ADDRESS_PAUSE = 120; // milliseconds after the last change

/** Streamlit calls this for every message, theme change and small rerun; it must not pile up. */
function render({ data, parentElement }) {
  let app = mounted.get(parentElement);
  if (!app) {
    app = createApp(parentElement, pageAddress());
    mounted.set(parentElement, app);
  }
  app.receive(data);
  return () => {
    app.leave();
    mounted.delete(parentElement);
  };
}

/** The same explorer in a file of its own; the address after # holds the view. */
function standalone(host, base64, parameters) {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  return createApp(host, fileAddress(parameters)).receive(bytes);
}

/** The address bar of the app. The view of the last visit to the page is kept in this tab. */
function pageAddress() {
  const read = () => new URLSearchParams(window.location.search);
  const write = (state, header) => {
    const url = new URL(window.location.href);
    if (!url.searchParams.get("sentence")) url.searchParams.set("sentence", header.sentence);
    writeParameters(state, url.searchParams);
    if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
    window.headlightExplorerState = state;
  };
  return { read, write, kept: () => window.headlightExplorerState ?? null };
}

function fileAddress(parameters) {
  const read = () => new URLSearchParams(window.location.hash.slice(1) || parameters);
  const write = (state) => {
    const written = new URLSearchParams();
    writeParameters(state, written);
    window.history.replaceState(null, "", `#${written}`);
  };
  return { read, write, kept: () => null };
}

function createApp(parent, address) {
  const root = make("div", { class: "explorer" });
  parent.append(make("style", {}, STYLE), root);
  const app = { root, payload: null, state: null, hovered: null, faintest: FAINTEST };
  let bytes = null;
  let parts = null;
  let pending = null; // what the next frame has to draw: "hover" or "all"
  let count = 0;
  let writing = 0;

  app.say = (name, values) => fillIn(app.payload.header.words[name] ?? name, values);
  // A browser takes a hundred changes of the address in half a minute and then refuses.
  const writeAddress = () => {
    clearTimeout(writing);
    address.write(app.state, app.payload.header);
  };
  app.link = () => {
    writeAddress();
    return window.location.href;
  };
  app.set = (change) => {
    app.state = settled({ ...app.state, ...change }, app.payload);
    clearTimeout(writing);
    writing = setTimeout(writeAddress, ADDRESS_PAUSE);
    schedule("all");
  };
  app.hover = (target) => {
    if (JSON.stringify(target) === JSON.stringify(app.hovered)) return;
    app.hovered = target;
    schedule("hover");
  };
  app.help = () => parts.help.open();

  const schedule = (what) => {
    if (pending === null) requestAnimationFrame(draw);
    pending = what === "all" || pending === "all" ? "all" : "hover";
  };
  const draw = () => {
    const what = pending;
    pending = null;
    if (!parts || what === null) return;
    if (what === "all") drawAll();
    else parts.picture.hover();
    parts.side.show();
    root.dataset.painted = String(++count);
    root.dataset.hovered = JSON.stringify(app.hovered);
  };
  const drawAll = () => {
    const colours = currentColours(root, app.payload.header.colours, app.colours);
    if (colours !== app.painted) applyColours(root, colours);
    app.colours = app.painted = colours;
    app.width = parts.picture.frame.clientWidth;
    app.height = Math.max(460, Math.min(760, window.innerHeight - 240));
    prepare(app);
    for (const part of [parts.toolbar, parts.aids, parts.picture]) part.show();
    writeData(app);
  };

  const build = () => {
    parts = { ...controls(app), picture: picture(app), side: sidePanel(app), help: helpDialog(app) };
    root.replaceChildren(
      translationLine(app), parts.bar, parts.notice.node,
      make("div", { class: "stage" }, parts.picture.node, parts.side.node),
      parts.help.node,
    );
    sizes.observe(root);
  };
  const firstState = (payload) => {
    const start = settled(address.kept() ?? defaultState(payload.header), payload);
    const fresh = settled(defaultState(payload.header), payload);
    const parameters = address.read();
    const linked = Object.keys(READERS).some((name) => parameters.has(name));
    const { state, malformed } = readParameters(parameters, payload, linked ? fresh : start);
    return { state, malformed };
  };
  app.receive = async (data) => {
    if (data === bytes) return schedule("all");
    bytes = data;
    const payload = await readPayload(data);
    if (data !== bytes) return;
    const other = app.payload && app.payload.header.id !== payload.header.id;
    const first = app.payload === null;
    app.payload = payload;
    app.hovered = null;
    if (first) {
      app.colours = currentColours(root, payload.header.colours);
      const { state, malformed } = firstState(payload);
      app.state = state;
      build();
      parts.notice.show(malformed);
    } else {
      root.firstChild.replaceWith(translationLine(app));
      app.state = settled(other ? { ...app.state, locks: [] } : app.state, payload);
    }
    address.write(app.state, payload.header);
    pending = "all";
    draw(); // at once: waiting for a frame would cost one
  };

  const sizes = new ResizeObserver(() => {
    if (root.isConnected && parts.picture.frame.clientWidth !== app.width) schedule("all");
  });
  const closePanels = (event) => parts && parts.drops.forEach((drop) => drop.closeIfOutside(event));
  window.addEventListener("pointerdown", closePanels, true);
  const forgetKeys = keyboard(app);
  app.leave = () => {
    clearTimeout(writing);
    sizes.disconnect();
    forgetKeys();
    window.removeEventListener("pointerdown", closePanels, true);
  };
  return app;
}

function translationLine(app) {
  const { translation } = app.payload.header;
  return make(
    "p", { class: "translation" },
    make("span", { class: "by" }, app.say("translation")), " ",
    make("span", { lang: "fr" }, translation || app.say("empty")),
  );
}

/** The row of controls and the notice under it. */
function controls(app) {
  const bar = toolbar(app);
  const aids = readingAids(app);
  const share = sharePanel(app);
  bar.node.append(aids.node, share.node);
  const dismiss = make(
    "button", { type: "button", class: "plain", click: () => (notice.hidden = true) }, app.say("close"),
  );
  const text = make("span", {}, "");
  const notice = make("div", { class: "notice", role: "alert" }, text, dismiss);
  notice.hidden = true;
  const show = (wanted) => {
    notice.hidden = !wanted;
    setText(text, wanted ? app.say("malformed") : "");
  };
  return { bar: bar.node, toolbar: bar, aids, drops: [aids, share], notice: { node: notice, show } };
}

/** Work out once per change what all views show. */
function prepare(app) {
  const { payload, state } = app;
  app.sides = sidesOf(payload, state, state.kind);
  app.rows = app.sides.queries.length;
  app.columns = app.sides.keys.length;
  app.series = seriesOf(payload, state);
  app.mean = shownMean(payload, state);
  const { heads } = placeOf(state);
  app.meanHead = heads.length === 1 ? heads[0] : null;
  const over = app.hovered;
  const fits = over && (over.side === undefined
    ? state.view !== "lines" && (over.row === undefined) === (state.view === "grid")
    : state.view === "lines" && over.index < (over.side === "q" ? app.rows : app.columns));
  if (!fits || over.row >= app.rows || over.column >= app.columns) app.hovered = null;
}

function applyColours(root, colours) {
  const names = { text: "text", muted: "muted", border: "border", panel: "panel", query: "query",
    key: "key", background: "background" };
  for (const [name, key] of Object.entries(names)) root.style.setProperty(`--${name}`, colours[key]);
  root.classList.toggle("dark", colours.dark);
}

/** What is on screen as data attributes, for tests and for style. */
function writeData(app) {
  const { layer, heads } = placeOf(app.state);
  const { dataset } = app.root;
  dataset.kind = app.state.kind;
  dataset.view = app.state.view;
  dataset.layer = String(layer + 1);
  dataset.heads = heads.map((head) => head + 1).join("-");
  dataset.locks = app.state.locks.map(({ side, index }) => `${side}${index + 1}`).join("-");
  dataset.recording = app.payload.header.id;
}
