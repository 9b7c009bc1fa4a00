import { SUBLAYERS } from "../sites/sites.js";
import { layersOf } from "../transformer/config.js";
import { Intervention, change, checkBelow, grouped } from "./base.js";
import { MOST_PIECES, PERHAPS_PLACE, SITE, TEXT, numbersIn, ranges, splitValues } from "./fields.js";
import { inLayer, message } from "./message.js";

/** The sites at which a token has a vector, by the parts of their names. */
const ATTENTION_PART = /^(encoder\.\d+\.self_attn|decoder\.\d+\.(self|cross)_attn)\.(q|k|v|z|out)$/;
const STREAM = /^(encoder\.memory|(encoder|decoder)\.input|encoder\.\d+\.norm[12]|decoder\.\d+\.norm[123])$/;
const FED = /^(encoder|decoder)\.\d+\.ffn\.out$/;
const OF_HEADS = /\.(q|k|v|z)$/;

/** Take the vector of one token at one site from a run of another sentence, the donor. */
export class PatchActivation extends Intervention {
  static names = ["patch"];
  static joins = true;
  static stage = 2;

  constructor(site, position, donor, head = null) {
    super();
    Object.assign(this, { site, position, donor, head });
  }

  get words() {
    return this.saying(message("{place}", { place: this.position + 1 }));
  }

  /** Say where the vector of these pieces is put, and which sentence it comes from. */
  saying(pieces) {
    const place = placeNamed(this.site, this.head);
    return message("{place}: “{pieces}” from “{donor}”", { place, pieces, donor: shortened(this.donor) });
  }

  /** Name the pieces of the source; rows of the decoder have only numbers. */
  static wordsOf(group, _config, source) {
    const positions = group.map(({ position }) => position).sort((one, other) => one - other);
    const [first, last] = [positions[0], positions.at(-1)];
    const areNeighbours = positions.length === last - first + 1;
    if (ofSource(group[0].site) && areNeighbours && last < source.length) {
      return group[0].saying(message("{word}", { word: source.slice(first, last + 1) }));
    }
    return group[0].saying(message("{place}", { place: ranges(positions).replaceAll("~", ", ") }));
  }

  static read(_name, text) {
    const [site, positions, head, donor] = splitValues(text, 4);
    const [where, of, whose] = [SITE.read(site), PERHAPS_PLACE.read(head), TEXT.read(donor)];
    if (![ATTENTION_PART, STREAM, FED].some((sites) => sites.test(where))) {
      throw new Error(`no token has a vector at ${where}`);
    }
    return numbersIn(positions, MOST_PIECES).map((at) => new PatchActivation(where, at, whose, of));
  }

  static write(group) {
    const [{ site, head, donor }] = group;
    const positions = ranges(group.map(({ position }) => position));
    return `patch.${SITE.write(site)}.${positions}.${PERHAPS_PLACE.write(head)}.${TEXT.write(donor)}`;
  }

  static join(some) {
    return grouped(some, ({ site, donor, head }) => JSON.stringify([site, donor, head]));
  }

  check({ config, lengths }) {
    const [stack, layer] = this.site.split(".");
    if (/^\d+$/.test(layer)) checkBelow("layer", Number(layer), layersOf(config, stack));
    if (this.head !== null) checkBelow("head", this.head, OF_HEADS.test(this.site) ? config.heads : 0);
    const limit = ofSource(this.site) ? lengths.source : (lengths.target ?? config.max_length);
    if (this.position >= limit) {
      throw new Error(`no position ${this.position} at ${this.site}: there are ${limit}`);
    }
    this.partner(lengths.donors);
  }

  /** Return the donor's position that corresponds to this one. */
  partner(donors) {
    if (!donors) throw new Error("a vector of another sentence needs a run of that sentence");
    let partner = this.position;
    if (ofSource(this.site)) partner = donors.partner(this.donor, this.position);
    else if (partner >= donors.target(this.donor).length) partner = null;
    if (partner === null) {
      throw new Error(`“${this.donor}” has nothing that stands for piece ${this.position}`);
    }
    return partner;
  }

  edits({ lengths: { donors } }) {
    const partner = this.partner(donors);
    const put = (values, shape) => {
      const [n, width] = shape.slice(-2);
      if (this.position >= n) return;
      const given = donors.activation(this.donor, this.site);
      const length = given.shape.at(-2);
      const heads = shape.length === 3 ? shape[0] : 1;
      for (let head = this.head ?? 0; head <= (this.head ?? heads - 1); head++) {
        const from = (head * length + partner) * width;
        values.set(given.values.subarray(from, from + width), (head * n + this.position) * width);
      }
    };
    return [[this.site, change(put)]];
  }

  get targetPieces() {
    return ofSource(this.site) ? 1 : this.position + 1;
  }
}

/** Tell whether a site's positions are pieces of the source, and not rows of the decoder. */
export function ofSource(site) {
  return site.startsWith("encoder.") || /\.cross_attn\.[kv]$/.test(site);
}

/** Return as many of a text's last words as fit. */
function shortened(text, most = 30) {
  const characters = [...text];
  if (characters.length <= most) return text;
  const end = characters.slice(-most).join("");
  return `… ${end.slice(end.indexOf(" ") + 1) || end}`;
}

/** Name a site in words. */
function placeNamed(site, head) {
  const [stack, at, sublayer, part] = site.split(".");
  if (at === "memory") return message("memory");
  if (at === "input") return message("{stack} input", { stack });
  const layer = Number(at);
  if (part === undefined) {
    const after = SUBLAYERS[stack][Number(sublayer.replace("norm", "")) - 1];
    return message("{layer} after {sublayer}", { layer: inLayer(stack, layer), sublayer: after });
  }
  if (part === "out") {
    return message("output of {layer}, {sublayer}", { layer: inLayer(stack, layer), sublayer });
  }
  const kind = sublayer === "cross_attn" ? "cross" : stack;
  if (head === null) return message("{part} of {layer}", { part, layer: inLayer(kind, layer) });
  return message("{part} of {head}", { part, head: [kind, layer, head] });
}
