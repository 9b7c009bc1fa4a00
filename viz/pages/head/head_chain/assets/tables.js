const MOUNTED = new WeakMap();

/** The products of the key that is chosen in the chain, number by number, and its share of z. */
export default function ({ parentElement }) {
  MOUNTED.get(parentElement)?.();
  const root = make("div", { class: "lens", "aria-live": "polite" });
  parentElement.querySelector(".lens")?.remove();
  parentElement.append(root);
  const forget = told(() => {
    const { s, at } = window.headChain;
    colour(root, s.colours);
    root.replaceChildren(...magnifier(s, at));
    root.dataset.key = at;
  });
  MOUNTED.set(parentElement, forget);
  return forget;
}
