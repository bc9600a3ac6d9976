/** The honest ends of the default way, one call each, over the real server; and a session that its agent forgot. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { hook, OWN } from "../cli/commands/hook_place.ts";
import type { Project, Reply } from "../support/session/session_driver.ts";
import {
  createProject,
  listTaskBranches,
  openServer,
  SAMPLE_EDITS,
} from "../support/session/session_driver.ts";

const START = { intent: "MODIFY", query: "Refuse an empty name at login: throw an error." };
const FILE = "src/auth.ts";
const WHOLE = {
  done: { "1": FILE },
  observed: { "1": "login('') throws" },
  commit_message: "Refuse an empty name",
  passed: true,
  verifier_used: "by eye",
  details: "it throws",
};

/** A session on the default way whose agent has begun to write. */
async function begin(project: Project) {
  const client = await openServer(project);
  const call = async (tool: string, args: object): Promise<Reply> =>
    (await client.call(tool, args)).reply;
  const started = await call("start_session", START);
  await call("check_write_target", { file_paths: [FILE] });
  await project.repo.write(SAMPLE_EDITS as Readonly<Record<string, string>>);
  const submit = (data: object) => call("submit_phase", { data });
  const close = async () => void await client.close();
  return { id: started.session_id, call, submit, [Symbol.asyncDispose]: close };
}

async function readArchived({ repo }: Project, id: string): Promise<Reply> {
  return JSON.parse(String(await repo.read(`.code-intel/sessions/archive/${id}.json`))).state;
}

Deno.test("parked by one call, the work stays and is named, and one payload after the resume merges it", async () => {
  await using project = await createProject();
  await using session = await begin(project);
  const parked = await session.submit({ park: true, reason: "a hotfix comes first" });
  deepEqual([parked.status, parked.changed_files_stay], ["parked", [FILE]]);
  equal(await project.repo.git("status", "-s"), ` M ${FILE}`);
  await session.call("get_session_status", { session_id: session.id });
  const merged = await session.submit(WHOLE);
  equal(merged.merged, true, JSON.stringify(merged));
  equal(await project.repo.git("status", "-s"), "");
});

for (const restore of [false, true]) {
  Deno.test(`abandoned by one call with restore ${restore}, no branch is left and the files are told`, async () => {
    await using project = await createProject();
    await using session = await begin(project);
    const ended = await session.submit({ abandon: true, reason: "not wanted any more", restore });
    deepEqual([ended.end, ended.changed_files_stay], ["abandoned", restore ? undefined : [FILE]]);
    equal(await project.repo.git("status", "-s"), restore ? "" : ` M ${FILE}`);
    equal(await listTaskBranches(project), "");
  });
}

for (
  const done of [
    { "1": "Cannot be done because the hash of an empty name is needed" },
    "It cannot be done because the hash of an empty name is needed",
  ]
) {
  Deno.test(`"cannot be done" as ${typeof done} ends the session by one call, and the edit is not taken for the work`, async () => {
    await using project = await createProject();
    await using session = await begin(project);
    const before = await project.repo.git("rev-parse", "main");
    const ended = await session.submit({ ...WHOLE, done });
    deepEqual([ended.end, ended.changed_files_stay], ["abandoned", [FILE]], JSON.stringify(ended));
    equal(await project.repo.git("rev-parse", "main"), before);
    const { decisions } = await readArchived(project, session.id);
    match(decisions.at(-1).reason, /annot be done because the hash/);
  });
}

Deno.test("handed over to a person by one call, the session waits for them, and goes on with their answer", async () => {
  await using project = await createProject();
  await using session = await begin(project);
  const asked = await session.submit({ ask_person: "Which error is meant?" });
  equal(asked.ask_the_person, "Which error is meant?");
  await session.submit({ ask_person: "Which error is meant?", answer: "any" });
  equal((await session.submit(WHOLE)).merged, true);
});

for (const client of ["claude", "codex"]) {
  Deno.test(`a session that its agent forgot is ended by the question of the Stop hook of ${client}`, async () => {
    await using project = await createProject();
    await using session = await begin(project);
    await hook(project, "post-tool-use", OWN, client);
    const end = { hook_event_name: "Stop", stop_hook_active: false };
    const stopped = await hook(project, "stop", end, client);
    equal(stopped.answer?.decision, "block", stopped.stdout);
    const [, payload = ""] = /(\{"abandon": true, [^}]*\})/.exec(stopped.answer.reason) ?? [];
    // An agent that ends again without a step has a reason; the question comes once for each state.
    equal((await hook(project, "stop", end, client)).stdout, "");
    equal((await session.submit(JSON.parse(payload))).end, "abandoned");
    equal((await hook(project, "stop", end, client)).answer?.decision, undefined);
  });
}
