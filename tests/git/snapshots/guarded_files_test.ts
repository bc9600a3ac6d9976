/** Which changes of git's own folder give another fingerprint, and which do not. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { openRepository } from "../../../src/git/repository.ts";
import { hashGuardedFiles } from "../../../src/git/snapshots/guarded_files.ts";
import type { TempRepo } from "../support.ts";
import { createTempRepo } from "../support.ts";

interface Case {
  readonly name: string;
  readonly act: (temp: TempRepo) => Promise<unknown>;
  /** Names whose hash is another one afterwards. */
  readonly changed: readonly string[];
}

const CASES: readonly Case[] = [
  { name: "a key", act: ({ git }) => git("config", "core.editor", "x"), changed: ["config"] },
  {
    name: "a new hook",
    act: ({ write }) => write({ ".git/hooks/pre-push": "x" }),
    changed: ["hooks/pre-push"],
  },
  {
    name: "a hook that may run now",
    act: ({ dir }) => Deno.chmod(join(dir, ".git/hooks/pre-commit"), 0o755),
    changed: ["hooks/pre-commit"],
  },
  {
    name: "a hook that is gone",
    act: ({ remove }) => remove(".git/hooks/pre-commit"),
    changed: ["hooks/pre-commit"],
  },
  {
    name: "a pattern that hides files",
    act: ({ write }) => write({ ".git/info/exclude": "src\n" }),
    changed: ["info/exclude"],
  },
  {
    name: "attributes",
    act: ({ write }) => write({ ".git/info/attributes": "* binary\n" }),
    changed: ["info/attributes"],
  },
  {
    name: "another folder of hooks, with what is in it",
    act: ({ git }) => git("config", "core.hooksPath", "tools"),
    changed: ["config", "core.hooksPath (tools)/pre-commit"],
  },
  { name: "a sample", act: ({ write }) => write({ ".git/hooks/x.sample": "x" }), changed: [] },
  {
    name: "a commit and a branch",
    act: ({ commit, git }) => commit("More").then(() => git("branch", "x")),
    changed: [],
  },
];

for (const { name, act, changed } of CASES) {
  Deno.test(`hashGuardedFiles() after ${name}`, async () => {
    await using temp = await createTempRepo({ files: { "tools/pre-commit": "#!/bin/sh\n" } });
    await temp.write({ ".git/hooks/pre-commit": "#!/bin/sh\n" });
    const before = await hashGuardedFiles(temp.repo);
    await act(temp);
    const after = await hashGuardedFiles(temp.repo);
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    deepEqual([...names].filter((key) => before[key] !== after[key]).sort(), changed);
  });
}

Deno.test("hashGuardedFiles() follows core.hooksPath inside and outside the worktree", async () => {
  await using temp = await createTempRepo({ files: { "tools/pre-commit": "#!/bin/sh\n" } });
  const outside = await Deno.makeTempDir();
  await Deno.writeTextFile(join(outside, "commit-msg"), "x");
  await temp.git("config", "core.hooksPath", "tools");
  const inside = await hashGuardedFiles(temp.repo);
  equal(typeof inside["core.hooksPath (tools)/pre-commit"], "string");
  await temp.write({ "tools/pre-commit": "#!/bin/sh\nexit 1\n" });
  const edited = await hashGuardedFiles(temp.repo);
  equal(
    edited["core.hooksPath (tools)/pre-commit"] === inside["core.hooksPath (tools)/pre-commit"],
    false,
  );
  await temp.git("config", "core.hooksPath", outside);
  equal(`core.hooksPath (${outside})/commit-msg` in await hashGuardedFiles(temp.repo), true);
  await Deno.remove(outside, { recursive: true });
});

Deno.test("hashGuardedFiles() follows the ignore and attribute files that settings name", async () => {
  await using temp = await createTempRepo();
  const outside = await Deno.makeTempDir();
  for (const key of ["core.excludesFile", "core.attributesFile"]) {
    const path = join(outside, key);
    await temp.git("config", key, path);
    const before = await hashGuardedFiles(temp.repo);
    equal(`${key} (${path})` in before, false);
    await Deno.writeTextFile(path, "*.ts\n");
    equal(typeof (await hashGuardedFiles(temp.repo))[`${key} (${path})`], "string");
  }
  await Deno.remove(outside, { recursive: true });
});

Deno.test("hashGuardedFiles() sees from a linked worktree what holds for all, and its own settings", async () => {
  await using temp = await createTempRepo();
  const place = await Deno.makeTempDir();
  await temp.git("worktree", "add", "-q", join(place, "w"), "-b", "side");
  const linked = await openRepository(join(place, "w"));
  if (linked === null) throw new Error("no repository");
  deepEqual(await hashGuardedFiles(linked), await hashGuardedFiles(temp.repo));
  await temp.git("config", "extensions.worktreeConfig", "true");
  await temp.git("-C", join(place, "w"), "config", "--worktree", "core.sparseCheckout", "false");
  equal("config.worktree" in await hashGuardedFiles(linked), true);
  equal("config.worktree" in await hashGuardedFiles(temp.repo), false);
  await Deno.remove(place, { recursive: true });
});
