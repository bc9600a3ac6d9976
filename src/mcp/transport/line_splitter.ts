/** Cuts a stream of bytes into lines, in time linear in their length and in bounded memory. Pure. */

const NEWLINE = 10;

/** Collects chunks until a line is complete. A line over the bound is dropped and reported. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  #parts: Uint8Array[] = [];
  #sizeBytes = 0;
  #isTooLong = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes; `"too_long"` stands for one over the bound. */
  push(chunk: Uint8Array): readonly (string | "too_long")[] {
    const lines: string[] = [];
    let start = 0;
    for (
      let end = chunk.indexOf(NEWLINE);
      end >= 0;
      end = chunk.indexOf(NEWLINE, start)
    ) {
      this.#add(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
    return lines;
  }

  #add(part: Uint8Array): void {
    if (part.length === 0 || this.#isTooLong) return;
    this.#sizeBytes += part.length;
    this.#parts.push(part);
    if (this.#sizeBytes <= this.#maxBytes) return;
    this.#isTooLong = true;
    this.#parts = [];
  }

  #take(): string {
    const line = this.#isTooLong ? "too_long" : this.#decoder.decode(this.#join());
    this.#parts = [];
    this.#sizeBytes = 0;
    this.#isTooLong = false;
    return line;
  }

  #join(): Uint8Array {
    if (this.#parts.length === 1) return this.#parts[0] ?? new Uint8Array();
    const all = new Uint8Array(this.#sizeBytes);
    let offset = 0;
    for (const part of this.#parts) {
      all.set(part, offset);
      offset += part.length;
    }
    return all;
  }
}
