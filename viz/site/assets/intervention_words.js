/**
 * A description of an intervention (viz/live/interventions/message.js) in the language of the page, as
 * viz/shell/intervention_words.py says it in the app. `words` has the texts of all descriptions by
 * their English, and the names of kinds and sublayers.
 */
export function saidMessage(words, { text, values }) {
  const form = words.changes[text] ?? text; // messages of values alone are in no catalogue
  return form.replace(/\{(\w+)(?::([^}]*))?\}/g, (_whole, name, format) => {
    return saidValue(words, name, values[name], format);
  });
}

function saidValue(words, name, value, format) {
  if (value?.text !== undefined) return saidMessage(words, value);
  if (name === "kind" || name === "stack") return words.kinds[value];
  if (name === "sublayer") return words.sublayers[value];
  if (name === "head") return `${words.kinds[value[0]]} ${value[1] + 1}.${value[2] + 1}`;
  if (name === "word") return [...value].join("").replaceAll("\u2581", "·").replace(/^·+|·+$/g, "");
  if (format === "+d") return value < 0 ? String(value) : `+${value}`;
  return format === "g" ? general(value) : String(value);
}

/** A number with six digits at most, as Python's format "g" writes one below a million. */
function general(value) {
  const rounded = Number(value.toPrecision(6));
  if (rounded && Math.abs(rounded) < 1e-4) return rounded.toExponential().replace(/e-(\d)$/, "e-0$1");
  return Object.is(rounded, -0) ? "-0" : String(rounded);
}
