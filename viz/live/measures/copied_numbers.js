const TIME = /[0-9]{1,2}(?::[0-9]{2}|(?:[.][0-9]{2})?(?= ?[ap][.]?m)| ?h(?![a-z])(?: ?[0-9]{2})?)/gi;
const NUMBER = /[0-9]+(?:[.,][0-9]+)*s?/g;
const WRITTEN = /[0-9]+(?:[.,' ][0-9]+)*/g;
const ZERO_CENTS = /[.,]0?0$|(?<=[.,][0-9])0$/;
const SCALE = /hundred|thousand|illion|illiard|mill|cent|[百千万亿]/;
const FEWEST = 3;

/**
 * Find a number that differs between a sentence and its translation; see
 * viz/compute/copied_numbers.py.
 * @param {string} sentence The sentence.
 * @param {string} translation Its translation.
 * @returns {[string, string] | null} Both numbers, as they are written.
 */
export function wrongNumber(sentence, translation) {
  const [source, target] = [sentence, translation].map((text) => text.normalize("NFKC").replace(TIME, ";"));
  const scaled = SCALE.test(`${source} ${target}`.toLowerCase());
  const numbers = source.match(NUMBER) ?? [];
  const written = target.match(WRITTEN) ?? [];
  const known = new Set(numbers.flatMap((number) => formsOf(number, scaled)));
  const there = new Set(written.flatMap((number) => formsOf(number, scaled)));
  const strange = written.filter((number) => !has(known, number, scaled));
  for (const number of numbers) {
    const digits = digitsOf(number);
    if (digits.length < FEWEST || has(there, number, scaled)) continue;
    const others = strange.filter((one) => mayStandFor(digits, digitsOf(one)));
    const nearer = (near, one) => (compare(nearness(digits, one), nearness(digits, near)) > 0 ? one : near);
    if (others.length) return [number.replace(/s$/, ""), others.reduce(nearer)];
  }
  return null;
}

function digitsOf(number) {
  return number.replace(/[^0-9]/g, "");
}

function wholeForms(number, scaled) {
  const forms = [digitsOf(number), digitsOf(number.replace(ZERO_CENTS, ""))];
  if (number.endsWith("s")) forms.push(number.match(/[0-9]+/g).at(-1).slice(-2));
  return scaled ? [...forms, ...forms.map(withoutZeros)] : forms;
}

function formsOf(number, scaled) {
  const groups = number.match(/[0-9]+/g);
  const runs = groups.flatMap((_, at) => groups.slice(at).map((_group, more) => groups.slice(at, at + more + 1).join("")));
  return [...wholeForms(number, scaled), ...runs, ...(scaled ? runs.map(withoutZeros) : [])];
}

function has(forms, number, scaled) {
  return wholeForms(number, scaled).some((form) => forms.has(form)) || number.match(/[0-9]+/g).every((group) => forms.has(group));
}

function withoutZeros(digits) {
  return digits.replace(/0+$/, "");
}

function mayStandFor(digits, other) {
  return other.length >= FEWEST || (other.length > 1 && other[0] === digits[0]);
}

function nearness(digits, number) {
  const other = digitsOf(number);
  let alike = digits.length;
  while (!other.startsWith(digits.slice(0, alike))) alike--;
  return [alike, -Math.abs(other.length - digits.length)];
}

function compare([one, two], [first, second]) {
  return one - first || two - second;
}
