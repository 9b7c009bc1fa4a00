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
    const message = { bytes: new Uint8Array(buffer), at: 0 };
    const pieces = readPieces(message);
    const model = fieldsOf(message);
    if (model.has(1)) throw new RangeError("all pieces come first");
    const [trainer, normalizer] = [2, 3].map((number) => {
      return fieldsOf({ bytes: model.get(number)?.at(-1) ?? new Uint8Array(), at: 0 });
    });
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

const [PIECE, NAME, SCORE, TYPE] = [10, 10, 21, 24]; // keys: the number of a field, and how it is written

/**
 * Read the pieces at the start of a file, in place, and their names in one text: a map of the fields of
 * each, and a call that decodes each name, would take half of the time in which a model opens.
 */
function readPieces(message) {
  const { bytes } = message;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const names = new Uint8Array(bytes.length);
  const pieces = [];
  let written = 0;
  while (bytes[message.at] === PIECE) {
    message.at++;
    const end = readWhole(message) + message.at;
    let [score, type] = [0, PIECE_TYPES.normal];
    while (message.at < end) {
      const key = readWhole(message);
      if (key === TYPE) type = readWhole(message);
      else if (key === SCORE) {
        score = view.getFloat32(message.at, true);
        message.at += 4;
      } else {
        const value = FIELD_TYPES[key % 8](message);
        if (key === NAME) names.set(value, written);
        if (key === NAME) written += value.length;
      }
    }
    pieces.push({ piece: "", score, type });
    written++; // a zero follows each name
  }
  const own = utf8(names.subarray(0, written - 1)).split("\0");
  if (own.length !== pieces.length) throw new RangeError("no pieces, or a zero within a name");
  for (let id = 0; id < own.length; id++) pieces[id].piece = own[id];
  return pieces;
}

const LETTERS_OF_PIECES = new TextDecoder("utf-8", { ignoreBOM: true });

function utf8(bytes) {
  return LETTERS_OF_PIECES.decode(bytes ?? new Uint8Array());
}

/** Read the rest of the fields of a message by number: whole numbers, floats, or bytes. */
function fieldsOf(message) {
  const fields = new Map();
  while (message.at < message.bytes.length) {
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
