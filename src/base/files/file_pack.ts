/**
 * A pack: files one after the other inside the executable, read by their place. What the runtime embeds
 * itself lies in memory from the start on; what lies in the pack costs nothing until it is read.
 */
import { openFile } from "./open_file.ts";
import { CodeIntelError } from "../errors.ts";

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

/** Where a file lies in a pack. */
export interface PackedFile {
  /** From the start of the pack. */
  readonly offset: number;
  readonly sizeBytes: number;
}

/** The list of a pack. */
export interface FilePack {
  /** 32 hexadecimal digits made of the contents; they stand at the head of the pack as well. */
  readonly id: string;
  /** Length of the whole pack, its head included. */
  readonly sizeBytes: number;
  /** By name, as `models/tokenizer.bin`. */
  readonly files: Readonly<Record<string, PackedFile>>;
}

/** The first bytes of a pack; its id follows. */
const MAGIC = "code-intel pack\n";

/** The head of a pack, so that a file of another build is not taken for it. */
export function encodePackHead(id: string): Uint8Array {
  return new TextEncoder().encode(`${MAGIC}${id}`);
}

/**
 * Opens a file in the pack of the executable at `path`.
 *
 * @returns null when the pack has no such file.
 * @throws {CodeIntelError} `io_failed` when the executable is another one than when the process began.
 */
export async function openPacked(
  path: string,
  pack: FilePack,
  name: string,
): Promise<FileRange | null> {
  const entry = Object.hasOwn(pack.files, name) ? pack.files[name] : undefined;
  if (entry === undefined) return null;
  try {
    const program = await FileRange.open(path);
    try {
      const start = findSection(program) - pack.sizeBytes;
      const head = encodePackHead(pack.id);
      const found = program.read(start, head.length);
      if (!found.every((byte, at) => byte === head[at])) throw new Error("it is of another build");
      return program.toPart(start + entry.offset, entry.sizeBytes);
    } catch (error) {
      program[Symbol.dispose]();
      throw error;
    }
  } catch (cause) {
    throw new CodeIntelError("io_failed", `Cannot read "${name}" from the program "${path}"`, {
      hint: "The program's file was replaced while it ran: start it again.",
      cause,
    });
  }
}

const LENGTH_BYTES = 8;

/**
 * Where the section of the runtime begins, which is the rest of the executable: the last eight bytes are
 * its length. The pack ends there.
 */
function findSection(program: FileRange): number {
  const last = program.read(program.byteLength - LENGTH_BYTES, LENGTH_BYTES);
  return program.byteLength - Number(new DataView(last.buffer).getBigUint64(0, true));
}
