/** The notes of the program on real git: writers at the same time, worktrees, and the person's own notes. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { readNoteTexts, writeNote } from "../../../src/features/attest/note_texts.ts";
import { listNotes } from "../../../src/git/branches/own_refs.ts";
import { openRepository } from "../../../src/git/repository.ts";
import { createTempRepo, expectUntouched, runGit } from "../../support/temp_repo.ts";

Deno.test("writeNote() loses no note of writers that come at the same time, in any worktree", async () => {
  await using temp = await createTempRepo();
  const commits: string[] = [];
  for (let at = 0; at < 6; at++) commits.push(await temp.commit(`${at}`));
  const beside = join(await Deno.makeTempDir(), "beside");
  await temp.git("worktree", "add", "-q", "--detach", beside);
  const other = await openRepository(beside);
  if (other === null) throw new Error("no worktree");
  await temp.git("notes", "add", "-m", "mine", "HEAD");
  await expectUntouched(temp, async () => {
    await Promise.all(
      commits.map((commit, at) =>
        writeNote(at % 2 === 0 ? temp.repo : other, { commit, text: `note ${at}\n` })
      ),
    );
  });
  const { entries } = await listNotes(other);
  const texts = await readNoteTexts(temp.repo, [...entries.values()].flatMap((one) => one ?? []));
  const found = commits.map((commit) => texts.get(entries.get(commit)?.oid ?? ""));
  deepEqual(found, commits.map((_commit, at) => `note ${at}\n`));
  equal(await temp.git("notes", "show", "HEAD"), "mine");
  equal(await temp.git("notes", "--ref=code-intel", "show", commits[2] ?? ""), "note 2");
  equal(await runGit(temp.dir, ["count-objects"]).then((line) => line.length > 0), true);
});

Deno.test("writeNote() replaces a note, and writes none that is there already", async () => {
  await using temp = await createTempRepo();
  const commit = await temp.git("rev-parse", "HEAD");
  equal(await writeNote(temp.repo, { commit, text: "one\n" }), true);
  const { tip } = await listNotes(temp.repo);
  equal(await writeNote(temp.repo, { commit, text: "one\n" }), false);
  equal((await listNotes(temp.repo)).tip, tip);
  equal(await writeNote(temp.repo, { commit, text: "two\n" }, () => true), false);
  equal(await writeNote(temp.repo, { commit, text: "two\n" }), true);
  equal(await temp.git("notes", "--ref=code-intel", "show", commit), "two");
});

Deno.test("readNoteTexts() leaves out what is no text", async () => {
  await using temp = await createTempRepo();
  const file = join(temp.dir, ".git", "bytes");
  await Deno.writeFile(file, new Uint8Array([0xff, 0xfe, 0x0a]));
  const oid = await temp.git("hash-object", "-w", file);
  deepEqual([...await readNoteTexts(temp.repo, [{ oid, sizeBytes: 3 }])], []);
});
