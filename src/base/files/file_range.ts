/** A part of an open file, read from any place in it: for large tables of which little is needed at a time. */
import { openFile } from "./open_file.ts";

/** An open file, or a part of one. Close it when it is no longer needed. */
export class FileRange implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #offset: number;
  readonly byteLength: number;

  /** Owns the file: it is closed with the range. */
  constructor(file: Deno.FsFile, offset: number, byteLength: number) {
    this.#file = file;
    this.#offset = offset;
    this.byteLength = byteLength;
  }

  /** Opens a whole file. Throws what the system says when it cannot be opened. */
  static async open(path: string | URL): Promise<FileRange> {
    // Not `stat` of the open file: an executable's embedded files do not know it.
    const { size } = await Deno.stat(path);
    return new FileRange(await openFile(path), 0, size);
  }

  /** A part of it that takes the file over: dispose of the part alone. */
  toPart(offset: number, byteLength: number): FileRange {
    return new FileRange(this.#file, this.#offset + offset, byteLength);
  }

  /** Fills `into` with the bytes from `at` on; throws a `RangeError` where the file ends before that. */
  readInto(into: Uint8Array, at: number): void {
    this.#file.seekSync(this.#offset + at, Deno.SeekMode.Start);
    for (let done = 0; done < into.length;) {
      const count = this.#file.readSync(into.subarray(done));
      if (count === null) throw new RangeError("the file ends too early");
      done += count;
    }
  }

  /** That many bytes from `at` on, by default all. */
  read(at = 0, sizeBytes = this.byteLength): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(sizeBytes);
    this.readInto(bytes, at);
    return bytes;
  }

  /** All bytes; the file is closed, also when it cannot be read. */
  readAndClose(): Uint8Array<ArrayBuffer> {
    try {
      return this.read();
    } finally {
      this[Symbol.dispose]();
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}
