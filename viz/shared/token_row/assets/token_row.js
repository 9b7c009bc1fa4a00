/** Black or white, whichever can be read on a colour written #rrggbb. */
function inkOn(colour) {
  const linear = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return light > 0.18 ? "#000" : "#fff";
}

/** Draw the chips anew; a token goes in as text, never as markup. */
export default function ({ data, parentElement, setTriggerValue }) {
  const row = parentElement.querySelector(".row") ?? document.createElement("div");
  row.className = "row";
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", data.label);
  row.style.setProperty("--chosen", data.colour);
  row.style.setProperty("--ink", inkOn(data.colour));
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
