import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import type { MakeCommitOptions } from "../../src/git/mod.ts";
import {
  buildCommitTree,
  compareSession,
  diffTrees,
  makeCommit,
  readBlobText,
  toCommitMessage,
  writeWorktreeTree,
} from "../../src/git/mod.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo, expectUntouched } from "../support/temp_repo.ts";

const SESSION = "session_20261121_101500_3fa9";
const TEXT = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`);

async function takeTree(temp: TempRepo): Promise<string> {
  return (await writeWorktreeTree(temp.repo, { sessionId: SESSION })).tree;
}

function edit(...changes: readonly (readonly [line: number, text: string])[]): string {
  const lines = [...TEXT];
  for (const [line, text] of changes) lines[line - 1] = text;
  return lines.join("");
}

async function writeHook(temp: TempRepo, name: string, body: string): Promise<void> {
  const path = join(temp.dir, ".git", "hooks", name);
  await temp.write({ [`.git/hooks/${name}`]: `#!/bin/sh\n${body}\n` });
  await Deno.chmod(path, 0o755);
}

/** Options for a commit of one changed file on main. */
async function prepare(temp: TempRepo, content = "agent\n"): Promise<MakeCommitOptions> {
  const headCommit = await temp.git("rev-parse", "HEAD");
  const baselineTree = await takeTree(temp);
  await temp.write({ "a.txt": content });
  const currentTree = await takeTree(temp);
  const paths = ["a.txt"];
  const built = await buildCommitTree(temp.repo, { headCommit, baselineTree, currentTree, paths });
  return {
    branch: "main",
    message: "Change a\n\nCode-Intel-Session: x\n",
    tree: built.tree,
    parents: [headCommit],
    expectedHead: headCommit,
    acceptHookChanges: false,
    sessionId: SESSION,
  };
}

Deno.test("toCommitMessage() adds trailers that git reads back", async () => {
  await using temp = await createTempRepo();
  const cases: readonly (readonly [message: string, expected: string])[] = [
    ["Subject", "Subject\n\nA: 1\nB: two words\n"],
    ["Subject\n\nBody: not\na trailer", "Subject\n\nBody: not\na trailer\n\nA: 1\nB: two words\n"],
    ["Subject\r\n\r\nSigned-off-by: x\r\n", "Subject\n\nSigned-off-by: x\nA: 1\nB: two words\n"],
    ["Fix: it", "Fix: it\n\nA: 1\nB: two words\n"],
  ];
  for (const [message, expected] of cases) {
    const made = toCommitMessage(message, [["A", "1"], ["B", "two\n words "]]);
    equal(made, expected);
    await temp.git("commit", "-q", "--allow-empty", "-m", made);
    const format = "--format=%(trailers:key=A,valueonly,separator=)";
    equal(await temp.git("log", "-1", format), "1");
  }
  equal(toCommitMessage(" x ", []), "x\n");
});

Deno.test("L2.29: buildCommitTree() commits only the agent's hunks of a file that the person had changed", async () => {
  await using temp = await createTempRepo({ files: { "both.txt": edit(), "person.txt": "1\n" } });
  const headCommit = await temp.git("rev-parse", "HEAD");
  await temp.write({ "both.txt": edit([2, "person\n"]), "person.txt": "2\n", "stray.txt": "x\n" });
  const baselineTree = await takeTree(temp);
  await temp.write({ "both.txt": edit([2, "person\n"], [10, "agent\n"]), "mine.txt": "m\n" });
  const currentTree = await takeTree(temp);
  const trees = { headCommit, baselineTree, currentTree };
  const compared = await compareSession(temp.repo, trees);
  deepEqual(compared.session.map(({ path }) => path), ["both.txt", "mine.txt"]);
  deepEqual(compared.person.map(({ path }) => path), ["both.txt", "person.txt", "stray.txt"]);
  deepEqual(compared.both, ["both.txt"]);

  const paths = ["both.txt", "mine.txt"];
  const built = await expectUntouched(temp, () => buildCommitTree(temp.repo, { ...trees, paths }));
  deepEqual(built.inseparable, []);
  equal(await readBlobText(temp.repo, built.tree, "both.txt"), edit([10, "agent\n"]));
  deepEqual(
    (await diffTrees(temp.repo, headCommit, built.tree)).map(({ path }) => path),
    ["both.txt", "mine.txt"],
  );
  const whole = await buildCommitTree(temp.repo, { ...trees, paths, includePerson: ["both.txt"] });
  const text = await readBlobText(temp.repo, whole.tree, "both.txt");
  equal(text, edit([2, "person\n"], [10, "agent\n"]));
});

Deno.test("buildCommitTree() names files whose changes cannot be told apart", async () => {
  await using temp = await createTempRepo({
    files: { "same.txt": edit(), "blob.bin": "\0a\n", "gone.txt": "1\n" },
  });
  const headCommit = await temp.git("rev-parse", "HEAD");
  await temp.write({ "same.txt": edit([5, "person\n"]), "blob.bin": "\0b\n", "gone.txt": "2\n" });
  await temp.write({ "new.txt": "person's\n" });
  const baselineTree = await takeTree(temp);
  await temp.write({
    "same.txt": edit([5, "agent\n"]),
    "blob.bin": "\0c\n",
    "new.txt": "agent's\n",
  });
  await temp.remove("gone.txt");
  const currentTree = await takeTree(temp);
  const paths = ["same.txt", "blob.bin", "gone.txt", "new.txt"];
  const built = await buildCommitTree(temp.repo, { headCommit, baselineTree, currentTree, paths });
  deepEqual([...built.inseparable].sort(), [...paths].sort());
  ok(built.isEmpty);
});

Deno.test("buildCommitTree() takes renames, deletions, modes, binaries and links", async () => {
  await using temp = await createTempRepo({
    files: { "old.txt": edit(), "gone.txt": "other\n", "run.sh": "x\n", "f": "file\n" },
  });
  const headCommit = await temp.git("rev-parse", "HEAD");
  const baselineTree = await takeTree(temp);
  await Deno.rename(join(temp.dir, "old.txt"), join(temp.dir, "new name.txt"));
  await temp.remove("gone.txt", "f");
  await temp.write({ "f/inner": "folder now\n", "b.bin": new Uint8Array([0, 255]) });
  await Deno.chmod(join(temp.dir, "run.sh"), 0o755);
  await Deno.symlink("run.sh", join(temp.dir, "link"));
  const currentTree = await takeTree(temp);
  const paths = ["new name.txt", "gone.txt", "run.sh", "f", "f/inner", "b.bin", "link"];
  const built = await buildCommitTree(temp.repo, { headCommit, baselineTree, currentTree, paths });
  equal(built.tree, currentTree);
  const some = await buildCommitTree(temp.repo, {
    headCommit,
    baselineTree,
    currentTree,
    paths: ["new name.txt"],
  });
  const changes = await diffTrees(temp.repo, headCommit, some.tree);
  deepEqual(changes.map(({ path, from }) => [path, from]), [["new name.txt", "old.txt"]]);
});

Deno.test("buildCommitTree() takes a second pass on top of the first, also where it takes work back", async () => {
  await using temp = await createTempRepo({ files: { a: edit(), b: "1\n", c: "1\n" } });
  const cleanTree = await temp.git("rev-parse", "HEAD");
  await temp.write({ a: edit([2, "person\n"]) });
  const baselineTree = await takeTree(temp);
  await temp.write({ a: edit([2, "person\n"], [10, "first\n"]), b: "first\n", c: "first\n" });
  const first = await buildCommitTree(temp.repo, {
    headCommit: cleanTree,
    baselineTree,
    currentTree: await takeTree(temp),
    paths: ["a", "b", "c"],
  });
  const made = await makeCommit(temp.repo, {
    branch: "main",
    message: "First\n",
    tree: first.tree,
    parents: [cleanTree],
    expectedHead: cleanTree,
    acceptHookChanges: false,
    sessionId: SESSION,
  });
  const headCommit = made.kind === "made" ? made.commit : "";
  await temp.write({ a: edit([2, "person\n"], [10, "second\n"]), b: "second\n", c: "1\n" });
  const second = await buildCommitTree(temp.repo, {
    headCommit,
    cleanTree,
    baselineTree,
    currentTree: await takeTree(temp),
    paths: ["a", "b"],
  });
  deepEqual([second.inseparable, second.reverted], [[], ["c"]]);
  equal(await readBlobText(temp.repo, second.tree, "a"), edit([10, "second\n"]));
  equal(await readBlobText(temp.repo, second.tree, "b"), "second\n");
  equal(await readBlobText(temp.repo, second.tree, "c"), "1\n");
});

Deno.test("L3.1: makeCommit() makes the commit at once, and answers the same when asked again", async () => {
  await using temp = await createTempRepo({
    files: { "a.txt": "1\n", "p.txt": "1\n", "s.txt": "1\n" },
  });
  await temp.write({ "p.txt": "person\n", "s.txt": "staged\n", "u.txt": "untracked\n" });
  await temp.git("add", "s.txt");
  const options = await prepare(temp);
  const made = await makeCommit(temp.repo, options);
  equal(made.kind, "made");
  equal(
    await temp.git("log", "-1", "--format=%an <%ae>%n%B"),
    [
      "Test Person <person@example.org>",
      "Change a",
      "",
      "Code-Intel-Session: x",
      "",
    ].join("\n"),
  );
  equal(await temp.git("show", "--format=", "--name-only", "HEAD"), "a.txt");
  equal(await temp.git("status", "--porcelain"), " M p.txt\nM  s.txt\n?? u.txt");
  const state = await temp.state();
  deepEqual(await makeCommit(temp.repo, options), made);
  equal(await temp.state(), state);
});

Deno.test("makeCommit() completes the index after a kill between branch and index", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n" } });
  const options = await prepare(temp);
  const args = [
    "commit-tree",
    options.tree,
    "-p",
    options.expectedHead,
    "-m",
    "Change a\n\nCode-Intel-Session: x",
  ];
  const commit = await temp.git(...args);
  await temp.git("update-ref", "refs/heads/main", commit);
  equal(await temp.git("status", "--porcelain"), "MM a.txt");
  const made = await makeCommit(temp.repo, options);
  equal(made.kind === "made" && made.commit, commit);
  equal(await temp.git("status", "--porcelain"), "");
});

Deno.test("makeCommit() refuses when HEAD is not where it was left", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n" } });
  const options = await prepare(temp);
  await temp.git("commit", "-q", "--allow-empty", "-m", "Somebody else");
  for (const change of [[], ["switch", "-qc", "other"], ["checkout", "-q", "--detach"]]) {
    if (change.length > 0) await temp.git(...change);
    const state = await temp.state();
    const result = await makeCommit(temp.repo, options);
    equal(result.kind === "refused" && result.problem.code, "head_moved");
    equal(await temp.state(), state);
  }
});

Deno.test("makeCommit() keeps what the person staged in a committed file, and names it", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": edit() } });
  await temp.write({ "a.txt": edit([2, "person\n"]) });
  await temp.git("add", "a.txt");
  const options = await prepare(temp, edit([2, "person\n"], [10, "agent\n"]));
  const made = await makeCommit(temp.repo, options);
  if (made.kind !== "made") throw new Error(made.kind);
  deepEqual(made.index.replaced, ["a.txt"]);
  equal(await temp.git("show", `${made.index.keptAs}:a.txt`), edit([2, "person\n"]).trimEnd());
  equal(await temp.git("show", "HEAD:a.txt"), edit([10, "agent\n"]).trimEnd());
  equal(await temp.git("status", "--porcelain"), " M a.txt");
  equal(await temp.read("a.txt"), edit([2, "person\n"], [10, "agent\n"]));
});

Deno.test("makeCommit() reports a failing hook with its output and changes nothing", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n" } });
  for (const name of ["pre-commit", "commit-msg", "prepare-commit-msg"]) {
    await temp.write({ "a.txt": "1\n" });
    const options = await prepare(temp, `${name}\n`);
    await writeHook(temp, name, "echo says no: $(git diff --cached --name-only); exit 1");
    const state = await temp.state();
    const result = await makeCommit(temp.repo, options);
    equal(result.kind === "refused" && result.problem.code, "git_hook_failed");
    match(result.kind === "refused" ? result.problem.message : "", /says no: a\.txt/);
    equal(await temp.state(), state);
    await Deno.remove(join(temp.dir, ".git", "hooks", name));
  }
});

Deno.test("makeCommit() commits what hooks change only after it was listed, and respects core.hooksPath", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n", "h/pre-commit": "" } });
  await temp.write({
    "h/pre-commit": "#!/bin/sh\necho formatted > a.txt; git add a.txt; echo side > side.txt\n",
    "h/commit-msg": '#!/bin/sh\necho "Reviewed-by: hook" >> "$1"\n',
  });
  await Deno.chmod(join(temp.dir, "h/pre-commit"), 0o755);
  await Deno.chmod(join(temp.dir, "h/commit-msg"), 0o755);
  await temp.commit("Hooks");
  await temp.git("config", "core.hooksPath", "h");
  const options = await prepare(temp);
  const listed = await makeCommit(temp.repo, options);
  if (listed.kind !== "hooks_changed") throw new Error(listed.kind);
  deepEqual(listed.paths, ["a.txt", "side.txt"]);
  equal(await temp.git("rev-parse", "HEAD"), options.expectedHead);
  const accepted = { ...options, tree: listed.tree, acceptHookChanges: true };
  const made = await makeCommit(temp.repo, accepted);
  equal(made.kind, "made");
  equal(await temp.git("show", "HEAD:a.txt"), "formatted");
  match(await temp.git("log", "-1", "--format=%B"), /Code-Intel-Session: x\nReviewed-by: hook/);
  equal(await temp.git("status", "--porcelain"), "?? side.txt");
  deepEqual(await makeCommit(temp.repo, accepted), made);
});

Deno.test("makeCommit() reports a failing signature, and signs where the person does", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n" } });
  const options = await prepare(temp);
  await temp.git("config", "commit.gpgSign", "true");
  await temp.write({ ".git/fail": "#!/bin/sh\necho no secret key >&2; exit 2\n" });
  await temp.write({
    ".git/sign":
      '#!/bin/sh\ncat >/dev/null\necho "[GNUPG:] SIG_CREATED D" >&2\necho fake signature\n',
  });
  for (const name of ["fail", "sign"]) await Deno.chmod(join(temp.dir, ".git", name), 0o755);
  await temp.git("config", "gpg.program", join(temp.dir, ".git/fail"));
  const state = await temp.state();
  const refused = await makeCommit(temp.repo, options);
  equal(refused.kind === "refused" && refused.problem.code, "git_signing_failed");
  equal(await temp.state(), state);
  await temp.git("config", "gpg.program", join(temp.dir, ".git/sign"));
  equal((await makeCommit(temp.repo, options)).kind, "made");
  match(await temp.git("cat-file", "commit", "HEAD"), /^gpgsig fake signature/m);
});

Deno.test("makeCommit() refuses without an identity", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n" } });
  const options = await prepare(temp);
  await temp.git("config", "user.name", "");
  await temp.git("config", "user.useConfigOnly", "true");
  const result = await makeCommit(temp.repo, options);
  equal(result.kind === "refused" && result.problem.code, "git_identity_missing");
  notEqual(result.kind === "refused" && result.problem.hint, undefined);
});
