/** Commits against their notes in real repositories: each way in which they do not belong together has its own code. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { VerifyChainOptions } from "../../src/attest/mod.ts";
import { verifyChain } from "../../src/attest/mod.ts";
import { runGit } from "../support/temp_repo.ts";
import { testNeeding } from "../support/needs.ts";
import type { AttestedRepo } from "./attested_repo.ts";
import { createAttestedRepo, toRun } from "./attested_repo.ts";

const RULES = { allowUnsigned: false, signers: [], values: [], everyCommit: false };

async function check(
  { repo }: Pick<AttestedRepo, "repo">,
  range: string,
  rules: Partial<VerifyChainOptions> = {},
) {
  const report = await verifyChain(repo, { ...RULES, range, ...rules });
  if (report.kind !== "report") throw new Error(report.said);
  return report;
}

/** The codes of the commits by the first line of their messages. */
async function codes(...[temp, range, rules]: Parameters<typeof check>) {
  const { rows } = await check(temp, range, rules);
  return Object.fromEntries(rows.map(({ subject, code }) => [subject, code]));
}

testNeeding(
  ["ssh_keygen"],
  "attested, forged, copied, missing and unsigned commits are told apart",
  async () => {
    await using temp = await createAttestedRepo();
    const first = await temp.git("rev-parse", "HEAD");
    const other = await temp.useKey("other");
    const unknown = await temp.claim("unknown key");
    await temp.attest(unknown);
    const signers = await temp.useKey("anna");
    const good = await temp.claim("good");
    await temp.attest(good);
    const copied = await temp.claim("copied");
    await temp.putNote(copied.commit, await temp.note(good.commit));
    const forged = await temp.claim("forged");
    await temp.attest(forged, { run: toRun() });
    await temp.putNote(
      forged.commit,
      (await temp.note(forged.commit)).replace('"passed":3', '"passed":9'),
    );
    await temp.claim("missing");
    // A real session's name and value do not make the work of anybody else that session's.
    await temp.claim("invented", { sessionId: good.sessionId });
    const differs = await temp.claim("trailer differs", { verified: "yes" });
    await temp.attest(differs, { verified: "self-reported" });
    const red = await temp.claim("red");
    await temp.attest(red, { run: toRun({}, 1) });
    const counted = await temp.claim("counted");
    await temp.attest(counted, { run: toRun({}, 0, { failed: 2 }) });
    const empty = await temp.claim("empty");
    await temp.attest(empty, { run: toRun({}, 0, { passed: 0 }) });
    await temp.useNoKey();
    const unsigned = await temp.claim("unsigned");
    await temp.attest(unsigned);
    await temp.commit("nothing claimed", { "plain.txt": "x" });
    const file = join(temp.dir, ".git", "signers");
    await Deno.writeTextFile(file, signers);
    const range = `${first}..HEAD`;
    const found = {
      "unknown key": "unknown_key",
      good: "attested",
      copied: "copied",
      forged: "bad_signature",
      missing: "missing",
      invented: "missing",
      counted: "inconsistent",
      empty: "inconsistent",
      "trailer differs": "trailer_differs",
      red: "inconsistent",
      unsigned: "unsigned",
      "nothing claimed": "unclaimed",
    };
    const known = { allowedSigners: file };
    deepEqual(await codes(temp, range, known), found);
    const { rows } = await check(temp, range, known);
    equal(rows.find(({ code }) => code === "attested")?.signer, "anna@example.org");
    // Without any known key a good signature is unknown, and a bad one is still bad.
    deepEqual(await codes(temp, range), { ...found, good: "unknown_key" });
    const levels = (await check(temp, range, { ...known, allowUnsigned: true, everyCommit: true }))
      .rows.map(({ subject, level }) => [subject, level]);
    deepEqual(Object.fromEntries(levels), {
      "unknown key": "note",
      good: "good",
      copied: "finding",
      forged: "finding",
      missing: "finding",
      invented: "finding",
      counted: "finding",
      empty: "finding",
      "trailer differs": "finding",
      red: "finding",
      unsigned: "note",
      "nothing claimed": "finding",
    });
    const print = (await check(temp, unknown.commit)).rows[0]?.fingerprint ?? "";
    deepEqual(await codes(temp, range, { ...known, signers: [print] }), {
      ...found,
      good: "other_signer",
      "unknown key": "attested",
    });
    deepEqual(await codes(temp, good.commit, { ...known, values: ["yes (worktree)"] }), {
      good: "not_enough",
    });
    match(other, /^other@example\.org ssh-ed25519 /);
  },
);

Deno.test("notes of strangers are no statements, whatever they hold", async () => {
  await using temp = await createAttestedRepo();
  const first = await temp.git("rev-parse", "HEAD");
  const good = await temp.claim("good");
  await temp.attest(good);
  const raw = await temp.note(good.commit);
  const [head = "", payload = ""] = raw.split("\n\n");
  const statement = JSON.parse(payload);
  const rows: readonly (readonly [name: string, text: string])[] = [
    ["empty", "\n"],
    ["prose", "I promise that all is well\n"],
    ["no JSON", `${head}\n\n{"_type":\n`],
    ["deep", `${head}\n\n${"[".repeat(200_000)}\n`],
    ["spaces", `${head}\n\n${JSON.stringify(statement, null, 1)}\n`],
    ["twice", `${head}\n\n${payload.replace('{"_type"', '{"_type":1,"_type"')}\n`],
    ["other type", `${head}\n\n${payload.replace("verification/v1", "verification/v9")}\n`],
    ["wrong types", `${head}\n\n${payload.replace('"findings":[', '"findings":[1,')}\n`],
    ["with a tree", raw.replace(/^tree \w+/, `tree ${good.tree}`)],
    ["with a parent", raw.replace("\nauthor", `\nparent ${first}\nauthor`)],
    [
      "a tag",
      `object ${first}\ntype commit\ntag v1\ntagger T <t@example.org> 1 +0000\n\n${payload}`,
    ],
    ["huge", `${raw}${" ".repeat(600 * 1024)}`],
  ];
  const expected: Record<string, string> = {};
  for (const [name, text] of rows) {
    const { commit } = await temp.claim(name);
    await temp.putNote(commit, text);
    expected[name] = "unreadable";
  }
  deepEqual(await codes(temp, `${good.commit}..HEAD`), expected);
});

Deno.test("amended, rebased and merged commits are told by their trees and parents", async () => {
  await using temp = await createAttestedRepo();
  const first = await temp.git("rev-parse", "HEAD");
  const rules = { allowUnsigned: true };
  const amended = await temp.claim("before");
  await temp.attest(amended);
  const message = (await temp.git("log", "-1", "--format=%B")).replace("before", "amended");
  await temp.git("commit", "-q", "--amend", "--allow-empty", "-m", message);
  deepEqual(await codes(temp, `${first}..HEAD`, rules), { amended: "unsigned" });
  await temp.git("commit", "-q", "--amend", "--allow-empty", "-m", message.replace("yes", "no"));
  deepEqual(await codes(temp, `${first}..HEAD`, rules), { amended: "trailer_differs" });
  await temp.git(
    "commit",
    "-q",
    "--amend",
    "--allow-empty",
    "-m",
    `${message}Code-Intel-Run: check: 900 passed`,
  );
  deepEqual(await codes(temp, "HEAD", rules), { amended: "trailer_differs" });
  // A claim in the middle of a message is one as well.
  await temp.git(
    "commit",
    "-q",
    "--amend",
    "--allow-empty",
    "-m",
    `a\n\nCode-Intel-Verified: yes\n\nThe end.`,
  );
  deepEqual(await codes(temp, "HEAD", rules), { a: "missing" });
  await temp.write({ "more.txt": "more" });
  await temp.git("add", "-A");
  await temp.git("commit", "-q", "--amend", "--allow-empty", "-m", message);
  const [row] = (await check(temp, "HEAD", rules)).rows;
  deepEqual([row?.code, row?.why], [
    "rewritten",
    `the note is about ${amended.commit.slice(0, 12)}`,
  ]);

  await temp.git("switch", "-q", "-c", "task", first);
  const worked = await temp.claim("work");
  await temp.attest(worked);
  const trailer = `merged\n\nCode-Intel-Session: ${worked.sessionId}`;
  await temp.git("switch", "-q", "-c", "still", first);
  await temp.git("merge", "-q", "--no-ff", "task", "-m", trailer);
  deepEqual(await codes(temp, "HEAD", rules), { merged: "merge" });
  await temp.git("switch", "-q", "-c", "moved", "main");
  await temp.git("merge", "-q", "--no-ff", "task", "-m", trailer);
  deepEqual(await codes(temp, "HEAD", rules), { merged: "merge_moved" });
  deepEqual(await codes(temp, "HEAD"), { merged: "merge_unproven" });
});

Deno.test("a range that is none is said so, and so is a repository without notes", async () => {
  await using temp = await createAttestedRepo();
  for (const range of ["nowhere..HEAD", "--all", "HEAD^{/x}"]) {
    equal((await verifyChain(temp.repo, { ...RULES, range })).kind, "unknown_range", range);
  }
  await temp.claim("missing");
  await temp.git("tag", "-a", "v1", "-m", "a tag, whose commit is meant");
  deepEqual(await codes(temp, "v1"), { missing: "missing" });
  const { notices } = await check(temp, "HEAD");
  match(notices.join(), /No note is here: fetch them/);
});

Deno.test("a clone has the notes once it fetched them, and git gc leaves them", async () => {
  await using temp = await createAttestedRepo();
  const made = await temp.claim("work");
  await temp.attest(made);
  await temp.git("gc", "-q", "--prune=now");
  deepEqual(await codes(temp, "HEAD", { allowUnsigned: true }), { work: "unsigned" });
  const beside = await Deno.makeTempDir();
  await runGit(beside, ["clone", "-q", temp.dir, "clone"]);
  const clone = join(beside, "clone");
  equal(await runGit(clone, ["for-each-ref", "refs/notes"]), "");
  await runGit(clone, ["fetch", "-q", "origin", "refs/notes/code-intel:refs/notes/code-intel"]);
  equal(
    await runGit(clone, ["notes", "--ref=code-intel", "show", "HEAD"]) + "\n",
    await temp.note(made.commit),
  );
});
