import { KINDS, STACKS } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";
import { splitValues } from "./fields.js";

/**
 * @typedef {import("../sites/tap.js").Edit} Edit
 * @typedef {import("../transformer/config.js").Config} Config
 * @typedef {{ source: number, target: number | null, donors?: import("./donors.js").Donors }} Lengths
 */

/** The sizes that an intervention must fit: those of a model and of a run. */
export class Sizes {
  /**
   * @param {Config} config The model.
   * @param {Lengths} lengths The pieces of the run; target null while it is being written.
   * @param {number} source The pieces of the source with padding.
   */
  constructor(config, lengths, source = lengths.source) {
    Object.assign(this, { config, lengths, source });
    this.target = lengths.target ?? config.max_length;
  }

  /**
   * Return the numbers of queries and of keys of a kind of attention.
   * @param {string} kind The kind.
   * @returns {[number, number]} Both.
   */
  grid(kind) {
    const queries = kind === "encoder" ? this.source : this.target;
    return [queries, kind === "decoder" ? this.target : this.source];
  }

  /**
   * List the layers of a kind of attention or of a stack.
   * @param {string} kind The kind.
   * @returns {number[]} Their numbers.
   */
  layers(kind) {
    return Array.from({ length: layersOf(this.config, kind) }, (_, layer) => layer);
  }
}

/**
 * A change to a run. `names` and `values` are its text in a link, as in Python. `stage` decides the
 * order: what would undo others comes early, what must hold in the end comes late.
 */
export class Intervention {
  /** @type {string[]} */
  static names = [];
  /** @type {Record<string, import("./fields.js").Field>} */
  static values = {};
  static joins = false;
  static stage = 1;

  /** @param {...any} given The values, in the order of `values`. */
  constructor(...given) {
    Object.keys(this.constructor.values).forEach((name, at) => (this[name] = given[at]));
  }

  static read(_name, text) {
    const fields = Object.values(this.values);
    const parts = splitValues(text, fields.length);
    return [new this(...fields.map((field, at) => field.read(parts[at])))];
  }

  static write([first]) {
    const written = Object.entries(this.values).map(([name, field]) => field.write(first[name]));
    return [this.names[0], ...written].join(".");
  }

  static join(some) {
    return some.map((one) => [one]);
  }

  /** @returns {string} Its text in a link, which no other intervention has. */
  get text() {
    return this.constructor.write([this]);
  }

  /** @returns {import("./message.js").Message} The change in a few words. */
  get words() {
    throw new Error(`${this.constructor.name} has no words`);
  }

  /** Describe a group's change to a model of these sizes and a source of these pieces. */
  static wordsOf([first], _config, _source) {
    return first.words;
  }

  /** Throw an Error when it does not exist in a model or a run of these sizes. */
  check(_sizes) {}

  /** @returns {[string, Edit][]} The changed sites, each with its edit. */
  edits(_sizes) {
    return [];
  }

  get looksAhead() {
    return false;
  }

  get targetPieces() {
    return 1;
  }

  padded(length) {
    return length;
  }

  /** @returns {boolean} Whether this takes keys from a query, so that leaving it out may help. */
  forbids(_query) {
    return false;
  }
}

/**
 * Throw an Error when a number is not from 0 to below a limit.
 * @param {string} name What it counts.
 * @param {number | null} value The number; null means all.
 * @param {number} limit The limit.
 * @returns {void}
 */
export function checkBelow(name, value, limit) {
  if (value === null) return;
  if (!Number.isInteger(value) || value < 0 || value >= limit) {
    throw new Error(`${name} must be 0 to ${limit - 1}, not ${value}`);
  }
}

/**
 * Throw an Error when a model has no such kind, layer or head; null means all.
 * @param {{ kind: string, layer?: number | null, head?: number | null }} place The place.
 * @param {Config} config The model.
 * @returns {void}
 */
export function checkHead({ kind, layer = null, head = null }, config) {
  if (!KINDS.includes(kind)) throw new Error(`kind must be one of ${KINDS.join(", ")}, not ${kind}`);
  checkBelow("layer", layer, layersOf(config, kind));
  checkBelow("head", head, config.heads);
}

/**
 * Throw an Error when there is no such stack.
 * @param {string} stack The stack.
 * @returns {void}
 */
export function checkStack(stack) {
  if (!STACKS.includes(stack)) throw new Error(`stack must be one of ${STACKS.join(", ")}, not ${stack}`);
}

/**
 * Make an edit that changes a copy of the tensor.
 * @param {(values: Float32Array, shape: number[]) => void} write Writes into the copy.
 * @returns {Edit} The edit.
 */
export function change(write) {
  return {
    apply: ({ shape, values }) => {
      const own = values.slice();
      write(own, shape);
      return { shape, values: own };
    },
  };
}

/**
 * Group values by a key, in the order of their first.
 * @template Value
 * @param {Value[]} values The values.
 * @param {(value: Value) => string} keyOf Returns the key of each.
 * @returns {Value[][]} The groups.
 */
export function grouped(values, keyOf) {
  const groups = new Map();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return [...groups.values()];
}
