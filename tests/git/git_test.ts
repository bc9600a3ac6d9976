/** Holds `src/git/git.ts` to its promises, on real repositories. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { CodeIntelError } from "../../src/base/errors.ts";
import { Git, joinNul, splitNul } from "../../src/git/git.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("run() answers a status, and text() throws git_failed with git's own words", async () => {
  await using temp = await createTempRepo();
  equal((await temp.repo.git.run(["rev-parse", "--verify", "none"])).code, 128);
  await rejects(
    temp.repo.git.text(["cat-file", "blob", "none"]),
    (error: unknown) =>
      error instanceof CodeIntelError && error.code === "git_failed" && error.hint !== "" &&
      /Not a valid object name none/.test(error.message),
  );
});

Deno.test("run() ends a command that takes too long", async () => {
  await using temp = await createTempRepo();
  await temp.git("config", "alias.hang", "!sleep 60");
  await rejects(
    temp.repo.git.run(["hang"], { timeoutMs: 150 }),
    (error: unknown) => error instanceof CodeIntelError && error.code === "timed_out",
  );
});

Deno.test("run() cannot hang on an editor, a pager or a prompt", async () => {
  await using temp = await createTempRepo();
  await temp.git("config", "core.editor", "sleep 60;");
  await temp.git("config", "core.pager", "sleep 60;");
  await temp.git("config", "core.askPass", "sleep 60;");
  const started = Date.now();
  await temp.repo.git.run(["commit", "--amend"], { timeoutMs: 30_000 });
  await temp.repo.git.run(["log"], { timeoutMs: 30_000 });
  equal(await temp.repo.git.line(["var", "GIT_EDITOR"]), ":");
  equal(Date.now() - started < 30_000, true);
});

Deno.test("run() tells a missing git from a missing folder", async () => {
  await rejects(
    new Git("/nonexistent/folder").run(["version"]),
    (error: unknown) => error instanceof CodeIntelError && error.code === "io_failed",
  );
  const code = `import { openRepository } from ${
    JSON.stringify(import.meta.resolve("../../src/git/repository.ts"))
  };
    await openRepository(".").catch((error) => console.log(error.code, error.hint));`;
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", code],
    env: { PATH: "/nonexistent" },
  }).output();
  match(new TextDecoder().decode(output.stdout), /^git_missing Install git and put it on PATH/);
});

Deno.test("splitNul() gives back what toNulInput() was given", () => {
  for (const values of [[], ["a"], ["a\nb", "ü", " "]]) {
    deepEqual(splitNul(new TextEncoder().encode(joinNul(values))), values);
  }
});

Deno.test("run() sees every object as it is, whatever `git replace` puts in its place", async () => {
  await using temp = await createTempRepo({ files: { a: "one\n", b: "two\n" } });
  const [a = "", b = ""] = await Promise.all(
    ["a", "b"].map((path) => temp.git("rev-parse", `HEAD:${path}`)),
  );
  await temp.git("replace", a, b);
  equal(await temp.git("cat-file", "blob", a), "two");
  equal(await temp.repo.git.line(["cat-file", "blob", a]), "one");
});

Deno.test("run() names a full disk where git only says that it could not write, and leaves a hook's words alone", async () => {
  await using temp = await createTempRepo();
  const { git } = temp.repo;
  const full = "!echo 'fatal: sha1 file write error. Out of diskspace' >&2; exit 128";
  await temp.git("config", "alias.full", full);
  await rejects(
    git.run(["full"]),
    (error: unknown) =>
      error instanceof CodeIntelError && error.code === "disk_full" &&
      /^Cannot run git full: no space is left/.test(error.message),
  );
  // There is room: what git could not write has another reason, which is git's to tell.
  await temp.git("config", "alias.unwritten", "!echo 'error: unable to write x' >&2; exit 1");
  equal((await git.run(["unwritten"])).code, 1);
  await temp.write({
    ".git/hooks/pre-commit": "#!/bin/sh\necho 'No space left on device' >&2\nexit 1\n",
  });
  await Deno.chmod(`${temp.dir}/.git/hooks/pre-commit`, 0o755);
  equal((await git.run(["hook", "run", "pre-commit"], { hooks: "all" })).code, 1);
});
