/** A process of the former version died with effects under way: this version completes them from format 1. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { createSeal } from "../../../src/base/files/seal.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import { applyPending } from "../../../src/phase/accepted.ts";
import { parseCheckpoint } from "../../../src/session/session.ts";
import type { Project } from "../project_fixture.ts";
import { COMMON, createProject, expectOk, KILLED, planned, toLines } from "../project_fixture.ts";

const EDITED = toLines(10).replace("line 5\n", "five\n");
const REVIEW = { ...COMMON, reviewed_files: ["src/a.ts"], commit_message: "Change a" };

/** A session at PRE_COMMIT with one edited file. */
async function toReview(project: Project): Promise<void> {
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  expectOk(await project.must({ summary: "complete" }));
}

/** The pending decision as format 1 wrote it: the fields of the state that the decision changes, and their values. */
function toFormerPending(state: SessionState): Readonly<Record<string, unknown>> {
  const applied = applyPending(state);
  ok(applied.kind === "applied" && state.pending !== null);
  const before = state as unknown as Readonly<Record<string, unknown>>;
  const patch = Object.fromEntries(
    Object.entries(applied.state).filter(([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(before[name])
    ),
  );
  const { accepted: _accepted, ...rest } = state.pending;
  // The former version had no outcome for leaving: the status stood among the changes.
  const isParked = applied.outcome === "parked";
  return {
    ...rest,
    outcome: isParked ? "done" : applied.outcome,
    patch: isParked ? { ...patch, status: "parked" } : patch,
    reply: { ...rest.reply, ...applied.reply },
  };
}

/** Writes the checkpoint anew as the former version left it, with its seal. */
async function turnBack(project: Project): Promise<void> {
  const { sessionId } = await project.state();
  const path = join(project.root, ".code-intel/sessions", `${sessionId}.json`);
  const { seal: _seal, ...body } = JSON.parse(await Deno.readTextFile(path));
  ok(body.state.pending !== null);
  const former = {
    ...body,
    format: 1,
    state: { ...body.state, pending: toFormerPending(body.state) },
  };
  equal(parseCheckpoint({ ...former, format: 2 }).kind, "invalid", "format 2 has another form");
  const text = JSON.stringify(former);
  const sealed = await createSeal(project.stateDir).sign(text);
  await Deno.writeTextFile(path, `${text.slice(0, -1)},"seal":"${sealed}"}\n`);
}

for (const moment of ["before", "after"] as const) {
  Deno.test(`a commit under way in a checkpoint of format 1 is made once, killed ${moment} the effect`, async () => {
    await using project = await createProject({ after: planned("Change a") });
    await toReview(project);
    const kill = moment === "before" ? project.killBeforeEffects() : project.killAfterEffects();
    await rejects(project.submit(REVIEW), { message: KILLED });
    kill.restore();
    await turnBack(project);
    const reply = expectOk(await (await project.reopen()).getStatus({}));
    equal(reply.phase, "MERGE");
    const { stage, pending, prepared, review, workspace } = await project.state();
    deepEqual([stage, pending, prepared?.paths, review.length], ["MERGE", null, ["src/a.ts"], 1]);
    deepEqual(workspace.commits, [await project.repo.git("rev-parse", "HEAD")]);
    equal(await project.repo.git("rev-list", "--count", "main..HEAD"), "1");
    const merged = await (await project.reopen()).submitPhase(
      { summary: "merge" },
      new AbortController().signal,
    );
    equal(merged.ok, true, JSON.stringify(merged));
    equal(await project.repo.git("show", "main:src/a.ts"), EDITED.trimEnd());
  });
}

Deno.test("a park under way in a checkpoint of format 1 is completed, and the session is parked", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const kill = project.killAfterEffects();
  await rejects(project.submit({ park: true, reason: "later, please" }), { message: KILLED });
  kill.restore();
  await turnBack(project);
  const { sessionId } = await project.state();
  expectOk(await (await project.reopen()).getStatus({}));
  const { status, pending } = await project.state(sessionId);
  deepEqual([status, pending], ["parked", null]);
});
