/** Reads a file and knows that the bytes belong to the stamp: a file that changes meanwhile is read again. */
import { createHash } from "node:crypto";
import { readRegularFile } from "../../base/files/regular_file.ts";
import { shortenHash } from "../read/file_queries.ts";
import type { FileStamp } from "../../base/files/file_stamp.ts";
import { isSameStamp } from "../../base/files/file_stamp.ts";
import { readEntry } from "./scanner.ts";

/** Longest mean line of code that a person wrote. */
const MAX_MEAN_LINE_BYTES = 400;
/** Shorter files are analysed however long their lines are. */
const MIN_MINIFIED_BYTES = 8 * 1024;
const HEAD_BYTES = 2 * 1024;
const HEAD_LINES = 12;
// A paragraph of prose is one long line.
const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc)$/i;

const GENERATED_NAMES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]*[-.]lock\.(?:json|ya?ml)|[^/]+\.lock|go\.sum|[^/]+\.min\.(?:js|css)|[^/]+\.(?:js|css)\.map)$/i;
// Only in comments near the top: a program that writes such lines has them in its strings below.
const GENERATED_MARK =
  /^\s*(?:\/\/|\/?\*+|#|--|;|<!--|%|"""|''').{0,80}(?:@generated\b|\bcode generated\b.{0,80}\bdo not edit\b|\bauto-?generated\b.{0,80}\b(?:do not|don't) (?:edit|modify)\b|\bthis file (?:is|was) (?:auto(?:matically)?[- ]?)?generated\b)/i;

/** Why a content is left out, or null when it is analysed. */
export function judgeContent(path: string, bytes: Uint8Array): string | null {
  if (isBinary(bytes)) return "binary";
  if (GENERATED_NAMES.test(path)) return "generated (by its name)";
  if (isMinified(path, bytes)) return "minified (its lines are too long)";
  return isGenerated(bytes) ? "generated (as its first lines say)" : null;
}

function isBinary(bytes: Uint8Array): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !isUtf16 && bytes.includes(0);
}

function isMinified(path: string, bytes: Uint8Array): boolean {
  if (bytes.length < MIN_MINIFIED_BYTES || PROSE.test(path)) return false;
  const enough = bytes.length / MAX_MEAN_LINE_BYTES;
  let lines = 1;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (++lines > enough) return false;
  }
  return true;
}

function isGenerated(bytes: Uint8Array): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  return head.split("\n", HEAD_LINES).some((line) => GENERATED_MARK.test(line));
}

/** A file as it was at one moment, or why there is no such moment. */
export type FileRead =
  | {
    readonly kind: "read";
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly stamp: FileStamp;
    /** Before the first byte was read. */
    readonly hashedAtMs: number;
  }
  | { readonly kind: "gone" }
  /** It kept changing, or became something else: the next scan decides. */
  | { readonly kind: "restless" }
  | { readonly kind: "unreadable"; readonly stamp: FileStamp; readonly reason: string };

const ATTEMPTS = 3;
const UNREADABLE: ReadonlySet<string> = new Set(["unreadable", "link_outside"]);
/** Bytes of the hash that are kept: enough that nobody finds two contents with the same. */
const HASH_BYTES = 16;

/** Where the file may lie, and the clock. */
export interface ReadAtRestOptions {
  /** Root of the worktree: a folder of the list may have become a link that leads out of it. */
  readonly within: string;
  readonly nowMs: () => number;
}

/** Reads a whole file. Synchronous: small files take less time than a turn of the event loop. */
export function readStableFile(path: string, { within, nowMs }: ReadAtRestOptions): FileRead {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const hashedAtMs = nowMs();
    const before = readEntry(path);
    if (before.kind === "gone") return { kind: "gone" };
    if (before.kind !== "file") return { kind: "restless" };
    // One byte more than it had, so that a file which grows is not taken for one that is too large.
    const maxBytes = before.stamp.sizeBytes + 1;
    const reading = readRegularFile(path, { within, maxBytes });
    if (reading.kind === "absent") return { kind: "gone" };
    if (reading.kind === "refused" && UNREADABLE.has(reading.why)) {
      return {
        kind: "unreadable",
        stamp: before.stamp,
        reason: reading.reason.replace(/^it /, ""),
      };
    }
    if (reading.kind === "refused") continue;
    const { bytes } = reading;
    const after = readEntry(path);
    const { stamp } = before;
    if (
      after.kind === "file" && isSameStamp(stamp, after.stamp) && bytes.length === stamp.sizeBytes
    ) {
      return { kind: "read", bytes, stamp, hashedAtMs };
    }
  }
  return { kind: "restless" };
}

/** The hash by which a content is known: the first half of SHA-256. */
export function hashContent(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(bytes).digest().subarray(0, HASH_BYTES));
}

/** The digits by which the names of chunks tell a content. */
export function hashContentShort(bytes: Uint8Array): string {
  return shortenHash(hashContent(bytes));
}
