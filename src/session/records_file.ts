/** The append-only file of a session's records, with one sealed JSON object on each line. */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { CodeIntelError, makeIoError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { withFile } from "../base/files/open_file.ts";
import { appendOwnFile, checkOwnFile } from "../base/files/own_folder.ts";
import { readRegularFile } from "../base/files/regular_file.ts";
import type { Seal } from "../base/files/seal.ts";
import type { SessionRecord } from "./records.ts";
import { parseRecord } from "./records.ts";
import type { AcceptedRecords, RevisionMark } from "./revision_marks.ts";
import { judgeSeal, UNKNOWN_MARK } from "./revision_marks.ts";
import type { RecordsResult } from "./store_api.ts";

const LINE_SEAL = /,"seal":"([0-9a-f]{8}:[0-9a-f]{64})"\}$/;
const NEWLINE = 10;

/** What the records file needs. */
export interface RecordsFileOptions {
  readonly sessionId: string;
  readonly seal: Seal;
  /**
   * Reads what this home folder remembers of the session, which tells which lines need its own
   * seal.
   */
  readonly readMark: () => RevisionMark;
}

/** Appends and reads the records of one session; reading again reads only what is new. */
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
   * Appends one line in a single write, so that lines of several processes never mix. The write
   * begins with a line break: an unfinished line of a killed process damages only itself.
   */
  async append(record: SessionRecord): Promise<void> {
    const text = JSON.stringify(record);
    const seal = await this.#options.seal.sign(this.#toSealedPart(text));
    const line = seal === null ? text : `${text.slice(0, -1)},"seal":"${seal}"}`;
    const bytes = new TextEncoder().encode(`\n${line}\n`);
    appendOwnFile(this.#path, bytes);
  }

  /** All records so far. Two calls at the same time share one read. */
  read(): Promise<RecordsResult> {
    this.#reading ??= this.#readNew().finally(() => this.#reading = null);
    return this.#reading;
  }

  async #readNew(): Promise<RecordsResult> {
    const bytes = await this.#readBytes();
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const mark = this.#options.readMark();
      const own = Math.min(end, countAcceptedBytes(mark, bytes, this.#offset));
      const added = [
        ...await this.#parseLines(bytes.subarray(0, own), UNKNOWN_MARK),
        ...await this.#parseLines(bytes.subarray(own, end), mark),
      ];
      this.#offset += end;
      if (added.length > 0) this.#records = [...this.#records, ...added];
    }
    return { records: this.#records, rejectedLines: this.#rejectedLines };
  }

  /**
   * Size and hash of the present file, for a mark that accepts it as it is; null for an empty file.
   */
  measure(): AcceptedRecords | null {
    const bounds = { within: dirname(this.#path), maxBytes: LIMITS.wholeFileBytes.value };
    const reading = readRegularFile(this.#path, bounds);
    const bytes = reading.kind === "read" ? reading.bytes : new Uint8Array();
    return bytes.length === 0 ? null : { bytes: bytes.length, hash: hashBytes(bytes) };
  }

  async #parseLines(bytes: Uint8Array, mark: RevisionMark): Promise<readonly SessionRecord[]> {
    const records: SessionRecord[] = [];
    for (const line of new TextDecoder().decode(bytes).split("\n")) {
      if (line === "") continue;
      const record = await this.#parseLine(line, mark);
      if (record === undefined) this.#rejectedLines++;
      else records.push(record);
    }
    return records;
  }

  async #readBytes(): Promise<Uint8Array> {
    checkOwnFile(this.#path);
    try {
      return await withFile(this.#path, { read: true }, (file) => this.#readRest(file));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) {
        throw makeIoError(`read "${this.#path}"`, error);
      }
      this.#startAgain();
      return new Uint8Array();
    }
  }

  /** The bytes that were added to the file since the last read. */
  async #readRest(file: Deno.FsFile): Promise<Uint8Array> {
    const { size } = await file.stat();
    if (size < this.#offset) this.#startAgain();
    if (size > LIMITS.wholeFileBytes.value) throw makeTooLargeError(this.#path, size);
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

  async #parseLine(line: string, mark: RevisionMark): Promise<SessionRecord | undefined> {
    const match = LINE_SEAL.exec(line);
    const text = match === null ? line : `${line.slice(0, match.index)}}`;
    let record: SessionRecord | undefined;
    try {
      record = parseRecord(JSON.parse(text));
    } catch {
      return undefined;
    }
    if (record === undefined) return undefined;
    const verdict = await this.#options.seal.check(this.#toSealedPart(text), match?.[1] ?? null);
    const judgement = judgeSeal(verdict, mark);
    return judgement === "vouched" || judgement === "unchecked" ? record : undefined;
  }

  /**
   * The sealed text includes the session's id, so that a line copied from another session is
   * rejected.
   */
  #toSealedPart(text: string): string {
    return `${this.#options.sessionId}\n${text}`;
  }
}

/**
 * Number of bytes from `offset` on that this home folder accepted unsealed. Where the beginning of
 * the file was changed, none of them count.
 */
function countAcceptedBytes({ came }: RevisionMark, bytes: Uint8Array, offset: number): number {
  if (came === null || offset > 0 || came.bytes > bytes.length) return 0;
  return hashBytes(bytes.subarray(0, came.bytes)) === came.hash ? came.bytes : 0;
}

function hashBytes(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function makeTooLargeError(path: string, sizeBytes: number): CodeIntelError {
  const most = LIMITS.wholeFileBytes.value;
  return new CodeIntelError(
    "control_file_unusable",
    `Cannot use "${path}": it has ${sizeBytes} bytes, and at most ${most} are read`,
    { hint: "Move the file away; the session then goes on without the records of its calls." },
  );
}
