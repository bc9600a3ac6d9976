/** Whole replies: the block of the stage, the fields of the decision, the memory within its size. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { BUILT_IN_CONTRACT } from "../../../src/phase/contract/contract.ts";
import type { LoadedContract } from "../../../src/workflow/context/contract_file.ts";
import type { WorkflowDeps } from "../../../src/workflow/context/deps.ts";
import {
  buildOkReply,
  buildPlainRefusal,
  buildRefusedReply,
} from "../../../src/workflow/context/replies.ts";
import { sampleState } from "../../session/sample_state.ts";
import type { Answer } from "../project_fixture.ts";
import { createProject, planned } from "../project_fixture.ts";

const CONTRACT: LoadedContract = {
  contract: BUILT_IN_CONTRACT,
  warning: null,
  notices: [],
  problems: [],
};
const PROMPTS = { interventionsDir: "interventions", patterns: [], documentPrompts: [] };
// A reply reads these of all that the workflow is built from.
const DEPS = {
  projectRoot: "/no/such",
  codeIntelDir: "/no/such/folder",
  offered: [],
  loadSettings: () => Promise.resolve({ prompts: PROMPTS, suggestionStages: [] }),
} as unknown as WorkflowDeps;
const PARTS = { deps: DEPS, contract: CONTRACT, state: sampleState() };

Deno.test("buildOkReply() puts place, instruction and next call beside the fields", async () => {
  const reply: Answer = await buildOkReply({ ...PARTS, fields: { merged: true } });
  deepEqual([reply.ok, reply.phase, reply.substep, reply.step, reply.call, reply.merged], [
    true,
    "READY",
    "implement",
    13,
    "submit_phase",
    true,
  ]);
  equal("contract_warning" in reply, false);
});

Deno.test("buildRefusedReply() says one problem as it is and counts several", async () => {
  const problem = { code: "a", message: "A is missing", hint: "Send a." };
  const one: Answer = await buildRefusedReply({ ...PARTS, error: "e", problems: [problem] });
  deepEqual([one.ok, one.error, one.message], [false, "e", "A is missing"]);
  const two: Answer = await buildRefusedReply({
    ...PARTS,
    error: "e",
    problems: [problem, problem],
  });
  equal(two.message, "2 problems in the payload of READY");
  equal(
    two.instruction,
    String(BUILT_IN_CONTRACT.READY_IMPL.instruction).length > 0 ? two.instruction : "",
  );
});

Deno.test("replies carry the warning of a faulty contract, refused ones too", async () => {
  const contract = { ...CONTRACT, warning: "not used" };
  const ok: Answer = await buildOkReply({ ...PARTS, contract });
  const refused: Answer = await buildRefusedReply({ ...PARTS, contract, error: "e", problems: [] });
  deepEqual([ok.contract_warning, refused.contract_warning], ["not used", "not used"]);
});

for (const count of [1, 20, 300]) {
  Deno.test(`buildOkReply() cuts the summaries of ${count} visits to a size, and says so`, async () => {
    const memory = Object.fromEntries(
      Array.from(
        { length: count },
        (_, at) => [`step_13_READY_IMPL.task_${at}`, "x".repeat(20_000)],
      ),
    );
    const reply: Answer = await buildOkReply({ ...PARTS, fields: { phase_summaries: memory } });
    equal(reply.phase_summaries_cut, true);
    const chars = Object.values(reply.phase_summaries as Record<string, string>).join("").length;
    equal(chars <= Math.max(8_000, count * 80) + count, true, `${chars}`);
    equal(Object.keys(reply.phase_summaries).length, count, "each visit is still named");
  });
}

Deno.test("buildOkReply() leaves summaries that fit as they are", async () => {
  const memory = { step_04_QUERY_FRAME: "x".repeat(2_000) };
  const reply: Answer = await buildOkReply({ ...PARTS, fields: { phase_summaries: memory } });
  deepEqual([reply.phase_summaries, reply.phase_summaries_cut], [memory, undefined]);
});

Deno.test("buildPlainRefusal() takes the code of a single problem for its own", () => {
  const one = { code: "a", message: "A" };
  deepEqual(buildPlainRefusal([one], "x"), {
    ok: false,
    error: "a",
    message: "A",
    problems: [one],
    call: "x",
  });
  const two = buildPlainRefusal([one, { code: "b", message: "B" }], "x") as Answer;
  deepEqual([two.error, two.message], ["invalid_arguments", "A; B"]);
});

Deno.test("a notice that a hook came upon first is told by the next reply, once, and by the brief", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const { sessionId: id } = await project.state();
  // As another home would find it: without the mark and the seal of this one.
  await Deno.remove(join(project.stateDir, "revisions"), { recursive: true });
  const path = join(project.root, ".code-intel/sessions", `${id}.json`);
  const { seal: _, ...body } = JSON.parse(await Deno.readTextFile(path));
  await Deno.writeTextFile(path, JSON.stringify(body));
  const hook = await project.reopen();
  await project.repo.write({ "src/a.ts": "changed\n" });
  await hook.hooks.findUnresolved();

  const server = await project.reopen();
  const reply = await server.getStatus({}) as Answer;
  match(reply.notices?.[0] ?? "", /^The seal of session .* could not be compared/);
  match(JSON.stringify(reply.brief), /could not be compared/);
  equal((await server.getStatus({}) as Answer).notices, undefined);
  equal((await (await project.reopen()).getStatus({}) as Answer).notices, undefined);
});

Deno.test("a lock that a hook took over is told by the next reply", async () => {
  await using project = await createProject({ after: planned("Change a") });
  await Deno.writeTextFile(join(project.root, ".code-intel/sessions/.lock"), "99999");
  const hook = await project.reopen();
  await hook.hooks.findUnresolved();
  const reply = await (await project.reopen()).getStatus({}) as Answer;
  match(reply.notices?.[0] ?? "", /Process 99999 ended in the middle/);
});
