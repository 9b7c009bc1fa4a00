/** The types of pieces in a SentencePiece model. */
export const PIECE_TYPES = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 };

/**
 * A SentencePiece model: its pieces, and how it reads a text.
 * @typedef {{ piece: string, score: number, type: number }} ModelPiece
 * @typedef {{ pieces: ModelPiece[], byteFallback: boolean, unigram: boolean, names: {
 *   pad: string, begin: string, end: string }, charsMap: Uint8Array, dummyPrefix: boolean,
 *   removesSpaces: boolean, escapesSpaces: boolean, unknown: string }} SentencePieceModel
 */

/**
 * Read tokenizer.model, a message in the format of protocol buffers.
 * @param {ArrayBuffer} buffer Its content.
 * @returns {SentencePieceModel} The model. Throws an Error when it is none.
 */
export function readSentencePiece(buffer) {
  try {
    const model = fieldsOf(new Uint8Array(buffer));
    const pieces = model.get(1).map(readPiece);
    const trainer = fieldsOf(model.get(2)?.at(-1) ?? new Uint8Array());
    const normalizer = fieldsOf(model.get(3)?.at(-1) ?? new Uint8Array());
    const flag = (fields, number, otherwise) => Boolean(fields.get(number)?.at(-1) ?? otherwise);
    const word = (number, otherwise) => utf8(trainer.get(number)?.at(-1)) || otherwise;
    return {
      pieces,
      byteFallback: flag(trainer, 35, false),
      unigram: (trainer.get(3)?.at(-1) ?? 1) === 1 && !flag(trainer, 24, false), // spaces before words
      names: { pad: word(48, "<pad>"), begin: word(46, "<s>"), end: word(47, "</s>") },
      unknown: word(44, " \u2047 "),
      charsMap: normalizer.get(2)?.at(-1) ?? new Uint8Array(),
      dummyPrefix: flag(normalizer, 3, true),
      removesSpaces: flag(normalizer, 4, true),
      escapesSpaces: flag(normalizer, 5, true),
    };
  } catch {
    throw new Error(`tokenizer.model: not a SentencePiece model (${buffer.byteLength} bytes)`);
  }
}

function readPiece(bytes) {
  const fields = fieldsOf(bytes);
  const last = (number, otherwise) => fields.get(number)?.at(-1) ?? otherwise;
  return { piece: utf8(last(1)), score: last(2, 0), type: last(3, PIECE_TYPES.normal) };
}

function utf8(bytes) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes ?? new Uint8Array());
}

/** Read the fields of a message by number: whole numbers, floats, or bytes. */
function fieldsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = new Map();
  let at = 0;
  const varint = () => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const READ = {
    0: varint,
    1: () => (at += 8) && null,
    2: () => {
      const length = varint();
      if (at + length > bytes.length) throw new RangeError("cut short");
      return bytes.subarray(at, (at += length));
    },
    5: () => view.getFloat32((at += 4) - 4, true),
  };
  while (at < bytes.length) {
    const key = varint();
    const number = Math.floor(key / 8);
    if (!fields.has(number)) fields.set(number, []);
    fields.get(number).push(READ[key % 8]());
  }
  return fields;
}
