import { KINDS, STACKS } from "../sites/sites.js";

const MOST_HEADS = 32;
export const MOST_PIECES = 256;

/**
 * One value of an intervention as text in a link; `read` throws an Error for any other text.
 * @typedef {{ read: (text: string) => any, write: (value: any) => string }} Field
 */

/**
 * Return the value of a name.
 * @param {Record<string, any>} names Values by name.
 * @param {string} name One of the names.
 * @returns {any} Its value.
 */
export function oneOf(names, name) {
  if (!Object.hasOwn(names, name)) throw new Error(`${name} is none of ${Object.keys(names).join(", ")}`);
  return names[name];
}

/**
 * Cut a text at its dots into so many values; the last one may contain dots.
 * @param {string} text The text.
 * @param {number} count How many values.
 * @returns {string[]} The values.
 */
export function splitValues(text, count) {
  const parts = text.split(".");
  if (parts.length < count || (count === 0 && text)) throw new Error(`${count} values expected: ${text}`);
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(".")];
}

/**
 * Return a text if it matches a whole pattern.
 * @param {RegExp} pattern The pattern.
 * @param {string} text The text.
 * @returns {string} The same text.
 */
export function matched(pattern, text) {
  if (!pattern.test(text)) throw new Error(`${text} is no ${pattern}`);
  return text;
}

/**
 * Read the first and the last number of 3-7; of 3, return it twice.
 * @param {string} text The text.
 * @returns {[number, number]} Both, from 1.
 */
export function span(text) {
  const dash = text.indexOf("-");
  const [first, last] = dash < 0 ? [text, text] : [text.slice(0, dash), text.slice(dash + 1)];
  const [start, end] = [LENGTH.read(first), LENGTH.read(last)];
  if (start > end) throw new Error(`not a range: ${text}`);
  return [start, end];
}

/**
 * Write numbers that count from 0 as they are shown, from 1, with ranges: 1-3~7.
 * @param {Iterable<number>} values The numbers.
 * @returns {string} The text.
 */
export function ranges(values) {
  const runs = [];
  for (const value of [...new Set(values)].sort((one, other) => one - other)) {
    if (runs.length && runs.at(-1)[1] === value - 1) runs.at(-1)[1] = value;
    else runs.push([value, value]);
  }
  return runs.map(([first, last]) => (first === last ? `${first + 1}` : `${first + 1}-${last + 1}`)).join("~");
}

/**
 * Read the text of `ranges`.
 * @param {string} text The text.
 * @param {number} most The largest number that any model or sentence has.
 * @returns {number[]} The numbers from 0.
 */
export function numbersIn(text, most = MOST_HEADS) {
  const found = new Set();
  for (const part of text.split("~")) {
    const [first, last] = span(part);
    if (last > most) throw new Error(`${last} is more than ${most}, which is the most there can be`);
    for (let number = first - 1; number < last; number++) found.add(number);
  }
  return [...found];
}

function named(names) {
  return {
    read: (text) => oneOf(names, text),
    write: (value) => Object.keys(names).find((name) => names[name] === value),
  };
}

function initials(words) {
  return named(Object.fromEntries(words.map((word) => [word[0], word])));
}

export const KIND = initials(KINDS);
export const STACK = initials(STACKS);
export const SUBLAYER = named({ attn: "self_attn", cross: "cross_attn", ffn: "ffn" });
export const MATRICES = named({ qk: false, qkv: true });

/** A whole number from 1 to 999. */
export const LENGTH = { read: (text) => Number(matched(/^[1-9]\d{0,2}$/, text)), write: String };

/** A layer, head, query, key or position: from 0 in the model, from 1 in a link. */
export const PLACE = {
  read: (text) => LENGTH.read(text) - 1,
  write: (place) => String(place + 1),
};

/** A place, or null for all of them. */
export const PERHAPS_PLACE = {
  read: (text) => (text === "all" ? null : PLACE.read(text)),
  write: (place) => (place === null ? "all" : PLACE.write(place)),
};

/** Pieces in rising order, such as 2-3~7. */
export const PIECES = { read: (text) => numbersIn(text, MOST_PIECES), write: ranges };

/** Heads as layer-head, and whole layers (head null): 6-4, or 5~6; without any, all heads. */
export const HEADS = {
  read: (text) => (text === "all" ? [] : text.split("~").map(readHead)),
  write: (heads) => heads.map((head) => head.filter((one) => one !== null).map(PLACE.write).join("-")).join("~") || "all",
};

function readHead(text) {
  const dash = text.indexOf("-");
  return dash < 0 ? [PLACE.read(text), null] : [text.slice(0, dash), text.slice(dash + 1)].map(PLACE.read);
}

export const UNIT = {
  read: (text) => Number(matched(/^[1-9]\d{0,4}$/, text)) - 1,
  write: (unit) => String(unit + 1),
};
export const SHIFT = { read: (text) => Number(matched(/^-?\d{1,3}$/, text)), write: String };
export const SEED = { read: (text) => Number(matched(/^\d{1,9}$/, text)), write: String };
export const FACTOR = {
  read: (text) => Number(matched(/^-?\d{1,3}(\.\d{1,20})?(e-\d\d)?$/, text)),
  write: asInPython,
};
export const FACTORS = {
  read: (text) => text.split("~").map(FACTOR.read),
  write: (values) => values.map(FACTOR.write).join("~"),
};

/** Write a number as Python does: 2.0, 0.5, 1e-05. */
function asInPython(value) {
  if (Number.isInteger(value)) return `${Object.is(value, -0) ? "-0" : value}.0`;
  if (Math.abs(value) >= 1e-4) return String(value);
  return value.toExponential().replace(/e-(\d)$/, "e-0$1");
}

const SITE_NAMES = { encoder: "e", decoder: "d", self_attn: "attn", cross_attn: "cross" };
const SITE_TEXT = /^[ed](~[1-9]\d?)?(~(attn|cross|ffn))?~[a-z]+[123]?$/;

/** A site with its layer from 1: encoder.3.self_attn.z is written e~4~attn~z. */
export const SITE = {
  read: (text) => {
    const names = Object.fromEntries(Object.entries(SITE_NAMES).map(([name, short]) => [short, name]));
    const part = (short) => (/^\d+$/.test(short) ? String(short - 1) : (names[short] ?? short));
    return matched(SITE_TEXT, text).split("~").map(part).join(".");
  },
  write: (site) =>
    site.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) + 1 : (SITE_NAMES[part] ?? part))).join("~"),
};

/** Any text, such as another sentence: "It is." is written It~is-2e-. */
export const TEXT = {
  read: (text) => {
    const plain = matched(/^([A-Za-z\d~]|-[\da-f]{1,6}-)*$/, text)
      .replaceAll("~", " ")
      .replace(/-(\w+)-/g, (_, code) => String.fromCodePoint(parseInt(code, 16)));
    return matched(/^\P{Cs}*$/u, plain);
  },
  write: (text) => {
    const quoted = (mark) => (mark === " " ? "~" : `-${mark.codePointAt(0).toString(16)}-`);
    return [...text].map((mark) => (/^[A-Za-z\d]$/.test(mark) ? mark : quoted(mark))).join("");
  },
};
