/** The append-only records: whole lines from several processes, and nothing that was not written here. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createSeal } from "../../src/base/files/seal.ts";
import type { SessionRecord } from "../../src/session/records.ts";
import { RecordsFile } from "../../src/session/records_file.ts";
import type { RevisionMark } from "../../src/session/revision_marks.ts";
import { UNKNOWN_MARK } from "../../src/session/revision_marks.ts";
import { SAMPLE_ID } from "./sample_state.ts";

function note(text: string): SessionRecord {
  return { kind: "note", at: new Date(Date.now() + 60_000).toISOString(), code: "test", text };
}

function toTexts(records: readonly SessionRecord[]): readonly string[] {
  return records.map((record) => record.kind === "note" ? record.text : record.kind);
}

interface Place {
  readonly path: string;
  readonly open: (sessionId?: string, mark?: RevisionMark) => RecordsFile;
}

/** What this home remembers of a session that it began with a key. */
const OWN: RevisionMark = { ...UNKNOWN_MARK, isKnown: true, isSealed: true, revision: 1 };

async function withRecords(action: (place: Place) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "records.jsonl");
  const seal = createSeal(folder);
  try {
    await action({
      path,
      open: (sessionId = SAMPLE_ID, mark = OWN) =>
        new RecordsFile(path, { sessionId, seal, readMark: () => mark }),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("read() gives the records in order, and later only reads what is new", () =>
  withRecords(async ({ path, open }) => {
    const [writer, reader] = [open(), open()];
    deepEqual(await reader.read(), { records: [], rejectedLines: 0 });
    await writer.append(note("one"));
    await writer.append(note("two\nwith a line end"));
    deepEqual(toTexts((await reader.read()).records), ["one", "two\nwith a line end"]);
    // The old bytes are spoiled without a change of length: who reads them again would notice.
    const { size } = await Deno.stat(path);
    using file = await Deno.open(path, { write: true });
    await file.write(new Uint8Array(size).fill(120));
    await writer.append(note("three"));
    const after = await reader.read();
    deepEqual(toTexts(after.records), ["one", "two\nwith a line end", "three"]);
    equal(after.rejectedLines, 0);
  }));

Deno.test("read() passes over a torn last line, and an append after it is whole", () =>
  withRecords(async ({ path, open }) => {
    await open().append(note("one"));
    await Deno.writeTextFile(path, '\n{"kind":"note","at":"2026', { append: true });
    const reader = open();
    deepEqual(await reader.read().then(({ records }) => toTexts(records)), ["one"]);
    await open().append(note("two"));
    const result = await reader.read();
    deepEqual(toTexts(result.records), ["one", "two"]);
    equal(result.rejectedLines, 1);
  }));

Deno.test("read() takes no line that was written by hand, edited, or copied from another session", () =>
  withRecords(async ({ path, open }) => {
    await open().append(note("ours"));
    await open("session_20260131_142531_bbbb").append(note("theirs"));
    const text = await Deno.readTextFile(path);
    const edited = text.replace('"ours"', '"edited"');
    await Deno.writeTextFile(path, `${edited}${JSON.stringify(note("by hand"))}\n`, {
      append: true,
    });
    const result = await open().read();
    deepEqual(toTexts(result.records), ["ours"]);
    equal(result.rejectedLines, 4, "theirs twice, edited, by hand");
  }));

Deno.test("read() takes no line without a seal, however old it says that it is", () =>
  withRecords(async ({ path, open }) => {
    await open().append(note("ours"));
    const forged = { ...note("back-dated"), at: "2000-01-01T00:00:00.000Z" };
    await Deno.writeTextFile(path, `${JSON.stringify(forged)}\n`, { append: true });
    const { records, rejectedLines } = await open().read();
    deepEqual([toTexts(records), rejectedLines], [["ours"], 1]);
    // Of a session that came from elsewhere nobody knows what was in it.
    deepEqual(toTexts((await open(SAMPLE_ID, UNKNOWN_MARK).read()).records), [
      "ours",
      "back-dated",
    ]);
  }));

Deno.test("read() takes what came along with a session as it came, and no line more", () =>
  withRecords(async ({ path, open }) => {
    await Deno.writeTextFile(path, `${JSON.stringify(note("from elsewhere"))}\n`);
    const came = await open().measure();
    const taken = { ...OWN, came };
    await open().append(note("ours"));
    await Deno.writeTextFile(path, `${JSON.stringify(note("by hand"))}\n`, { append: true });
    const result = await open(SAMPLE_ID, taken).read();
    deepEqual([toTexts(result.records), result.rejectedLines], [["from elsewhere", "ours"], 1]);
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace("from elsewhere", "from_elsewhere"));
    deepEqual(toTexts((await open(SAMPLE_ID, taken).read()).records), ["ours"]);
  }));

Deno.test("read() starts again when the file was replaced by a shorter one", () =>
  withRecords(async ({ path, open }) => {
    const reader = open();
    await open().append(note("a long text to begin with"));
    await reader.read();
    await Deno.remove(path);
    deepEqual((await reader.read()).records, []);
    await open().append(note("b"));
    deepEqual(toTexts((await reader.read()).records), ["b"]);
  }));

Deno.test("append() from several processes at once mixes no lines", () =>
  withRecords(async ({ path, open }) => {
    await open().append(note("first, so that there is a key"));
    const program = join(import.meta.dirname ?? "", "records_writer.ts");
    const children = ["a", "b", "c"].map((name) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-check", "--no-lock", "-A", program, path, name, "60"],
      }).output()
    );
    for (const { success } of await Promise.all(children)) equal(success, true);
    const { records, rejectedLines } = await open().read();
    equal(rejectedLines, 0);
    equal(records.length, 181);
    for (const name of ["a", "b", "c"]) {
      const own = toTexts(records).filter((text) => text.startsWith(name));
      const expected = Array.from({ length: 60 }, (_, n) => `${name}${n}`);
      deepEqual(own.map((text) => text.split(" ")[0]), expected, `${name} in its own order`);
    }
  }));
