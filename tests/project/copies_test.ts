/** Copies on a real disk: what is listed, what is brought back, and when they end. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createSeal } from "../../src/base/files/seal.ts";
import { copyFiles } from "../../src/ledger/file_copies.ts";
import { applyCopies, listCopies, planCopies } from "../../src/project/copies.ts";
import { pruneCopies } from "../../src/project/copies.ts";
import { createSessionStore } from "../../src/session/store.ts";
import { giveUp } from "../support/temp_folder.ts";

const OLD = "session_20250101_101500_3fa9";
const NEW = "session_20261121_101500_3fa9";

async function createFolder(files: Readonly<Record<string, string>>) {
  const root = await Deno.makeTempDir({ prefix: "code-intel-copies-" });
  const codeIntelDir = join(root, ".code-intel");
  const backupDir = join(codeIntelDir, "backup");
  const write = async (changed: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(changed)) {
      await Deno.mkdir(dirname(join(root, path)), { recursive: true });
      await Deno.writeTextFile(join(root, path), text);
    }
  };
  await write(files);
  const clock = SYSTEM_CLOCK;
  const seal = createSeal(null);
  const store = createSessionStore({ codeIntelDir, seal, clock, logger: SILENT_LOGGER });
  return {
    deps: {
      projectRoot: root,
      backupDir,
      store,
      now: () => clock.now(),
    },
    root,
    write,
    copy: async (name: string, paths: readonly string[]) =>
      await copyFiles(
        join(backupDir, name),
        paths.map((path) => ({ file: join(root, path), path })),
        { within: root },
      ),
    read: (path: string) => Deno.readTextFile(join(root, path)),
    [Symbol.asyncDispose]: () => giveUp(root),
  };
}

Deno.test("listCopies() names the sets with their files, those that were made last first", async () => {
  await using folder = await createFolder({ "src/a.ts": "a\n", "b.ts": "b\n" });
  const { backupDir } = folder.deps;
  deepEqual(await listCopies(backupDir), []);
  await folder.copy(OLD, ["src/a.ts", "b.ts"]);
  await folder.write({ "b.ts": "later\n" });
  await folder.copy(NEW, ["b.ts"]);
  await Deno.utime(join(backupDir, NEW, "b.ts"), new Date(), new Date(Date.now() + 60_000));
  deepEqual((await listCopies(backupDir)).map(({ name, paths }) => [name, paths]), [
    [NEW, ["b.ts"]],
    [OLD, ["b.ts", "src/a.ts"]],
  ]);
});

Deno.test("applyCopies() writes what differs, keeps what was there, and its own name undoes it", async () => {
  await using folder = await createFolder({ "src/a.ts": "a\n", "run.sh": "#!/bin/sh\n" });
  const { deps, root } = folder;
  await Deno.chmod(join(root, "run.sh"), 0o755);
  await folder.copy(NEW, ["src/a.ts", "run.sh"]);
  await folder.write({ "src/a.ts": "changed\n" });
  await Deno.remove(join(root, "run.sh"));
  const planned = await planCopies(deps, { name: NEW, paths: [], from: root });
  if (planned.kind === "refused") throw new Error(String(planned.problem.message));
  deepEqual(planned.plan.writes, ["run.sh", "src/a.ts"]);
  const undo = await applyCopies(deps, planned.plan) ?? "";
  equal(await folder.read("src/a.ts"), "a\n");
  equal(((await Deno.stat(join(root, "run.sh"))).mode ?? 0) & 0o777, 0o755);
  match(undo, new RegExp(`^${NEW}_before_\\w+$`));
  const back = await planCopies(deps, { name: undo, paths: ["a.ts"], from: join(root, "src") });
  if (back.kind === "refused") throw new Error(String(back.problem.message));
  await applyCopies(deps, back.plan);
  equal(await folder.read("src/a.ts"), "changed\n");
});

Deno.test("planCopies() refuses a name and a path without a copy", async () => {
  await using folder = await createFolder({ "a.ts": "a\n" });
  await folder.copy(NEW, ["a.ts"]);
  const plan = async (name: string, ...paths: readonly string[]) => {
    const result = await planCopies(folder.deps, { name, paths, from: folder.root });
    return result.kind === "refused" ? result.problem.code : result.plan.writes;
  };
  equal(await plan(OLD), "no_snapshots");
  equal(await plan("../../etc"), "no_snapshots");
  equal(await plan(NEW, "b.ts"), "not_in_snapshot");
  equal(await plan(NEW, "../a.ts"), "not_in_snapshot");
  deepEqual(await plan(NEW), [], "what is as its copy is not written again");
});

Deno.test("pruneCopies() removes what is old, but nothing of an unfinished session", async () => {
  await using folder = await createFolder({ "a.ts": "a\n", "b.ts": "b\n" });
  const { backupDir } = folder.deps;
  await folder.copy(OLD, ["a.ts"]);
  await folder.copy(NEW, ["b.ts"]);
  const age = async (path: string, at: string) =>
    await Deno.utime(join(backupDir, path), new Date(at), new Date(at));
  await age(`${OLD}/a.ts`, "2025-01-01T12:00:00Z");
  await age(`${NEW}/b.ts`, "2026-11-21T12:00:00Z");
  const before = new Date("2026-12-31T00:00:00Z");
  deepEqual(await pruneCopies(backupDir, { before, keepSessions: [NEW] }), [OLD]);
  deepEqual((await listCopies(backupDir)).map(({ name }) => name), [NEW]);
  deepEqual(await pruneCopies(backupDir, { before, keepSessions: [] }), [NEW]);
});
