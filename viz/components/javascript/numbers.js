/** A number with a true minus sign; zero never has a sign. */
export function number(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** A whole number with a comma at the thousands, as the numbers that Python writes. */
export function thousands(value) {
  return value.toLocaleString("en");
}

/** A share in per cent, with one digit. */
export function percent(share) {
  return `${(100 * share).toFixed(1)}%`;
}

/** The same, but a share that would round to zero gets more digits, down to 0.001. */
export function finePercent(share) {
  const value = 100 * share;
  if (value === 0 || value >= 0.05) return percent(share);
  return value < 0.0005 ? "<\u00a00.001%" : `${value.toFixed(value < 0.005 ? 3 : 2)}%`;
}
