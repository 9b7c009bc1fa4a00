/**
 * A file that is read part by part, each into its place.
 * @typedef {{ size: number, read: (bytes: Uint8Array, at: number) => void }} OpenFile `read` reads as
 *   many bytes as there is room for, from `at` on.
 */

/**
 * Open a file whose content is here.
 * @param {ArrayBuffer} content The content.
 * @returns {OpenFile} The file.
 */
export function inMemory(content) {
  const read = (bytes, at) => bytes.set(new Uint8Array(content, at, bytes.length));
  return { size: content.byteLength, read };
}

/**
 * Use a file that the browser keeps, without a copy of it in memory, and close it.
 * @template Result
 * @param {FileSystemFileHandle} handle Its place in the browser's store.
 * @param {(file: OpenFile) => Result} use What to do with it.
 * @returns {Promise<Result>} What that returns.
 */
export async function withKept(handle, use) {
  const access = await handle.createSyncAccessHandle({ mode: "read-only" }).catch(() => null);
  if (!access) return use(inMemory(await (await handle.getFile()).arrayBuffer())); // another page has it open
  try {
    return use({ size: access.getSize(), read: (bytes, at) => access.read(bytes, { at }) });
  } finally {
    access.close();
  }
}

/**
 * Keep a file for later visits; a full store, or one that another page has open, is not an error.
 * @param {FileSystemFileHandle} handle Its place in the browser's store.
 * @param {ArrayBuffer | string} content Its content.
 * @returns {Promise<void>} Settled when it is there, or cannot be.
 */
export async function keepFile(handle, content) {
  try {
    const access = await handle.createSyncAccessHandle();
    try {
      access.truncate(0);
      access.write(typeof content === "string" ? new TextEncoder().encode(content) : content);
    } finally {
      access.close();
    }
  } catch {
    // The next visit will fetch it again.
  }
}
