/** Cleaning: what is listed is what goes, and unfinished work only when asked. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import {
  deleteBranch,
  formatTaskBranchName,
  listTaskBranches,
} from "../../src/git/branches/branches.ts";
import { openRepository } from "../../src/git/repository.ts";
import type { CleanDeps, CleanItem } from "../../src/project/clean.ts";
import { applyClean, planClean } from "../../src/project/clean.ts";
import { sampleState } from "../session/sample_state.ts";
import type { StoreFixture } from "../session/store_fixture.ts";
import { withStore } from "../session/store_fixture.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const [PARKED, ENDED] = ["session_20260101_000000_0001", "session_20260102_000000_0002"] as const;
const BRANCH = formatTaskBranchName(PARKED, "main");

function toDeps(fixture: StoreFixture, rest: Partial<CleanDeps> = {}): CleanDeps {
  return {
    codeIntelDir: fixture.codeIntelDir,
    store: fixture.store,
    now: new Date(),
    listStaleBranches: () => Promise.resolve([]),
    deleteStaleBranches: () => Promise.resolve({ deleted: [], problems: [] }),
    pruneSnapshots: () => Promise.resolve([]),
    ...rest,
  };
}

function toShort(items: readonly CleanItem[]): readonly string[] {
  return items.map(({ kind, name }) => `${kind} ${name}`);
}

async function writeAged(path: string, ageDays: number): Promise<void> {
  await Deno.writeTextFile(path, "");
  const time = new Date(Date.now() - ageDays * 86_400_000);
  await Deno.utime(path, time, time);
}

async function saveSessions({ store }: StoreFixture): Promise<void> {
  const workspace = { ...sampleState().workspace, taskBranch: BRANCH };
  const parked = sampleState({ sessionId: PARKED, status: "parked", workspace });
  await store.save({ state: parked }, { expectedRevision: 0 });
  await store.save({ state: sampleState({ sessionId: ENDED, status: "ended" }) }, {
    expectedRevision: 0,
  });
}

Deno.test("planClean() changes nothing, and applyClean() removes exactly what it lists", () =>
  withStore(async (fixture) => {
    const { sessionsDir, store } = fixture;
    await saveSessions(fixture);
    await Deno.mkdir(join(sessionsDir, "archive"));
    await writeAged(join(sessionsDir, "archive", "old.json"), 31);
    await writeAged(join(sessionsDir, "archive", "young.json"), 29);
    await writeAged(join(sessionsDir, `${PARKED}.json.aaaaaaaa.tmp`), 2);
    await writeAged(join(sessionsDir, `${PARKED}.json.bbbbbbbb.tmp`), 0);
    await writeAged(join(sessionsDir, `${PARKED}.json.corrupt-1`), 31);
    await writeAged(join(sessionsDir, `${PARKED}.json.corrupt-2`), 29);
    const expected = [
      `session ${ENDED}`,
      "archived sessions/archive/old.json",
      `leftover sessions/${PARKED}.json.aaaaaaaa.tmp`,
      `leftover sessions/${PARKED}.json.corrupt-1`,
    ];
    for (let time = 0; time < 2; time++) {
      deepEqual(toShort(await planClean(toDeps(fixture), { scope: "finished" })), expected);
    }
    const { removed } = await applyClean(toDeps(fixture), { scope: "finished" });
    deepEqual(toShort(removed), expected);
    deepEqual(await planClean(toDeps(fixture), { scope: "finished" }), []);
    deepEqual((await store.loadAll()).map(({ id }) => id), [PARKED]);
    const kept = await Array.fromAsync(Deno.readDir(join(sessionsDir, "archive")), (e) => e.name);
    deepEqual(kept.sort(), [`${ENDED}.json`, "young.json"].sort());
  }));

Deno.test("R28: an unfinished session and its branch stay until all is asked for", () =>
  withStore(async (fixture) => {
    await using temp = await createTempRepo();
    await temp.git("branch", BRANCH);
    await saveSessions(fixture);
    const repo = await openRepository(temp.dir);
    if (repo === null) throw new Error("no repository");
    const listStaleBranches = async () => {
      const ids = new Set((await fixture.store.loadAll()).map(({ id }) => id));
      return (await listTaskBranches(repo)).filter(({ sessionId }) => !ids.has(sessionId ?? ""));
    };
    const deleteStaleBranches = async () => {
      const deleted: string[] = [];
      for (const { name } of await listStaleBranches()) {
        await deleteBranch(repo, name);
        deleted.push(name);
      }
      return { deleted, problems: [] };
    };
    const deps = toDeps(fixture, { listStaleBranches, deleteStaleBranches });
    deepEqual(toShort((await applyClean(deps, { scope: "finished" })).removed), [
      `session ${ENDED}`,
    ]);
    equal(await temp.git("branch", "--list", "llm_task_*"), `  ${BRANCH}`.trimEnd());
    const [item] = await planClean(deps, { scope: "all" });
    equal(item?.reason, `parked, to be archived; then no session needs its branch ${BRANCH}`);
    deepEqual(toShort((await applyClean(deps, { scope: "all" })).removed), [
      `session ${PARKED}`,
      `branch ${BRANCH}`,
    ]);
    equal(await temp.git("branch", "--list", "llm_task_*"), "");
    equal((await temp.git("for-each-ref", "refs/code-intel/branches")) !== "", true, "tip kept");
  }));

Deno.test("applyClean() keeps the snapshots of unfinished sessions, and never a file of a newer program", () =>
  withStore(async (fixture) => {
    await saveSessions(fixture);
    const path = join(fixture.sessionsDir, `${PARKED}.json`);
    await Deno.writeTextFile(
      path,
      (await Deno.readTextFile(path)).replace('"format":2', '"format":9'),
    );
    const asked: unknown[] = [];
    const now = new Date("2026-03-31T00:00:00Z");
    const deps = toDeps(fixture, {
      now,
      pruneSnapshots: (options) => {
        asked.push(options);
        return Promise.resolve(["session_x"]);
      },
    });
    const result = await applyClean(deps, { scope: "all", snapshotDays: 10 });
    deepEqual(toShort(result.removed), [`session ${ENDED}`]);
    deepEqual(result.prunedSnapshots, ["session_x"]);
    deepEqual(asked, [{ before: new Date("2026-03-21T00:00:00Z"), keepSessions: [PARKED] }]);
  }));
