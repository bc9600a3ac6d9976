/** Commits against their notes in real repositories: each way in which they do not belong together has its own code. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { VerifyChainOptions } from "../../../src/features/attest/verify_chain.ts";
import { formatMarkdown, formatText } from "../../../src/features/attest/summary.ts";
import { verifyChain } from "../../../src/features/attest/verify_chain.ts";
import { formatForcedLines } from "../../../src/phase/trailer.ts";
import { runGit } from "../../support/temp_repo.ts";
import { testNeeding } from "../../support/needs.ts";
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
  const [huge] = (await check(temp, "HEAD")).rows;
  deepEqual([huge?.subject, huge?.why], ["huge", "it has more than 512 KiB"]);
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
  const [other] = (await check(temp, "HEAD", rules)).rows;
  deepEqual([other?.code, other?.why], ["trailer_differs", "the runs are others"]);
  equal(other?.statement?.predicate.session.id, amended.sessionId);
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

/** A base with a file of ten lines, an attested commit that changes it on `task`, and a base `moved` that changes it too. */
async function createBranches() {
  const temp = await createAttestedRepo();
  const lines = [..."0123456789"].map((name) => `line ${name}`);
  const write = async (text: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    await temp.write({ "ten.txt": `${text.join("\n")}\n`, ...more });
    await temp.git("add", "-A");
  };
  await write(lines);
  await temp.git("commit", "-q", "-m", "ten lines");
  const first = await temp.git("rev-parse", "HEAD");
  await temp.git("switch", "-q", "-c", "task");
  await write(lines.with(0, "of the task"), { "new.txt": "new\n" });
  const worked = await temp.claim("work");
  await temp.attest(worked);
  await temp.git("switch", "-q", "-c", "moved", first);
  await write(lines.with(9, "of the base"), { "base.txt": "base\n" });
  await temp.git("commit", "-q", "-m", "base moved");
  /** A merge commit with the trailer of the session and any tree. */
  const merge = async (tree: string, ...parents: readonly string[]) => {
    const message = `merged\n\nCode-Intel-Session: ${worked.sessionId}\n`;
    const named = parents.flatMap((parent) => ["-p", parent]);
    return await temp.git("commit-tree", tree, ...named, "-m", message);
  };
  /** The tree of a commit with one file more. */
  const withFile = async (commit: string, name: string) => {
    await temp.git("switch", "-q", "--detach", commit);
    await temp.write({ [name]: "evil\n" });
    await temp.git("add", name);
    const tree = await temp.git("write-tree");
    await temp.git("reset", "-q", "--hard");
    return tree;
  };
  return { temp, first, lines, write, merge, withFile };
}

Deno.test("verifyChain() takes a merge only as git makes it of its parents, whoever made it and however", async () => {
  const { temp, first, lines, write, merge, withFile } = await createBranches();
  await using _ = temp;
  const rules = { allowUnsigned: true };
  const own = async (ours: string) => await temp.git("merge-tree", "--write-tree", ours, "task");
  await temp.git("switch", "-q", "-c", "renamed", first);
  await temp.git("mv", "ten.txt", "lines.txt");
  await temp.git("commit", "-q", "-m", "renamed");
  await temp.git("switch", "-q", "-c", "clash", first);
  await write(lines.with(0, "of the base too"));
  await temp.git("commit", "-q", "-m", "clash");
  const stillEvil = await withFile("task", "evil.txt");
  const movedEvil = await withFile(await merge(await own("moved"), "moved", "task"), "evil.txt");
  const rows: readonly (readonly [name: string, code: string, why: RegExp, commit: string])[] = [
    ["still", "merge", /^$/, await merge("task^{tree}", first, "task")],
    ["moved", "merge_moved", /^$/, await merge(await own("moved"), "moved", "task")],
    ["renamed", "merge_moved", /^$/, await merge(await own("renamed"), "renamed", "task")],
    [
      "evil in a still base",
      "merge_differs",
      /differs in evil\.txt$/,
      await merge(stillEvil, first, "task"),
    ],
    [
      "evil in a moved base",
      "merge_differs",
      /differs in evil\.txt$/,
      await merge(movedEvil, "moved", "task"),
    ],
    [
      "-s ours",
      "merge_differs",
      /differs in new\.txt, ten\.txt$/,
      await merge("moved^{tree}", "moved", "task"),
    ],
    [
      "-s ours, still",
      "merge_differs",
      /differs in new\.txt, ten\.txt$/,
      await merge(`${first}^{tree}`, first, "task"),
    ],
    [
      "the base taken back",
      "merge_differs",
      /differs in base\.txt, ten\.txt$/,
      await merge("task^{tree}", "moved", "task"),
    ],
    [
      "resolved by hand",
      "merge_differs",
      /conflicts in ten\.txt$/,
      await merge("task^{tree}", "clash", "task"),
    ],
    ["swapped", "merge_unproven", /^$/, await merge(await own("moved"), "task", "moved")],
    ["three parents", "missing", /^$/, await merge(await own("moved"), "moved", "task", "renamed")],
  ];
  const objects = await temp.git("count-objects");
  for (const [name, code, why, commit] of rows) {
    const [row] = (await check(temp, commit, rules)).rows;
    deepEqual([row?.code, why.test(row?.why ?? "")], [code, true], `${name}: ${row?.why}`);
  }
  equal(await temp.git("count-objects"), objects, "nothing is left in the repository");
});

Deno.test("verifyChain() is not fooled by what only this clone replaces", async () => {
  const { temp, first, merge, withFile } = await createBranches();
  await using _ = temp;
  const rules = { allowUnsigned: true };
  const good = await merge("task^{tree}", first, "task");
  const evilTree = await withFile("task", "evil.txt");
  const evil = await merge(evilTree, first, "task");
  await temp.git("replace", evil, good);
  deepEqual(await codes(temp, evil, rules), { merged: "merge_differs" });
  await temp.git("replace", "-d", evil);
  await temp.git("replace", evilTree, await temp.git("rev-parse", "task^{tree}"));
  deepEqual(await codes(temp, evil, rules), { merged: "merge_differs" });
  // A graft shows other parents: of these the tree would be git's own merge.
  const made = await merge("task^{tree}", "moved", "task");
  await temp.write({
    ".git/info/grafts": `${made} ${first} ${await temp.git("rev-parse", "task")}\n`,
  });
  deepEqual(await codes(temp, made, rules), { merged: "merge_differs" });
});

Deno.test("verifyChain() tells of a forced completion, and finds where a commit is silent about it", async () => {
  await using temp = await createAttestedRepo();
  const first = await temp.git("rev-parse", "HEAD");
  const issues = ["a secret\nin the log", "x".repeat(900)];
  const forced = formatForcedLines({ forced: issues });
  const told = await temp.claim("told", { forced });
  await temp.attest(told, { forced: issues });
  const silent = await temp.claim("silent");
  await temp.attest(silent, { forced: issues });
  const invented = await temp.claim("invented", { forced });
  await temp.attest(invented);
  const range = `${first}..HEAD`;
  const rules = { allowUnsigned: true };
  const found = { silent: "trailer_differs", invented: "trailer_differs" };
  deepEqual(await codes(temp, range, rules), { ...found, told: "unsigned" });
  deepEqual(await codes(temp, range, { ...rules, values: ["yes"] }), {
    ...found,
    told: "not_enough",
  });
  const values = ["yes", "forced"];
  deepEqual(await codes(temp, range, { ...rules, values }), { ...found, told: "unsigned" });
  const [row] = (await check(temp, told.commit, rules)).rows;
  if (row === undefined) throw new Error("no row");
  const summary = { rows: [{ ...row, rerun: null }], notices: [] };
  for (const print of [formatText, formatMarkdown]) {
    match(print(summary).join("\n"), /forced with 2 open issues: a secret/);
  }
});
