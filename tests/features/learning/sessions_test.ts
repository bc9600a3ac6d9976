/** What the workflow writes down of sessions: at every end, once, also after a kill, and on a person's word. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { openProjectLearning } from "../../../src/features/learning/open_learning.ts";
import { recordOutcome } from "../../../src/features/learning/outcome_command.ts";
import type { Project } from "../../workflow/project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  FRAME,
  planned,
  started,
} from "../../workflow/project_fixture.ts";

async function readOutcomes({ root }: Project) {
  const path = join(root, ".code-intel/logs/outcomes.jsonl");
  const text = await Deno.readTextFile(path).catch(() => "");
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

const ABANDON = { ...COMMON, abandon: true, reason: "not wanted any more", restore: false };

Deno.test("an abandoned session leaves one line with the reason, a parked one none", async () => {
  await using project = await createProject({ after: started });
  expectOk(await project.submit({ ...COMMON, park: true, reason: "later on" }));
  deepEqual(await readOutcomes(project), []);
  expectOk(await project.start());
  expectOk(await project.submit(ABANDON));
  const [line, ...more] = await readOutcomes(project);
  deepEqual([line.outcome, line.rootCause, more], ["abandoned", "not wanted any more", []]);
});

Deno.test("a process that dies between the end and its line, or before the archive, loses and repeats nothing", async () => {
  await using project = await createProject();
  const { store } = project;
  const archive = store.archive.bind(store);
  const learned: string[] = [];
  // Killed after the line, before the archive: then after the checkpoint, before the line.
  for (const withoutLine of [false, true]) {
    const { session_id: id } = expectOk(await project.start());
    Object.assign(store, { archive: () => Promise.reject(new Error("killed")) });
    const killed = await project.submit(ABANDON).then(() => "alive", () => "killed");
    Object.assign(store, { archive });
    equal(killed, "killed");
    learned.push(id);
    if (withoutLine) {
      const path = join(project.root, ".code-intel/logs/outcomes.jsonl");
      const lines = (await Deno.readTextFile(path)).split("\n").filter((text) =>
        text !== "" && !text.includes(id)
      );
      await Deno.writeTextFile(path, `${lines.join("\n")}\n`);
    }
    const next = await project.reopen();
    const signal = new AbortController().signal;
    const started = await next.startSession({
      intent: "QUESTION",
      query: "how does it work",
      gateLevel: "auto",
      flags: { no_doc: true },
      docResearchPrompts: [],
    }, signal);
    equal(started.ok, true);
    equal((await store.load(id)).kind, "missing", "it is in the archive now");
    expectOk(await next.submitPhase({ ...ABANDON, reason: "only a look" }, signal));
  }
  const lines = (await readOutcomes(project)).filter(({ sessionId }) =>
    learned.includes(sessionId)
  );
  deepEqual(
    lines.map(({ sessionId, outcome }) => [sessionId, outcome]).sort(),
    [
      [learned[0], "abandoned"],
      [learned[1], "abandoned"],
    ].sort(),
  );
});

Deno.test("noteCleaned() writes the end of a session that a person cleans away", async () => {
  await using project = await createProject({ after: started });
  const { sessionId: id } = await project.state();
  deepEqual(await project.workflow.noteCleaned(id), []);
  const [line] = await readOutcomes(project);
  deepEqual([line.sessionId, line.outcome, line.rootCause], [id, "abandoned", "ended by clean"]);
  deepEqual(await project.workflow.noteCleaned("session_20260101_000000_0000"), []);
});

Deno.test("logs that cannot be written are a notice, and the session goes on", async () => {
  await using project = await createProject();
  await Deno.mkdir(join(project.root, ".code-intel"), { recursive: true });
  await Deno.writeTextFile(join(project.root, ".code-intel/logs"), "a file in the way");
  expectOk(await project.start());
  const ended = expectOk(await project.submit(ABANDON));
  equal(ended.abandoned, true);
  match(ended.notices.join(), /is not in \.code-intel\/logs/);
});

Deno.test("recordOutcome() books the agreement of a person to the server while a session is active", async () => {
  await using project = await createProject({ after: planned("Change src/a.ts") });
  const { sessionId: id } = await project.state();
  const said = {
    result: "success",
    reason: null,
    symbols: ["login"],
    files: ["src/a.ts"],
    term: "login form",
  } as const;
  const learning = await openProjectLearning(project.services);
  const reply = expectOk(await recordOutcome(learning, project.services, said));
  equal(reply.session_id, id);
  ok(reply.agreement.startsWith(".code-intel/agreements/login-form--login-"), reply.agreement);
  // A change that is nobody's would block the report.
  expectOk(await project.work({ "src/a.ts": "line one\n" }, ["src/a.ts:1"]));
  const other = { ...said, sessionId: "session_x" };
  const unknown = await recordOutcome(learning, project.services, other);
  equal(unknown.ok ? "" : unknown.error, "session_not_found");
});

Deno.test("an accepted frame leaves one line with what was planned for the request", async () => {
  await using project = await createProject({ after: started });
  expectOk(await project.submit(FRAME));
  const learning = await openProjectLearning(project.services);
  const [line, ...more] = (await learning.readLogs()).decisions;
  deepEqual([line?.requiredPhases, more], [["QUERY_FRAME", "READY", "PRE_COMMIT", "MERGE"], []]);
  ok(line?.toolsPlanned?.includes("find_definitions"), String(line?.toolsPlanned));
  deepEqual([line?.needsBootstrap, line?.bootstrapReason], [true, "intent_modify"]);
});
