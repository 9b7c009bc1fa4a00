const LEAST = 0.05; // the least weight for which a second or third key is named

/**
 * The finding of a head's page as parts [text, is bold], in the same words and numbers as the app's
 * (viz/pages/head/chain_view.py).
 */
export function headFinding(texts, { weights, queries, keys, query, place, mixes, isOther, isOff }) {
  const order = [...weights.keys()].sort((one, other) => weights[other] - weights[one] || one - other);
  const most = order.slice(0, 3).filter((at) => at === order[0] || weights[at] >= LEAST);
  const name = (at) => quotedPiece(keys[at]) + (keys.filter((key) => key === keys[at]).length > 1 ? ` (${at + 1})` : "");
  const takes = most.flatMap((at, number) => [
    ...(number ? [[texts.comma, false]] : []),
    ...filledParts(texts.weight, { weight: weights[at].toFixed(2), key: name(at) }),
  ]);
  const isWhole = most.length === keys.length;
  const writes = place.kind === "encoder" ? "" : (queries[query + 1] ?? texts.end);
  const said = most.reduce((sum, at) => sum + Number(weights[at].toFixed(2)), 0);
  const sum = weights.reduce((whole, weight) => whole + weight, 0);
  const values = { query: quotedPiece(writes || queries[query]), takes, rest: Math.max(0, sum - said).toFixed(2) };
  const finding = filledParts(texts[(writes ? "writes" : "takes") + (isWhole ? "Whole" : "")], values);
  if (isOther) return filledParts(texts.yours, { finding });
  if (isOff) return filledParts(texts.idle, { finding });
  return mixes ? filledParts(texts.mixes, { finding }) : finding;
}

/** A text with values in place of the names in braces, in parts; a value may itself be parts. */
export function filledParts(text, values) {
  return text.split("**").flatMap((own, at) => {
    const isBold = at % 2 === 1;
    return own.split(/(\{\w+\})/).filter(Boolean).flatMap((part) => {
      const value = /^\{\w+\}$/.test(part) ? values[part.slice(1, -1)] : part;
      return Array.isArray(value) ? value : [[value, isBold]];
    });
  });
}

function quotedPiece(piece) {
  return `“${piece.replace(/^·+|·+$/g, "") || "␣"}”`;
}
