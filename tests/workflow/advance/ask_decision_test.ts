/** Submissions that rest on the person's word, with a client that can ask and with one that cannot. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Answer as Said, Question, UserPrompt } from "../../../src/base/asker.ts";
import type { Answer, Project } from "../project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  FAST_START,
  planned,
  started,
  toLines,
} from "../project_fixture.ts";

const SIGNAL = new AbortController().signal;
const YES: Said = { kind: "answered", values: { agree: true } };
const NO: Said = { kind: "answered", values: { agree: false } };

/** An asker that says the same to everything, and what it was asked. */
function createAsker(
  said: Said,
  source?: UserPrompt["source"],
): UserPrompt & { readonly asked: readonly Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    ...(source === undefined ? {} : { source }),
    ask: (question) => {
      asked.push(question);
      return Promise.resolve(said);
    },
  };
}

async function send(project: Project, data: unknown, asker: UserPrompt): Promise<Answer> {
  return await project.workflow.submitPhase(data, SIGNAL, asker);
}

/** Walks to a report that was refused, which the person may override. */
async function refused(project: Project): Promise<void> {
  await planned("Change a")(project);
  const checklist = [{ item: "Change a", status: "done", evidence: "src/a.ts:1" }];
  const reply = await project.submit({ ...COMMON, task_id: "task_1", checklist });
  expectRefused(reply, "checklist_evidence_not_changed");
}

Deno.test("decideWithUserAnswer() asks for an override that the agent only says the person made", async () => {
  await using project = await createProject({ after: refused });
  const data = { user_decision: "accept", user_reason: "it is good enough" };
  const before = await project.state();
  for (const said of [NO, { kind: "declined" }] as const) {
    expectRefused(await send(project, data, createAsker(said)), "person_refused");
  }
  expectRefused(
    await send(project, data, createAsker({ kind: "unanswered" })),
    "person_unanswered",
  );
  const { stage, decisions } = await project.state();
  deepEqual([stage, decisions], [before.stage, before.decisions]);
  const asker = createAsker(YES);
  const reply = expectOk(await send(project, data, asker));
  deepEqual([reply.decided_by, asker.asked.length], ["asked", 1]);
  match(asker.asked[0]?.message ?? "", /it is good enough/);
  equal((await project.state()).decisions.at(-1)?.source, "asked");
});

Deno.test("decideWithUserAnswer() puts a question of the agent's own to the person, and takes their answer alone", async () => {
  await using project = await createProject({ after: started });
  const data = { ask_person: "Which unit?", choices: ["days", "weeks"], answer: "weeks" };
  const asker = createAsker({ kind: "answered", values: { answer: "days" } });
  const reply = expectOk(await send(project, data, asker));
  deepEqual([reply.person_answer, reply.decided_by, reply.step], ["days", "asked", 4]);
  deepEqual(asker.asked[0]?.fields[0]?.choices, ["days", "weeks"]);
  const alone = expectOk(await project.submit({ ask_person: "Which unit?" }));
  equal(alone.ask_the_person, "Which unit?", "the agent asks where nobody else can");
  equal((await project.state()).decisions.at(-1)?.reason, "Which unit? days");
});

Deno.test("decideWithUserAnswer() relays the word where nobody can be asked, and asks nobody about parking", async () => {
  await using project = await createProject({ after: refused });
  const data = { user_decision: "accept", user_reason: "it is good enough" };
  const reply = expectOk(await project.submit(data));
  equal(reply.decided_by, "relayed");
  const asker = createAsker(NO);
  expectOk(await send(project, { park: true, reason: "later" }, asker));
  equal(asker.asked.length, 0);
});

Deno.test("decideWithUserAnswer() asks for the person's changes in the commit, named by the agent or not", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/a.ts": toLines(10).replace("line 5\n", "mine\n") });
  expectOk(await project.start());
  await project.plan("Change a");
  const text = toLines(10).replace("line 5\n", "mine, and of the session\n");
  expectOk(await project.work({ "src/a.ts": text }, ["src/a.ts:5"]));
  expectOk(await project.submit({ summary: "complete" }));
  const data = {
    ...COMMON,
    reviewed_files: ["src/a.ts"],
    commit_message: "Change a",
    review_prompt_used: "x",
  };
  expectRefused(await project.submit(data), "person_changes_mixed");
  const named = { ...data, include_person_changes: ["src/a.ts"] };
  for (const payload of [data, named]) {
    expectRefused(await send(project, payload, createAsker(NO)), "person_refused");
  }
  equal((await project.state()).includedPerson, undefined);
  const asker = createAsker(YES);
  expectOk(await send(project, data, asker));
  deepEqual(asker.asked.map(({ message }) => message.includes("src/a.ts")), [true]);
  const decision = (await project.state()).decisions.at(-1);
  deepEqual([decision?.decision, decision?.source], ["include_person_changes", "asked"]);
});

Deno.test("decideWithUserAnswer() says that an answer was typed at a terminal", async () => {
  await using project = await createProject({ after: refused });
  const data = { user_decision: "accept", user_reason: "it is good enough" };
  equal(expectOk(await send(project, data, createAsker(YES, "terminal"))).decided_by, "terminal");
  equal((await project.state()).decisions.at(-1)?.source, "terminal");
});

Deno.test("decideWithUserAnswer() takes files back to the start only if the person says so", async () => {
  const data = { abandon: true, reason: "wrong idea", restore: true };
  const rows = [[NO, "person_refused"], [{ kind: "unanswered" }, "person_unanswered"]] as const;
  for (const [said, code] of [...rows, [YES, null], [{ kind: "unavailable" }, null]] as const) {
    await using project = await createProject({ after: planned("Change a") });
    const { sessionId: session_id } = await project.state();
    await project.clear("src/a.ts");
    await project.repo.write({ "src/a.ts": "changed\n" });
    const asker = createAsker(said);
    const reply = await send(project, data, asker);
    match(asker.asked[0]?.message ?? "", /go back to how they were/);
    if (code !== null) {
      expectRefused(reply, code);
      deepEqual([(await project.state()).status, await project.repo.read("src/a.ts")], [
        "active",
        "changed\n",
      ]);
      continue;
    }
    expectOk(reply);
    equal(await project.repo.read("src/a.ts"), toLines(10));
    const archived = `.code-intel/sessions/archive/${session_id}.json`;
    const { state } = JSON.parse(await project.repo.read(archived));
    equal(state.decisions.at(-1).source, said.kind === "answered" ? "asked" : "relayed");
  }
});

Deno.test("decideWithUserAnswer() lets the person choose at an escalation, whatever the agent says", async () => {
  await using project = await createProject();
  await project.repo.write({ ".code-intel/context.yml": "interventions:\n  threshold: 1\n" });
  expectOk(await project.start({ flags: { fast: true, no_doc: true, no_intervention: true } }));
  await project.plan("Change a");
  expectOk(
    await project.work({ "src/a.ts": toLines(10).replace("line 5\n", "new\n") }, [
      "src/a.ts:5",
    ]),
  );
  await project.must({ summary: "complete" });
  const failed = { ...COMMON, passed: false, verifier_used: "x", failed_tasks: [], details: "red" };
  equal(expectOk(await project.submit(failed)).user_escalation, true);
  const data = { user_decision: "accept", user_reason: "fine" };
  const values = { decision: "continue", words: "try once more" };
  const asker = createAsker({ kind: "answered", values });
  const reply = expectOk(await send(project, data, asker));
  deepEqual([reply.user_decision, reply.decided_by, reply.step], ["continue", "asked", 12]);
  deepEqual(asker.asked[0]?.fields[0]?.choices, ["continue", "accept", "park", "abandon"]);
  const decision = (await project.state()).decisions.at(-1);
  deepEqual([decision?.decision, decision?.reason], ["continue", "try once more"]);
});

Deno.test("startSession() asks the person about an unfinished session", async () => {
  await using project = await createProject();
  const first = expectOk(await project.start());
  const start = async (said: Said, onUnfinished?: "abandon"): Promise<Answer> => {
    const input = { ...FAST_START, ...(onUnfinished === undefined ? {} : { onUnfinished }) };
    return await project.workflow.startSession(input, SIGNAL, createAsker(said));
  };
  equal((await start({ kind: "unanswered" }, "abandon")).error, "session_unfinished");
  equal((await start({ kind: "declined" })).error, "session_unfinished");
  equal((await project.state(first.session_id)).status, "active");
  const next = expectOk(await start({ kind: "answered", values: { choice: "park" } }, "abandon"));
  equal(next.session_id === first.session_id, false);
  equal((await project.state(first.session_id)).status, "parked");
});

/** Who decided the end of an archived session. */
async function readSource({ repo }: Project, id: string): Promise<unknown> {
  const { state } = JSON.parse(await repo.read(`.code-intel/sessions/archive/${id}.json`));
  return state.decisions.at(-1).source;
}

Deno.test("startSession() records that the person ended the unfinished session", async () => {
  await using project = await createProject();
  const first = expectOk(await project.start());
  const asker = createAsker({ kind: "answered", values: { choice: "abandon" } });
  expectOk(await project.workflow.startSession(FAST_START, SIGNAL, asker) as Answer);
  equal(await readSource(project, first.session_id), "asked");
});

Deno.test("getStatus() discards the active session only if the person agrees", async () => {
  await using project = await createProject({ after: started });
  const { sessionId: session_id } = await project.state();
  const discard = async (said: Said): Promise<Answer> =>
    await project.workflow.getStatus({ discardActive: true }, SIGNAL, createAsker(said));
  expectRefused(await discard(NO), "person_refused");
  expectRefused(await discard({ kind: "unanswered" }), "person_unanswered");
  equal((await project.state()).status, "active");
  equal(expectOk(await discard(YES)).abandoned, true);
  equal(await readSource(project, session_id), "asked");
  const next = expectOk(await project.start());
  expectOk(await discard({ kind: "unavailable" }));
  equal(await readSource(project, next.session_id), "relayed");
});

Deno.test("submitPhase() records what a person typed at a terminal as theirs", async () => {
  await using project = await createProject({ after: started });
  const { sessionId: session_id } = await project.state();
  const data = { abandon: true, reason: "not now" };
  const asker = createAsker(NO, "terminal");
  const options = { isAside: true, said: "terminal" } as const;
  expectOk(await project.workflow.submitPhase(data, SIGNAL, asker, options) as Answer);
  deepEqual([await readSource(project, session_id), asker.asked.length], ["terminal", 0]);
});
