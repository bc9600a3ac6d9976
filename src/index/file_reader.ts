/** Reads a file and knows that the bytes belong to the stamp: a file that changes meanwhile is read again. */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { readRegularFile } from "../base/regular_file.ts";
import { toShortHash } from "./file_queries.ts";
import { isSameStamp, lookAt } from "./file_stamp.ts";
import type { FileStamp } from "./file_table.ts";

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
/** Bytes of the hash that are kept: enough that nobody finds two contents with the same. */
const HASH_BYTES = 16;

/** Reads a whole file. Synchronous: small files take less time than a turn of the event loop. */
export function readFileAtRest(path: string, nowMs: () => number): FileRead {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const hashedAtMs = nowMs();
    const before = lookAt(path);
    if (before.kind === "gone") return { kind: "gone" };
    if (before.kind !== "file") return { kind: "restless" };
    // One byte more than it had, so that a file which grows is not taken for one that is too large.
    const maxBytes = before.stamp.sizeBytes + 1;
    const reading = readRegularFile(path, { within: dirname(path), maxBytes });
    if (reading.kind === "absent") return { kind: "gone" };
    if (reading.kind === "refused" && reading.why === "unreadable") {
      return {
        kind: "unreadable",
        stamp: before.stamp,
        reason: reading.reason.replace(/^it /, ""),
      };
    }
    if (reading.kind === "refused") continue;
    const { bytes } = reading;
    const after = lookAt(path);
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
export function hashOfContent(bytes: Uint8Array): string {
  return toShortHash(hashContent(bytes));
}
