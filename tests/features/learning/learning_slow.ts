/** The cycle of learning over the real server: what one session confirms, the next one starts with. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Edits, Project, Session } from "../../support/session/session_driver.ts";
import { startSession } from "../../support/session/hosted_session.ts";
import { createProject, SAMPLE_EDITS } from "../../support/session/session_driver.ts";
import { trustCommand } from "../../support/session/trusted_command.ts";

/** What the server itself saw pass is all that teaches. */
const CHECK = { name: "check", run: ["grep", "-q", "login", "src/auth.ts"] };

/** A project whose verification is allowed. */
async function createTrustedProject(): Promise<Project> {
  const project = await createProject();
  const config = { verify: [CHECK], verify_baseline: "off" };
  await project.repo.commit("Verify", { ".code-intel/config.json": JSON.stringify(config) });
  await trustCommand(project, CHECK);
  return project;
}

const AGREEMENTS = ".code-intel/agreements";

/** Accepts a frame whose target is quoted from the request, and explores with the given calls. */
async function explore(
  session: Session,
  calls: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[],
): Promise<void> {
  await session.until(4);
  await session.accept({
    action_type: "modify",
    slots: {
      target_feature: { value: "entry form", quote: "entry form" },
      trigger_condition: null,
      observed_issue: { value: session.query, quote: session.query },
      desired_action: null,
    },
    target_symbols: ["login"],
    scope: "src",
    constraints: [],
  });
  for (const [tool, args] of calls) await session.must(tool, args);
  await session.accept({
    explored_files: ["src/auth.ts"],
    findings: ["login() hashes the name (src/auth.ts:3)"],
  });
}

async function readLog(project: Project, name: string) {
  const text = await project.repo.read(`.code-intel/logs/${name}.jsonl`);
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

Deno.test("a second session on a like request starts from what the first confirmed, and a failure warns the next", async () => {
  await using project = await createTrustedProject();
  const first = await startSession(project, { query: "Let the entry form refuse an empty name" });
  equal(first.reply.agreements, undefined);
  await explore(first, [
    ["search_files", { pattern: "**/*" }],
    ["search_text", { pattern: "login" }],
    ["find_definitions", { symbol: "login" }],
    ["find_references", { symbol: "login" }],
  ]);
  const done = await first.until("end");
  equal(done.learned.length, 1);
  ok(done.learned[0].startsWith(`${AGREEMENTS}/learned/entry-form--login-`), done.learned[0]);
  equal(await project.repo.git("status", "--porcelain", "--", AGREEMENTS), "");
  await first.close();

  const content = `${SAMPLE_EDITS["src/auth.ts"]}`.replace("hash(name)", "hash(name.trim())");
  const edits: Edits = { "src/auth.ts": content };
  const second = await startSession(project, { query: "Limit the tries of the entry form", edits });
  const { agreements } = second.reply;
  deepEqual([agreements.length, agreements[0].term], [1, "entry form"]);
  deepEqual([agreements[0].symbols, agreements[0].files], [["login"], ["src/auth.ts"]]);
  // The agent goes straight to what it is told, without a look round.
  await explore(second, [
    ["find_definitions", { symbol: agreements[0].symbols[0] }],
    ["find_references", { symbol: agreements[0].symbols[0] }],
  ]);
  equal((await second.until("end")).merged, true);
  await second.close();
  const [told] = await readLog(project, "outcomes").then((lines) =>
    lines.filter(({ sessionId }) => sessionId === second.id)
  );
  const [before] = await readLog(project, "outcomes");
  const count = (tools: Record<string, { calls: number }>) =>
    Object.values(tools).reduce((sum, { calls }) => sum + calls, 0);
  ok(count(told.tools) < count(before.tools), `${count(told.tools)} < ${count(before.tools)}`);
  const kept = await project.repo.read(done.learned[0]);
  ok(kept.includes("confirmed: 2") && kept.includes(second.id), kept);

  const reason = "three tries lock everybody out, the counter is shared";
  await using third = await startSession(project, {
    query: "Limit the tries of the entry form for each person",
    start: { previous_failed: { reason } },
  });
  deepEqual(third.reply.previous_failed, { amended: second.id });
  deepEqual(third.reply.past_failures.map((row: { root_cause: string }) => row.root_cause), [
    reason,
  ]);
  const lines = await readLog(project, "outcomes");
  deepEqual(lines.map(({ outcome, result }) => [outcome, result]), [
    ["merged", "success"],
    ["merged", "success"],
    ["amended", "failure"],
  ]);
  deepEqual((await readLog(project, "decisions")).map(({ sessionId, risk }) => [sessionId, risk]), [
    [first.id, "MEDIUM"],
    [second.id, "MEDIUM"],
  ]);
});

Deno.test("what is learned is what the diff changed, not the target that the frame named", async () => {
  await using project = await createTrustedProject();
  const edits: Edits = { "src/hash.ts": "export const hash = (text: string) => `${text}!`;\n" };
  await using session = await startSession(project, { query: "Mark the entry form", edits });
  // The frame of `explore` names login, which stays as it is.
  await explore(session, [
    ["find_definitions", { symbol: "login" }],
    ["find_definitions", { symbol: "hash" }],
    ["find_references", { symbol: "login" }],
  ]);
  const { learned } = await session.until("end");
  equal(learned?.length, 1);
  const text = await project.repo.read(learned[0]);
  ok(text.includes('"entry form" means `hash`') && !text.includes("login: defined"), text);
});
