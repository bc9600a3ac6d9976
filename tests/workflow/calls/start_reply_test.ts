/** What the first reply says of the project itself: rules, notes, documents, what is switched off. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { COMMON, createProject, expectOk } from "../project_fixture.ts";

const CONTEXT = `project_rules:
  source: CLAUDE.md
  summary: Services own logic
  content_hash: ba7816bf8f01cfea
  extra_notes: ask Ada
doc_research:
  summaries:
    - { path: docs/auth.md, summary: tokens expire, content_hash: ba7816bf8f01cfea }
    - { path: docs/changed.md, summary: of before, content_hash: "0000000000000000" }
interventions:
  enabled: false
verifiers:
  suggest_improvements: true
`;

Deno.test("the start tells rules, notes and documents, and what has to be summed up again", async () => {
  await using project = await createProject({
    files: {
      "CLAUDE.md": "abc",
      "docs/auth.md": "abc",
      "docs/changed.md": "new words",
      ".code-intel/context.yml": CONTEXT,
    },
  });
  const { workflow } = project;
  await workflow.allowTexts(await workflow.listClosedTexts(), "terminal");
  const reply = expectOk(await project.start());
  deepEqual([reply.project_rules, reply.project_notes], ["Services own logic", "ask Ada"]);
  deepEqual(reply.document_summaries, [{ path: "docs/auth.md", summary: "tokens expire" }]);
  const { how, ...changed } = reply.context_update_required;
  deepEqual(changed, { documents: ["docs/changed.md"] });
  match(how, /update_context/);
  equal(reply.flags.includes("no_intervention"), true, "step 16 is switched off");
  expectOk(
    await project.submit({ ...COMMON, abandon: true, reason: "only a look", restore: false }),
  );

  const summed = expectOk(
    await project.workflow.updateContext({
      documentSummaries: [{ path: "docs/changed.md", summary: "of now" }],
    }),
  );
  deepEqual(summed.updated, ["doc_research.summaries: docs/changed.md"]);
  const verify = expectOk(await project.start({ flags: { only_verify: true } }));
  equal(verify.context_update_required, undefined);
  match(verify.suggestion_wanted, /`suggestion`/);
  expectOk(
    await project.submit({
      ...COMMON,
      passed: false,
      verifier_used: "by eye",
      failed_tasks: [],
      details: "red",
      suggestion: "Name the command of the tests.",
    }),
  );
  const kept = await Deno.readTextFile(join(project.root, ".code-intel/logs/suggestions.md"));
  match(kept, /POST_IMPL_VERIFY \(session_\w+\): Name the command of the tests\.\n/);
});

Deno.test("the default way asks for no first summary: it would change a file that no session commits", async () => {
  await using project = await createProject({
    files: { "CLAUDE.md": "A rule of the project.\n".repeat(50), "src/a.ts": "a\n" },
  });
  for (const gateLevel of ["auto", "full"] as const) {
    const { context_update_required: asked } = expectOk(
      await project.start({ gateLevel, flags: {} }),
    );
    equal(asked?.source, gateLevel === "full" ? "CLAUDE.md" : undefined);
    expectOk(await project.submit({ abandon: true, reason: "only a look", restore: false }));
  }
});

Deno.test("without the features a start names the keys that ask for coverage or mutants, where somebody set them", async () => {
  const text = "coverage: { changed_lines: 0.8 }\nmutants: { when: always }\n";
  const told = async (context: string, features?: readonly []) => {
    await using project = await createProject({
      files: { "src/a.ts": "a\n", ".code-intel/context.yml": context },
      ...(features === undefined ? {} : { features }),
    });
    const { notices = [] } = expectOk(await project.start());
    return notices.filter((notice: string) => /^(?:mutants|coverage)\./.test(notice));
  };
  deepEqual(await told(text, []), [
    "mutants.when: this program tries no wrong versions of the change",
    "coverage.changed_lines: this program reads no coverage, so it asks nothing",
  ]);
  deepEqual(await told("mutants: { when: high }\n", []), []);
});
