/** The default way: the agent works and sends one payload, and the server walks the steps that its facts settle. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { SessionState } from "../../../src/phase/state.ts";
import type { Answer, Project } from "../project_fixture.ts";
import { codesOf, COMMON, createProject, expectOk, toLines } from "../project_fixture.ts";

const REQUEST = "Add a greeting to the sample page";
const QUERY = { query: REQUEST, flags: {}, intent: "IMPLEMENT" } as const;

async function begun(project: Project): Promise<void> {
  expectOk(await project.start(QUERY));
}

/** What an agent with its own tools does: it looks at a file, asks the guard, and writes. */
async function write(project: Project, files: Readonly<Record<string, string>>): Promise<void> {
  const paths = Object.keys(files);
  expectOk(await project.workflow.addExploredFiles(paths));
  expectOk(await project.clear(...paths));
  await project.repo.write(files);
}

/** The state of a session that is over. */
async function readEnded(project: Project, id: string): Promise<SessionState> {
  const text = await project.repo.read(`.code-intel/sessions/archive/${id}.json`);
  return JSON.parse(String(text)).state;
}

const GREETING = `${toLines(10)}export const greeting = "a greeting for the sample page";\n`;
const WHOLE = { done: "src/a.ts has the greeting", passed: true, observed: "the page greets" };

Deno.test("one payload leads from the start to the merge, each step marked as the server's", async () => {
  await using project = await createProject({ after: begun });
  await write(project, { "src/a.ts": GREETING });
  equal((await project.state()).stage, "DOCUMENT_RESEARCH");
  const reply = expectOk(await project.submit(WHOLE));
  deepEqual([reply.session_complete, reply.merged], [true, true], JSON.stringify(reply, null, 1));
  match(String(await project.repo.read("src/a.ts")), /greeting/);
  const { path, tasks, observed } = await readEnded(project, reply.session_id);
  const walked = path.filter(({ by }) => by === "server").map(({ stage }) => stage);
  deepEqual(walked, [
    "DOCUMENT_RESEARCH",
    "QUERY_FRAME",
    "EXPLORATION",
    "Q1",
    "Q2",
    "Q3",
    "READY_PLAN",
    "READY_IMPL",
    "READY_COMPLETE",
    "POST_IMPL_VERIFY",
    "PRE_COMMIT",
    "QUALITY_REVIEW",
    "MERGE",
  ]);
  deepEqual(tasks[0]?.checklist.map(({ evidence }) => evidence), ["src/a.ts:11"]);
  deepEqual(observed, { [REQUEST]: "the page greets" });
});

Deno.test("a clause of which nothing changed is asked about once, and the answer goes on to the end", async () => {
  const query = "Add a greeting to the sample page. The farewell of the footer stays as it is.";
  await using project = await createProject();
  expectOk(await project.start({ ...QUERY, query }));
  await write(project, { "src/a.ts": GREETING });
  const asked = expectOk(await project.submit({ ...WHOLE, done: {} }));
  deepEqual([asked.phase, asked.substep], ["READY", "implement"], JSON.stringify(asked, null, 1));
  match(asked.asked.join(), /farewell/);
  const reply = expectOk(
    await project.submit({
      done: { "The farewell of the footer stays as it is": "nobody touched the footer" },
      passed: true,
    }),
  );
  equal(reply.merged, true, JSON.stringify(reply, null, 1));
});

Deno.test("a change that nobody cleared is asked about, unless the payload names it as the work", async () => {
  await using project = await createProject({ after: begun });
  await write(project, { "src/a.ts": GREETING });
  await project.repo.write({ "src/b.ts": "export const other = 1;\n" });
  const refused = await project.submit(WHOLE);
  deepEqual(codesOf(refused), ["unauthorized_change"]);
  const unseen = await project.submit({ ...WHOLE, done: "src/a.ts and src/b.ts" });
  deepEqual(codesOf(unseen), ["not_explored"]);
  expectOk(await project.workflow.addExploredFiles(["src/b.ts"]));
  const reply = expectOk(await project.submit({ ...WHOLE, done: "src/a.ts and src/b.ts" }));
  equal(reply.merged, true, JSON.stringify(reply, null, 1));
});

Deno.test("the reply to one payload tells what the diff does not show: who uses what changed, outside of it", async () => {
  await using project = await createProject({
    files: {
      "src/a.ts": 'export function greet(): string {\n  return "hello";\n}\n',
      "src/c.ts": 'import { greet } from "./a.ts";\nexport const page = greet();\n',
    },
  });
  expectOk(await project.start(QUERY));
  await write(project, {
    "src/a.ts": 'export function greet(): string {\n  return "a greeting";\n}\n',
  });
  const reply = expectOk(await project.submit(WHOLE));
  deepEqual(reply.diff_facts?.used_outside, ["src/c.ts:2 uses greet"], JSON.stringify(reply));
});

Deno.test("an empty implementation is no evidence of a clause", async () => {
  await using project = await createProject({ after: begun });
  await write(project, { "src/new.ts": "export function greeting() {}\n" });
  const reply: Answer = expectOk(await project.submit(WHOLE));
  deepEqual([reply.substep, reply.asked?.length], ["implement", 1], JSON.stringify(reply, null, 1));
});

const CONTRACT = 'phases:\n  PRE_COMMIT: { expected_payload: { ticket: "string, required" } }\n';

Deno.test("what a project's contract asks for is asked for on the default way and by hand", async () => {
  const files = {
    "src/a.ts": toLines(10),
    "src/b.ts": toLines(5),
    ".code-intel/phase_contract.yml": CONTRACT,
  };
  const review = { reviewed_files: [], rest: "keep", commit_message: "Add a greeting" };
  for (const isByHand of [false, true]) {
    await using project = await createProject({ files });
    const texts = await project.workflow.listClosedTexts();
    await project.workflow.allowTexts(texts, "terminal");
    let payload: object = { ...COMMON, ...review };
    if (!isByHand) {
      expectOk(await project.start(QUERY));
      await write(project, { "src/a.ts": GREETING });
      payload = WHOLE;
    } else {
      expectOk(await project.start({ query: REQUEST }));
      expectOk(await project.plan("Add it to src/a.ts"));
      expectOk(await project.work({ "src/a.ts": GREETING }, ["src/a.ts:11"]));
      expectOk(await project.submit({ ...COMMON, observed: "the page greets" }));
    }
    const refused = await project.submit(payload);
    deepEqual(codesOf(refused), ["missing_field"], JSON.stringify(refused));
    if (!isByHand) deepEqual(refused.expected_payload, { ticket: "string, required" });
    const reply = expectOk(await project.submit({ ...payload, ticket: "A-1" }));
    equal(isByHand || reply.merged, true, JSON.stringify(reply));
  }
});

Deno.test("gate_level full walks nothing", async () => {
  await using project = await createProject();
  expectOk(await project.start({ ...QUERY, gateLevel: "full" }));
  const reply = await project.submit(WHOLE);
  deepEqual([reply.ok, (await project.state()).stage], [false, "DOCUMENT_RESEARCH"]);
  equal((await project.clear("src/a.ts")).ok, false);
});

Deno.test("a payload of a later step is taken there, and the steps before are the server's", async () => {
  await using project = await createProject({ after: begun });
  expectOk(await project.workflow.addExploredFiles(["src/a.ts"]));
  const tasks = [{ id: "task_1", description: "x", checklist: ["Add it to src/a.ts"] }];
  const reply = expectOk(await project.submit({ tasks, summary: "planned", tools_used: [] }));
  deepEqual([reply.phase, reply.substep], ["READY", "implement"], JSON.stringify(reply, null, 1));
  deepEqual(reply.taken.at(-1), "READY (plan)");
  deepEqual(reply.taken[0], "DOCUMENT_RESEARCH to Q3 (server)");
});

Deno.test("the start says the default way and the form of its one payload, whose clauses are named by number", async () => {
  await using project = await createProject();
  const query = "Add a greeting to the sample page. Say a farewell in the footer of the page.";
  const reply = expectOk(await project.start({ ...QUERY, query }));
  match(reply.instruction, /^The default way: .*`one_payload`.* Or step by step: /);
  deepEqual(Object.keys(reply.one_payload.done), [
    "1 Add a greeting to the sample page",
    "2 Say a farewell in the footer of the page",
  ]);
  const { one_payload, instruction } = reply;
  equal(JSON.stringify([one_payload, instruction.split("Or step")[0]]).length < 1_400, true);
  await write(project, {
    "src/a.ts": "export const farewell = 1;\n",
    "src/b.ts": "export const b = 2;\n",
  });
  const done = { "1": "src/b.ts:1", "2 Say a farewell…": ["src/a.ts:1"] };
  const merged = expectOk(
    await project.submit({ ...WHOLE, done, observed: { "2": "seen below" } }),
  );
  const { tasks, observed } = await readEnded(project, merged.session_id);
  deepEqual(tasks[0]?.checklist.map(({ evidence }) => evidence), ["src/b.ts:1", "src/a.ts:1"]);
  deepEqual(observed, { "Say a farewell in the footer of the page": "seen below" });
});

Deno.test("by hand, in investigations and with gate_level full no default way is told", async () => {
  await using project = await createProject();
  for (const input of [{ gateLevel: "full" }, { intent: "QUESTION" }] as const) {
    const reply = expectOk(await project.start({ ...QUERY, ...input }));
    equal(reply.one_payload, undefined);
    expectOk(await project.submit({ abandon: true, reason: "only a look" }));
  }
});

Deno.test("a report of tests holds for the files as they were: it is not taken from an earlier payload", async () => {
  await using project = await createProject({ after: begun });
  await write(project, { "src/a.ts": GREETING });
  const failed = expectOk(await project.submit({ ...WHOLE, passed: false }));
  deepEqual([failed.verified, failed.substep], [false, "plan"], JSON.stringify(failed));
  await write(project, { "src/a.ts": `${GREETING}export const mended = 1;\n` });
  const asked = expectOk(await project.submit({ done: {} }));
  match(asked.asked.join(), /passed/);
  equal(expectOk(await project.submit({ ...WHOLE, passed: true })).merged, true);
});

Deno.test("the guard shows on the default way what nothing has shown, where its reply is read", async () => {
  await using project = await createProject({ after: begun });
  const paths = ["src/a.ts"];
  const unread = await project.workflow.checkWriteTarget({ paths, allowNewFiles: true });
  deepEqual(codesOf(unread), ["not_explored"]);
  const reply: Answer = await project.workflow.checkWriteTarget({
    paths: [...paths, "src/new.ts"],
    allowNewFiles: true,
    isShown: true,
  });
  deepEqual([reply.allowed, reply.shown["src/a.ts"]], [true, ["line 1", "line 2", "line 3"]]);
});
