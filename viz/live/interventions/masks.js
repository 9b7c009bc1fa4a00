import { attentionSite, maskSite } from "../sites/sites.js";
import { Intervention, change, checkHead, checkStack, grouped } from "./base.js";
import { KIND, LENGTH, PERHAPS_PLACE, PLACE, STACK, span, splitValues } from "./fields.js";
import { inLayer, isVisible, message, pieceNamed, queryNamed } from "./message.js";

/** Let every query of a kind of attention look at every key, in all layers. */
export class LiftMask extends Intervention {
  static names = ["lift"];
  static values = { kind: KIND };
  static stage = 0;

  get words() {
    const mask = this.kind === "decoder" ? message("look-ahead mask") : message("padding mask");
    return message("{kind}: {mask} lifted", { kind: this.kind, mask });
  }

  check({ config }) {
    checkHead(this, config);
  }

  edits() {
    return [[maskSite(this.kind), change((mask) => mask.fill(1))]];
  }

  get looksAhead() {
    return this.kind === "decoder";
  }
}

/** Swap the visible and the hidden pieces of the decoder's self-attention. */
export class InvertMask extends Intervention {
  static names = ["invert"];

  get words() {
    return message("look-ahead mask with zeros and ones exchanged");
  }

  static read(name, text) {
    if (KIND.read(text) !== "decoder") throw new Error(`${name} is for the decoder, not ${text}`);
    return [new InvertMask()];
  }

  static write() {
    return `invert.${KIND.write("decoder")}`;
  }

  edits() {
    const swap = (mask, [n]) => {
      mask.forEach((seen, at) => (mask[at] = 1 - seen));
      orItself(mask, n);
    };
    return [[maskSite("decoder"), change(swap)]];
  }

  get looksAhead() {
    return true;
  }
}

/** Let a query that sees nothing in a square mask see itself. */
function orItself(mask, n) {
  for (let row = 0; row < n; row++) {
    if (!mask.subarray(row * n, (row + 1) * n).includes(1)) mask[row * n + row] = 1;
  }
}

/** Let the self-attention of a stack see the `size` pieces around a query, in all layers. */
export class Window extends Intervention {
  static names = ["window"];
  static values = { stack: STACK, size: LENGTH };
  static stage = 2;

  get words() {
    return message("{stack}: window of {size}", { stack: this.stack, size: this.size });
  }

  check() {
    checkStack(this.stack);
    if (this.size % 2 !== 1) throw new Error(`size must be an odd number from 1 on, not ${this.size}`);
  }

  edits() {
    const reach = (this.size - 1) / 2;
    const narrow = (mask, [n]) => {
      for (let at = 0; at < mask.length; at++) {
        if (Math.abs((at % n) - Math.floor(at / n)) > reach) mask[at] = 0;
      }
      orItself(mask, n);
    };
    return [[maskSite(this.stack), change(narrow)]];
  }

  forbids({ kind }) {
    return kind === this.stack;
  }
}

/** Mask out the source pieces from `first` to `last`: no query can look at them. */
export class HideSource extends Intervention {
  static names = ["hide"];
  static stage = 3;

  constructor(first, last) {
    super();
    Object.assign(this, { first, last });
  }

  static read(_name, text) {
    const [first, last] = span(text);
    return [new HideSource(first - 1, last - 1)];
  }

  static write([{ first, last }]) {
    return `hide.${first + 1}-${last + 1}`;
  }

  get words() {
    return message("“{word}” masked out", { word: `${this.first + 1}-${this.last + 1}` });
  }

  /** Name the hidden word, unless it shows no visible character. */
  static wordsOf([hidden], _config, source) {
    const word = source.slice(hidden.first, hidden.last + 1);
    return isVisible(word) ? message("“{word}” masked out", { word }) : hidden.words;
  }

  /** @returns {number[]} The hidden places of the source. */
  get places() {
    return Array.from({ length: this.last - this.first + 1 }, (_, at) => this.first + at);
  }

  check({ lengths }) {
    if (!(this.first >= 0 && this.first <= this.last && this.last < lengths.source)) {
      throw new Error(`no pieces ${this.first} to ${this.last}: the source has ${lengths.source}`);
    }
  }

  edits() {
    const hide = change((mask, [rows, keys]) => {
      for (let row = 0; row < rows; row++) {
        mask.fill(0, row * keys + this.first, row * keys + this.last + 1);
      }
    });
    return [[maskSite("encoder"), hide], [maskSite("cross"), hide]];
  }

  forbids({ kind }) {
    return kind !== "decoder";
  }
}

/** Fill the source with padding up to this many pieces. */
export class PadSource extends Intervention {
  static names = ["pad"];
  static values = { length: LENGTH };
  static stage = 0;

  get words() {
    return message("padded to {length} pieces", { length: this.length });
  }

  check({ config }) {
    const most = config.max_length;
    if (!(this.length >= 1 && this.length <= most)) {
      throw new Error(`length must be 1 to ${most}, not ${this.length}`);
    }
  }

  padded(length) {
    return Math.max(length, this.length);
  }
}

/** Forbid one query-key link, in one layer and head or in all of them (null). */
export class BlockAttention extends Intervention {
  static names = ["block"];
  static joins = true;
  static stage = 2;

  constructor(kind, query, key, layer = null, head = null) {
    super();
    Object.assign(this, { kind, query, key, layer, head });
  }

  get words() {
    return this.saying(message("{query} → {key}", { query: this.query + 1, key: this.key + 1 }));
  }

  /** Say that the links of this place are forbidden. */
  saying(links) {
    const { kind, layer, head } = this;
    let place = message("{kind}", { kind });
    if (layer !== null && head !== null) place = message("{head}", { head: [kind, layer, head] });
    else if (layer !== null) place = inLayer(kind, layer);
    return message("{place}: {links} forbidden", { place, links });
  }

  /** Say how many links are forbidden, or name the only one by its words, if known. */
  static wordsOf(group, _config, source) {
    const [link] = group;
    if (group.length > 1) return link.saying(message("{count} links", { count: group.length }));
    const query = queryNamed(link.kind, link.query, source);
    const key = pieceNamed(link.key, link.kind === "decoder" ? [] : source);
    return link.saying(message("{query} → {key}", { query, key }));
  }

  static read(_name, text) {
    const [kind, layer, head, pairs] = splitValues(text, 4);
    const of = KIND.read(kind);
    const place = [layer, head].map(PERHAPS_PLACE.read);
    return pairs.split("~").map((pair) => {
      const dash = pair.indexOf("-");
      const ends = dash < 0 ? [pair, ""] : [pair.slice(0, dash), pair.slice(dash + 1)];
      return new BlockAttention(of, ...ends.map(PLACE.read), ...place);
    });
  }

  static write(group) {
    const [{ kind, layer, head }] = group;
    const pairs = group.map((link) => `${link.query + 1}-${link.key + 1}`).join("~");
    return ["block", KIND.write(kind), ...[layer, head].map(PERHAPS_PLACE.write), pairs].join(".");
  }

  static join(some) {
    return grouped(some, ({ kind, layer, head }) => `${kind} ${layer} ${head}`);
  }

  check(sizes) {
    checkHead(this, sizes.config);
    const [queries, keys] = sizes.grid(this.kind);
    if (!(this.query < queries && this.key < keys)) {
      throw new Error(`no link ${this.query} to ${this.key}: there are ${queries} queries, ${keys} keys`);
    }
  }

  edits(sizes) {
    const layers = this.layer === null ? sizes.layers(this.kind) : [this.layer];
    const forbid = forbidLinks([[this.head, this.query, this.key]]);
    return layers.map((layer) => [attentionSite(this.kind, layer, "scores"), forbid]);
  }

  get targetPieces() {
    return this.kind === "encoder" ? 1 : this.query + 1;
  }

  forbids({ kind, layer, head, query }) {
    const here = [null, layer].includes(this.layer) && [null, head].includes(this.head);
    return this.kind === kind && this.query === query && here;
  }
}

/** Set the scores of links, [head or null, query, key] each, to minus infinity. */
function forbidLinks(links) {
  const forbid = (scores, [heads, queries, keys]) => {
    for (const [head, query, key] of links) {
      if (query >= queries || key >= keys) continue;
      for (let at = head ?? 0; at <= (head ?? heads - 1); at++) {
        scores[(at * queries + query) * keys + key] = -Infinity;
      }
    }
  };
  const merged = (others) => forbidLinks([...links, ...others.flatMap((other) => other.links)]);
  return { ...change(forbid), family: "links", links, merged };
}
