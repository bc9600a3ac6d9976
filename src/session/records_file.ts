/** The append-only file of a session's records: one sealed JSON object a line. */
import { CodeIntelError, toIoError } from "../base/errors.ts";
import { withFile } from "../base/open_file.ts";
import type { Seal } from "../base/seal.ts";
import type { SessionRecord } from "./records.ts";
import { parseRecord } from "./records.ts";
import type { RecordsResult } from "./store_api.ts";

const LINE_SEAL = /,"seal":"([0-9a-f]{8}:[0-9a-f]{64})"\}$/;
const NEWLINE = 10;

/** What the file belongs to. */
export interface RecordsFileOptions {
  readonly sessionId: string;
  readonly seal: Seal;
}

/** Appends and reads the records of one session; a second read takes only what is new. */
export class RecordsFile {
  readonly #path: string;
  readonly #options: RecordsFileOptions;
  #offset = 0;
  #records: readonly SessionRecord[] = [];
  #rejectedLines = 0;
  #reading: Promise<RecordsResult> | null = null;

  /** @param path Absolute path of `<id>.records.jsonl`. */
  constructor(path: string, options: RecordsFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  /**
   * Adds one line in a single write, so that several processes never mix theirs. It begins with a line
   * end: what a killed process left unfinished spoils its own line only.
   */
  async append(record: SessionRecord): Promise<void> {
    const text = JSON.stringify(record);
    const seal = await this.#options.seal.sign(this.#toSealedPart(text));
    const line = seal === null ? text : `${text.slice(0, -1)},"seal":"${seal}"}`;
    const bytes = new TextEncoder().encode(`\n${line}\n`);
    try {
      const options = { append: true, create: true, mode: 0o600 };
      const written = await withFile(this.#path, options, (file) => file.write(bytes));
      if (written === bytes.length) return;
    } catch (error) {
      throw toIoError(`write "${this.#path}"`, error);
    }
    throw new CodeIntelError("disk_full", `Cannot write "${this.#path}": no space is left`, {
      hint: "Free some space and send the same call again; nothing was lost.",
    });
  }

  /** All records so far. Two calls at once share one read. */
  read(): Promise<RecordsResult> {
    this.#reading ??= this.#readNew().finally(() => this.#reading = null);
    return this.#reading;
  }

  async #readNew(): Promise<RecordsResult> {
    const bytes = await this.#readBytes();
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const added: SessionRecord[] = [];
      for (const line of new TextDecoder().decode(bytes.subarray(0, end)).split("\n")) {
        if (line === "") continue;
        const record = await this.#parseLine(line);
        if (record === undefined) this.#rejectedLines++;
        else added.push(record);
      }
      this.#offset += end;
      if (added.length > 0) this.#records = [...this.#records, ...added];
    }
    return { records: this.#records, rejectedLines: this.#rejectedLines };
  }

  async #readBytes(): Promise<Uint8Array> {
    try {
      return await withFile(this.#path, { read: true }, (file) => this.#readRest(file));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw toIoError(`read "${this.#path}"`, error);
      this.#startAgain();
      return new Uint8Array();
    }
  }

  /** What was added to the file since the last read. */
  async #readRest(file: Deno.FsFile): Promise<Uint8Array> {
    const { size } = await file.stat();
    if (size < this.#offset) this.#startAgain();
    const bytes = new Uint8Array(size - this.#offset);
    await file.seek(this.#offset, Deno.SeekMode.Start);
    let filled = 0;
    while (filled < bytes.length) {
      const count = await file.read(bytes.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  }

  #startAgain(): void {
    this.#offset = 0;
    this.#records = [];
    this.#rejectedLines = 0;
  }

  async #parseLine(line: string): Promise<SessionRecord | undefined> {
    const match = LINE_SEAL.exec(line);
    const text = match === null ? line : `${line.slice(0, match.index)}}`;
    let record: SessionRecord | undefined;
    try {
      record = parseRecord(JSON.parse(text));
    } catch {
      return undefined;
    }
    if (record === undefined) return undefined;
    const verdict = await this.#options.seal.check(this.#toSealedPart(text), {
      seal: match?.[1] ?? null,
      writtenAt: record.at,
    });
    return verdict === "wrong" ? undefined : record;
  }

  /** With the session's id, so that a line copied from another session does not count. */
  #toSealedPart(text: string): string {
    return `${this.#options.sessionId}\n${text}`;
  }
}
