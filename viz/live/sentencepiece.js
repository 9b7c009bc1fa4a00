/** The types of pieces in a SentencePiece model. */
export const PIECE_TYPES = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 };

/**
 * A SentencePiece model: its pieces, and how it reads a text.
 * @typedef {{ piece: string, score: number, type: number }} ModelPiece
 * @typedef {{ pieces: ModelPiece[], byteFallback: boolean, type: number, names: {
 *   pad: string, begin: string, end: string }, charsMap: Uint8Array, dummyPrefix: boolean,
 *   removesSpaces: boolean, escapesSpaces: boolean, unknown: string }} SentencePieceModel Its `type` is
 *   1 for unigram models and 2 for merged pairs; 0 where spaces follow words.
 */

/**
 * Read tokenizer.model, a message in the format of protocol buffers.
 * @param {ArrayBuffer} buffer Its content.
 * @param {string} file The name of the file.
 * @returns {SentencePieceModel} The model. Throws an Error when it is none.
 */
export function readSentencePiece(buffer, file) {
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
      type: flag(trainer, 24, false) ? 0 : (trainer.get(3)?.at(-1) ?? 1),
      names: { pad: word(48, "<pad>"), begin: word(46, "<s>"), end: word(47, "</s>") },
      unknown: word(44, " \u2047 "),
      charsMap: normalizer.get(2)?.at(-1) ?? new Uint8Array(),
      dummyPrefix: flag(normalizer, 3, true),
      removesSpaces: flag(normalizer, 4, true),
      escapesSpaces: flag(normalizer, 5, true),
    };
  } catch {
    throw new Error(`${file}: not a SentencePiece model (${buffer.byteLength} bytes)`);
  }
}

function readPiece(bytes) {
  const fields = fieldsOf(bytes);
  const last = (number, otherwise) => fields.get(number)?.at(-1) ?? otherwise;
  return { piece: utf8(last(1)), score: last(2, 0), type: last(3, PIECE_TYPES.normal) };
}

const LETTERS_OF_PIECES = new TextDecoder("utf-8", { ignoreBOM: true });

function utf8(bytes) {
  return LETTERS_OF_PIECES.decode(bytes ?? new Uint8Array());
}

/** Read the fields of a message by number: whole numbers, floats, or bytes. */
function fieldsOf(bytes) {
  const fields = new Map();
  const message = { bytes, at: 0 };
  while (message.at < bytes.length) {
    const key = readWhole(message);
    const number = Math.floor(key / 8);
    const value = FIELD_TYPES[key % 8](message);
    const before = fields.get(number);
    if (before) before.push(value);
    else fields.set(number, [value]);
  }
  return fields;
}

const FIELD_TYPES = {
  0: readWhole,
  1: (message) => readBytesOf(message, 8),
  2: (message) => readBytesOf(message, readWhole(message)),
  5: (message) => {
    const { buffer, byteOffset } = readBytesOf(message, 4);
    return new DataView(buffer, byteOffset).getFloat32(0, true);
  },
};

function readWhole(message) {
  for (let value = 0, scale = 1; ; scale *= 128) {
    if (message.at >= message.bytes.length) throw new RangeError("cut short");
    const byte = message.bytes[message.at++];
    value += (byte & 127) * scale;
    if (byte < 128) return value;
  }
}

function readBytesOf(message, length) {
  if (message.at + length > message.bytes.length) throw new RangeError("cut short");
  return message.bytes.subarray(message.at, (message.at += length));
}
