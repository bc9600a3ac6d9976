/**
 * Answers of the store as bytes, for the memory that two threads share: JSON, behind it the bytes of binary values. The
 * runtime's own `serialize` and `deserialize` keep what they were given for ever, in both threads. Pure.
 */
import { concatBytes } from "../../../base/bytes.ts";
import type { Row, Value } from "../../../index/read/reader.ts";
import type { LinkAnswer } from "./link_protocol.ts";

/** Stands in the JSON for a binary value; no other value of a row is an object. */
interface Binary {
  readonly length: number;
}

/** Bytes of the number at the beginning: how long the JSON is. */
const HEAD_BYTES = 4;

/** The answer as bytes. */
export function packAnswer(answer: LinkAnswer): Uint8Array {
  const binaries: Uint8Array[] = [];
  const json = new TextEncoder().encode(JSON.stringify(
    answer.kind === "failed" ? answer : {
      ...answer,
      results: answer.results.map((one) => ({
        ...one,
        rows: one.rows.map((row) => takeBinaries(row, binaries)),
      })),
    },
  ));
  const head = new Uint8Array(HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, json.length);
  return concatBytes([head, json, ...binaries]);
}

/** The answer that {@link packAnswer} made bytes of. */
export function unpackAnswer(all: Uint8Array): LinkAnswer {
  const length = new DataView(all.buffer, all.byteOffset).getUint32(0);
  let at = HEAD_BYTES + length;
  const answer: LinkAnswer = JSON.parse(
    new TextDecoder().decode(all.subarray(HEAD_BYTES, at)),
  );
  if (answer.kind === "failed" || at === all.length) return answer;
  const take = ({ length: size }: Binary) => all.slice(at, at += size);
  for (const { rows } of answer.results) {
    for (const row of rows as Record<string, Value | Binary>[]) {
      for (const [name, value] of Object.entries(row)) {
        if (typeof value === "object" && value !== null) row[name] = take(value);
      }
    }
  }
  return answer;
}

function takeBinaries(row: Row, binaries: Uint8Array[]): Readonly<Record<string, unknown>> {
  const names = Object.keys(row).filter((name) => row[name] instanceof Uint8Array);
  if (names.length === 0) return row;
  const made: Record<string, unknown> = { ...row };
  for (const name of names) {
    const bytes = row[name] as Uint8Array;
    binaries.push(bytes);
    made[name] = { length: bytes.length } satisfies Binary;
  }
  return made;
}
