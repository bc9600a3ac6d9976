/** The command `clean` and the pruning of old snapshots: never what is unfinished, unless a person says so. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { takeSnapshot } from "../../../src/git/snapshots/snapshots.ts";
import { runOnTerminal } from "../../support/server/cli.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import type { Project } from "../../support/session/project.ts";
import { createProject } from "../../support/session/project.ts";
import { testNeeding } from "../../support/needs.ts";

const START = ["session", "start", "how does login work", "--intent", "QUESTION", "--no-doc"];
const OLD = "session_20260101_000000_0001";
const YEAR_AGO = new Date("2026-01-01T00:00:00Z");

function toRunner({ dir: cwd, env }: Project) {
  return async (...words: string[]) => {
    const { stdout } = await runHosted([...words, "--json"], { cwd, env });
    return JSON.parse(stdout);
  };
}

/** Owners of the snapshots that are there. */
async function listOwners({ repo }: Project): Promise<readonly string[]> {
  const refs = await repo.git("for-each-ref", "--format=%(refname)", "refs/code-intel/");
  return [...new Set(refs.split("\n").map((ref) => ref.split("/")[2] ?? ""))].sort();
}

async function takeOld({ repo }: Project, sessionId = OLD, at = YEAR_AGO): Promise<void> {
  await takeSnapshot(repo.repo, { sessionId, label: "x", at });
}

Deno.test("clean lists and removes snapshots after the days of the configuration", async () => {
  await using project = await createProject();
  const json = toRunner(project);
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  await takeOld(project, "session_20260101_000000_0005", days(5));
  await takeOld(project, "session_20260101_000000_0015", days(15));
  const [five, fifteen] = ["session_20260101_000000_0005", "session_20260101_000000_0015"];
  const planned = await json("clean", "--dry-run");
  deepEqual(planned.would_remove, [
    { kind: "snapshots", name: fifteen, reason: "older than 14 days" },
  ]);
  deepEqual(await listOwners(project), [five, fifteen]);
  deepEqual((await json("clean")).pruned_snapshots, [fifteen]);
  await project.repo.write({ ".code-intel/config.json": '{"snapshot_days": 3}' });
  deepEqual((await json("clean")).pruned_snapshots, [five]);
});

Deno.test("start_session removes old snapshots too, and none of an unfinished session", async () => {
  await using project = await createProject();
  const json = toRunner(project);
  await takeOld(project);
  const { session_id: parked } = await json(...START);
  deepEqual(await listOwners(project), [parked]);
  await json("session", "park");
  // Its snapshots are of today; as if they were old, they must stay all the same.
  for (const ref of (await project.repo.git("for-each-ref", "--format=%(refname)")).split("\n")) {
    if (ref.includes(parked)) await project.repo.git("update-ref", "-d", ref);
  }
  await takeOld(project, parked);
  const { session_id: next } = await json(...START);
  deepEqual(await listOwners(project), [parked, next].sort());
});

testNeeding(
  ["terminal"],
  "clean --all ends a parked session only on a person's word, and its snapshots live on",
  async () => {
    await using project = await createProject();
    const json = toRunner(project);
    const { session_id: parked } = await json(...START);
    await json("session", "park");
    for (const ref of (await project.repo.git("for-each-ref", "--format=%(refname)")).split("\n")) {
      if (ref.includes(parked)) await project.repo.git("update-ref", "-d", ref);
    }
    await takeOld(project, parked);
    equal((await json("clean", "--all")).error, "not_confirmed");
    const { dir: cwd, env } = project;
    const options = { cwd, env: { ...env, NO_COLOR: "1" } };
    const declined = await runOnTerminal(["clean", "--all"], { ...options, typed: "n\n" });
    match(declined, /not_confirmed/);
    const path = `${cwd}/.code-intel/sessions/${parked}.json`;
    ok(await Deno.stat(path));
    const done = await runOnTerminal(["clean", "--all"], { ...options, typed: "y\n" });
    match(done, new RegExp(`name: ${parked}`));
    equal(await Deno.stat(path).then(() => true, () => false), false);
    deepEqual(await listOwners(project), [parked], "its days begin now");
    deepEqual((await json("clean")).pruned_snapshots, []);
  },
);

Deno.test("clean names the parked session that it keeps, and session resume alone goes on with the only one", async () => {
  await using project = await createProject();
  const json = toRunner(project);
  const { session_id: parked } = await json(...START);
  await json("session", "park");
  for (const words of [["clean", "--dry-run"], ["clean"]]) {
    const { total, kept } = await json(...words);
    deepEqual([total, kept], [undefined, [{ kind: "session", name: parked, reason: "parked" }]]);
  }
  const { session_id: resumed, ok: isOk } = await json("session", "resume");
  deepEqual([resumed, isOk], [parked, true]);
  await json("session", "park");
  const { session_id: other } = await json(...START);
  await json("session", "park");
  const several = await json("session", "resume");
  deepEqual(
    several.parked_sessions.map(({ session_id }: Record<string, string>) => session_id).sort(),
    [
      parked,
      other,
    ].sort(),
  );
});
