/** Bytes of a file as text: which files are binary, and how encodings are read. Pure. */

const UTF8 = new TextDecoder("utf-8");
const LATIN = new TextDecoder("windows-1252");

/**
 * The text of a file, or undefined when it is binary. Without a byte order mark it is UTF-8; where that
 * gives not one letter beyond ASCII, but errors, it is Windows-1252. Single damaged bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  // Binary is what ripgrep calls binary: a NUL anywhere.
  if (bytes.includes(0)) return undefined;
  const text = UTF8.decode(bytes);
  return /\ufffd/.test(text) && !/[^\0-\x7f\ufffd]/.test(text) ? LATIN.decode(bytes) : text;
}
