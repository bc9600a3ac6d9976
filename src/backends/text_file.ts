/** Bytes of a file as text: which files are binary, and how encodings are read. Pure. */

const UTF8 = new TextDecoder("utf-8");

/** The text of a file, or undefined when it is binary. Bytes that are no UTF-8 become U+FFFD. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  // Binary is what ripgrep calls binary: a NUL anywhere.
  return bytes.includes(0) ? undefined : UTF8.decode(bytes);
}
