/** Projects with a verification command, and the way of a fast session to step 15. */
import { strictEqual as equal } from "node:assert/strict";
import type { Project } from "../project_fixture.ts";
import { COMMON, createProject, FRAME } from "../project_fixture.ts";

/** The flags of the short flow. */
export const FLAGS = { fast: true, no_doc: true };
/** What the agent says at step 15, without its verdict. */
export const REPORT = {
  ...COMMON,
  verifier_used: "by hand",
  failed_tasks: [],
  details: "looked at it",
};
/** What the agent says at step 17. */
export const REVIEW = {
  ...COMMON,
  reviewed_files: [],
  rest: "keep",
  commit_message: "Say what is wanted",
} as const;

/** A project with one verification command, which nobody has allowed yet. */
export async function createVerified(
  run: readonly string[],
  row: Readonly<Record<string, unknown>> = {},
  baseline: "auto" | "off" = "off",
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Project> {
  return await createProject({
    files: {
      "src/a.ts": "first\n",
      ".code-intel/config.json": JSON.stringify({
        verify: [{ name: "check", run, ...row }],
        verify_baseline: baseline,
        ...settings,
      }),
    },
  });
}

/** Commands run in the worktree, as where clean checkouts do not work. */
export const IN_WORKTREE = { verify_checkout: "off" } as const;

/** Allows the commands as a person at a terminal does. */
export async function allow(project: Project): Promise<void> {
  const { verification } = project;
  await verification.trustCommands(await verification.loadCommands(), "terminal");
}

/** Walks a fast session to step 15 with one edit of src/a.ts. */
export async function reachVerification(
  project: Project,
  text: string,
  options: { readonly waitsForBaseline?: boolean; readonly alsoWrites?: string } = {},
): Promise<void> {
  const started = await project.start({ flags: FLAGS });
  if (options.waitsForBaseline === true) {
    equal(started.verify_baseline, "running");
    while ((await project.verification.runner.read(started.session_id)).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  await project.must({ ...COMMON, slots: {} });
  await plan(project, text, "task_1", options.alsoWrites);
}

/** Plans, does and reports one more task that rewrites src/a.ts. */
export async function plan(
  project: Project,
  text: string,
  id: string,
  also?: string,
): Promise<void> {
  const { tasks } = await project.state();
  const done = tasks.map((task) => ({ ...task, status: "completed" }));
  const item = `Rewrite src/a.ts (${id})`;
  const next = {
    id,
    description: "Rewrite src/a.ts",
    status: "pending",
    checklist: [{ item, status: "pending" }],
  };
  await project.must({ ...COMMON, tasks: [...done, next] });
  await project.workflow.addExploredFiles(["src/a.ts"]);
  await project.clear("src/a.ts");
  await project.repo.write({ "src/a.ts": `first\n${text}` });
  if (also !== undefined) {
    await project.clear(also);
    await project.repo.write({ [also]: "export const probe = 1;\n" });
  }
  await project.must({
    ...COMMON,
    task_id: id,
    checklist: [{ item, status: "done", evidence: "src/a.ts:2" }],
  });
  await project.must({ summary: "all done" });
}

const CALL = {
  subject: "first",
  argsHash: "0123456789abcdef",
  ok: true,
  total: 1,
  symbols: [],
  durationMs: 1,
  via: "mcp",
} as const;

/** Walks a whole session to step 15 with the given files rewritten, a task each. */
export async function toStep15(
  project: Project,
  edits: Readonly<Record<string, string>>,
): Promise<void> {
  const [first = ""] = Object.keys(edits);
  await project.start({ flags: { no_doc: true } });
  await project.must(FRAME);
  for (const tool of ["search_text", "get_symbols"]) {
    const admission = await project.workflow.admit(tool, null);
    await project.workflow.record(admission, { ...CALL, tool, files: [first] });
  }
  await project.must({ ...COMMON, explored_files: [first], findings: [`${first} says it`] });
  const reason = "The files say enough about it";
  await project.must({ ...COMMON, needs_more_information: false, reason });
  await project.must({ ...COMMON, has_unverified_hypotheses: false, hypotheses: [], reason });
  await project.must({ ...COMMON, needs_impact_analysis: false, reason });
  await project.plan(...Object.keys(edits).map((path) => `Rewrite ${path}`));
  for (const [path, text] of Object.entries(edits)) {
    const reply = await project.work({ [path]: text }, [
      `${path}:2-${text.trimEnd().split("\n").length}`,
    ]);
    equal(reply.ok, true, JSON.stringify(reply));
  }
  await project.must({ summary: "all done" });
}
