/** Draw the chips anew; a token goes in as text, never as markup. */
export default function ({ data, parentElement, setTriggerValue }) {
  const row = parentElement.querySelector(".row") ?? document.createElement("div");
  row.className = "row";
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", data.label);
  row.style.setProperty("--chosen", data.colour);
  const label = document.createElement("span");
  label.className = "label";
  label.textContent = data.label;
  const focused = row.getRootNode().activeElement?.dataset?.position;
  const chips = data.tokens.map((token, position) => {
    const chip = document.createElement("button");
    chip.type = "button";
    chip.className = data.special[position] ? "chip special" : "chip";
    chip.dataset.position = position;
    chip.setAttribute("aria-pressed", String(position === data.chosen));
    chip.textContent = token;
    chip.onclick = () => setTriggerValue("position", position);
    return chip;
  });
  row.replaceChildren(label, ...chips);
  row.dataset.chosen = data.chosen;
  if (!row.isConnected) parentElement.append(row);
  if (focused !== undefined) chips[Number(focused)]?.focus();
}
