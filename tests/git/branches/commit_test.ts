/** Holds `src/git/branches/commit.ts` to its promises, on real repositories. */
import {
  deepStrictEqual as deepEqual,
  match,
  notStrictEqual as notEqual,
  ok,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import type { MakeCommitOptions } from "../../../src/git/branches/commit.ts";
import { makeCommit } from "../../../src/git/branches/commit.ts";
import { buildCommitTree } from "../../../src/git/trees/commit_tree.ts";
import type { TempRepo } from "../support.ts";
import { createTempRepo, edit, SESSION, takeTree } from "../support.ts";

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

Deno.test("R30: makeCommit() makes the commit at once, and answers the same when asked again", async () => {
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
    const said = result.kind === "refused" ? String(result.problem.message) : "";
    ok(said.includes(`HEAD should be main at ${options.expectedHead}, it is `), said);
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
    const code = name === "pre-commit" ? "git_hook_failed" : "git_message_refused";
    equal(result.kind === "refused" && result.problem.code, code);
    match(String(result.kind === "refused" ? result.problem.message : ""), /says no: a\.txt/);
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

Deno.test("makeCommit() repeated after a kill takes no commit for its own that has another message, tree or parent", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n" } });
  // With such a hook the message of the commit itself tells nothing: only the note of what was meant does.
  await writeHook(temp, "commit-msg", 'echo "Reviewed-by: hook" >> "$1"');
  const options = await prepare(temp);
  const made = await makeCommit(temp.repo, options);
  equal(made.kind, "made");
  const empty = await temp.git("rev-parse", `${options.expectedHead}^{tree}`);
  const others: readonly Partial<MakeCommitOptions>[] = [
    { message: "Change b\n\nCode-Intel-Session: x\n" },
    { tree: empty },
    { parents: [] },
    { parents: [options.expectedHead, options.expectedHead] },
  ];
  for (const other of others) {
    const result = await makeCommit(temp.repo, { ...options, ...other });
    equal(result.kind === "refused" && result.problem.code, "head_moved", JSON.stringify(other));
  }
  deepEqual(await makeCommit(temp.repo, options), made);
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

Deno.test("makeCommit() takes the same commit for its own that came to the branch while its hooks ran, and no other", async () => {
  for (const [message, kind] of [["Change a", "made"], ["Change b", "refused"]] as const) {
    await using temp = await createTempRepo({ files: { "a.txt": "1\n" } });
    const options = await prepare(temp);
    // As a git does that outlived a killed process.
    const same = `git commit-tree ${options.tree} -p ${options.expectedHead} ` +
      `-m '${message}' -m 'Code-Intel-Session: x'`;
    await writeHook(temp, "pre-commit", `git update-ref refs/heads/main $(${same})`);
    const result = await makeCommit(temp.repo, options);
    equal(result.kind, kind, JSON.stringify(result));
    if (result.kind === "made") equal(result.commit, await temp.git("rev-parse", "main"));
    if (result.kind === "refused") equal(result.problem.code, "head_moved");
    equal(await temp.git("rev-list", "--count", "main"), "2");
  }
});
