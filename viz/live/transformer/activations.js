/** The functions between the two maps of a feed-forward network, by the names in config.json. */
export const ACTIVATIONS = {
  relu: (x) => (x > 0 ? x : 0),
  swish: (x) => x / (1 + Math.exp(-x)),
  gelu: (x) => (x / 2) * (1 + erf(x * Math.SQRT1_2)),
  none: (x) => x,
};

/** The error function to 1.5e-7 (Abramowitz and Stegun 1964, 7.1.26). */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}
