/** Text of the person's that goes with discarded lines: named, with the line that brings it back. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Answer, Project } from "../project_fixture.ts";
import { COMMON, createProject, expectOk, toLines } from "../project_fixture.ts";

const EDITED = toLines(10).replace("line 5\n", "five\n");
const THEIRS = EDITED.replace("five\n", "five of the person\n");
const REVIEW = { ...COMMON, commit_message: "Change a" };

/** A session at its review, with two changed files. */
async function toPreCommit(project: Project): Promise<void> {
  expectOk(await project.start());
  await project.plan("Change a");
  const b = toLines(5).replace("line 2\n", "two\n");
  expectOk(await project.work({ "src/a.ts": EDITED, "src/b.ts": b }, ["src/b.ts:2"]));
  equal((await project.must({ summary: "complete" })).phase, "PRE_COMMIT");
}

function discard(path: string, rest: Readonly<Record<string, unknown>> = {}) {
  const reviewed_files = [{ path, decision: "discard", reason: "not wanted" }];
  return { ...REVIEW, reviewed_files, rest: "keep", ...rest };
}

Deno.test("reportRemovedText() names what a discard took of the person's, and the line that brings it back", async () => {
  await using project = await createProject({ after: toPreCommit });
  await project.repo.write({ "src/a.ts": THEIRS });
  const change_resolution = [{ path: "src/a.ts", action: "person", reason: "theirs" }];
  const reply = await project.must(discard("src/a.ts", { change_resolution }));
  deepEqual(reply.person_text_removed, ["src/a.ts"]);
  equal(await project.repo.read("src/a.ts"), toLines(10));
  const line = /`code-intel restore \S+ --to (\d+) src\/a\.ts`/.exec(
    reply.person_text_removed_note,
  );
  const { sessionId } = await project.state();
  const ref = `refs/code-intel/${sessionId}/${line?.[1]?.padStart(4, "0")}`;
  equal(`${await project.repo.git("show", `${ref}:src/a.ts`)}\n`, THEIRS);
  const { brief } = await project.workflow.getStatus({}) as Answer;
  match(JSON.stringify(brief), /code-intel restore .* src\/a\.ts/);
});

Deno.test("reportRemovedText() says nothing where a discard took the session's own lines alone", async () => {
  await using project = await createProject({ after: toPreCommit });
  const reply = await project.must(discard("src/a.ts"));
  equal(reply.person_text_removed, undefined);
});
