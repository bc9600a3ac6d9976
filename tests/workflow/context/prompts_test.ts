/** Which prompt files of the project a stage names. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Stage } from "../../../src/phase/table/phases.ts";
import { STAGES } from "../../../src/phase/table/phases.ts";
import type { PromptPlace, PromptSettings } from "../../../src/workflow/context/prompts.ts";
import {
  checkDocPrompts,
  fitsFailure,
  listPrompts as list,
} from "../../../src/workflow/context/prompts.ts";

const SETTINGS: PromptSettings = {
  interventionsDir: "interventions",
  patterns: [],
  documentPrompts: ["default.md"],
};

function toPlace(stage: Stage, rest: Partial<PromptPlace> = {}): PromptPlace {
  const nothing = { revertReason: null, verification: null, tasks: [], escalation: null };
  return { docResearchPrompts: [], ...nothing, stage, ...rest };
}

function listPrompts(dir: string, stage: Stage, chosen: readonly string[] = []) {
  return list(dir, toPlace(stage, { docResearchPrompts: chosen }), SETTINGS);
}

async function createFolder(paths: readonly string[]): Promise<string> {
  const dir = await Deno.makeTempDir();
  for (const path of paths) {
    await Deno.mkdir(join(dir, dirname(path)), { recursive: true });
    await Deno.writeTextFile(join(dir, path), "x");
  }
  return dir;
}

Deno.test("listPrompts() names the files of a stage, sorted, and what the person added", async () => {
  const dir = await createFolder([
    "verifiers/web.md",
    "verifiers/backend.md",
    "verifiers/日本語.md",
    "verifiers/notes.txt",
    "verifiers/deep/x.md",
    "doc_research/default.md",
    "interventions/step_back.md",
    "user_escalation.md",
    "task_planning.md",
    "review_prompts/garbage_detection.md",
    "review_prompts/quality_review.md",
  ]);
  const found: Record<string, readonly string[]> = {};
  for (const stage of STAGES) {
    const paths = await listPrompts(dir, stage);
    if (paths.length > 0) found[stage] = paths.map((path) => path.replace(".code-intel/", ""));
  }
  deepEqual(found, {
    DOCUMENT_RESEARCH: ["doc_research/default.md"],
    READY_PLAN: ["task_planning.md"],
    POST_IMPL_VERIFY: ["verifiers/backend.md", "verifiers/web.md", "verifiers/日本語.md"],
    VERIFY_INTERVENTION: ["interventions/step_back.md"],
    PRE_COMMIT: ["review_prompts/garbage_detection.md"],
    QUALITY_REVIEW: ["review_prompts/quality_review.md"],
  });
  const escalation = { cause: "back_limit", message: "x" } as const;
  const asked = toPlace("READY_IMPL", { escalation });
  deepEqual(await list(dir, asked, SETTINGS), [".code-intel/user_escalation.md"]);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("listPrompts() names the prompts of step 15 by the changed files, and by who runs the commands", async () => {
  const names = ["html_css", "backend", "generic", "own"];
  const dir = await createFolder(names.map((name) => `verifiers/${name}.md`));
  const listed = async (evidence: string, verify: readonly unknown[]) => {
    const checklist = [{ item: "Change it", status: "done", evidence }];
    const rest = { tasks: [{ id: "task_1", checklist }], fixedVerify: { verify } };
    const paths = await list(dir, toPlace("POST_IMPL_VERIFY", rest as never), SETTINGS);
    return paths.map((path) => path.replace(/.*\/|\.md$/g, "")).join(" ");
  };
  equal(await listed("src/a.py:3-4", [{}]), "own");
  equal(await listed("src/a.py:3-4", []), "backend generic own");
  equal(await listed("web/page.tsx:7", [{}]), "html_css own");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("listPrompts() answers an empty list where folder, file or project folder are missing", async () => {
  const dir = await createFolder([]);
  for (const stage of STAGES) deepEqual(await listPrompts(join(dir, "no"), stage), []);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("listPrompts() takes only the chosen prompts of the document research, by exact name", async () => {
  const names = ["api", "rest_api", "default"];
  const dir = await createFolder(names.map((name) => `doc_research/${name}.md`));
  const listed = (chosen: readonly string[]) => listPrompts(dir, "DOCUMENT_RESEARCH", chosen);
  deepEqual(await listed(["api"]), [".code-intel/doc_research/api.md"]);
  deepEqual(await listed(["default", "rest_api"]), [
    ".code-intel/doc_research/default.md",
    ".code-intel/doc_research/rest_api.md",
  ]);
  deepEqual(await listed(["no_such"]), []);
  deepEqual(await checkDocPrompts(dir, ["api", "default.md"]), []);
  const [problem] = await checkDocPrompts(dir, ["apo"]);
  deepEqual([problem?.code, problem?.at], ["unknown_prompt", "flags.doc_research_prompts"]);
  match(String(problem?.hint), /api, default, rest_api\. Did you mean "?`?api/);
  deepEqual(
    await listed([]),
    [".code-intel/doc_research/default.md"],
    "those of the configuration",
  );
  const none = { ...SETTINGS, documentPrompts: ["gone.md"] };
  deepEqual((await list(dir, toPlace("DOCUMENT_RESEARCH"), none)).length, 3);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("listPrompts() names twenty files at most", async () => {
  const names = Array.from(
    { length: 30 },
    (_, at) => `verifiers/${String(at).padStart(2, "0")}.md`,
  );
  const dir = await createFolder(names);
  const found = await listPrompts(dir, "POST_IMPL_VERIFY");
  deepEqual([found.length, found.at(-1)], [20, ".code-intel/verifiers/19.md"]);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("listPrompts() takes the prompts of the pattern that fits the failure, from the configured folder", async () => {
  const dir = await createFolder(["help/step_back.md", "help/css.md", "interventions/old.md"]);
  const settings: PromptSettings = {
    ...SETTINGS,
    interventionsDir: "help",
    patterns: [
      { pattern: "(layout|flex)", prompts: ["css"], threshold: 1 },
      { pattern: "[broken", prompts: ["step_back.md"], threshold: 1 },
    ],
  };
  const listed = (revertReason: string | null) =>
    list(dir, toPlace("VERIFY_INTERVENTION", { revertReason }), settings);
  deepEqual(await listed("the LAYOUT moves"), [".code-intel/help/css.md"]);
  deepEqual(await listed("a list [broken"), [".code-intel/help/step_back.md"]);
  deepEqual((await listed("something else")).length, 2);
  const outside = { ...settings, interventionsDir: "../elsewhere" };
  const shown = await list(dir, toPlace("VERIFY_INTERVENTION"), outside);
  deepEqual(shown, [".code-intel/interventions/old.md"]);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("fitsFailure() wants as many failures of a task as the pattern says", () => {
  const row = { pattern: "timeout", prompts: ["x"], threshold: 2 };
  const task = (failureCount: number) => ({
    id: "task_1",
    description: "x",
    status: "pending" as const,
    checklist: [],
    failureCount,
    revertReason: "a timeout",
    evidenceTree: null,
  });
  const fits = (failures: number) =>
    fitsFailure(row, toPlace("VERIFY_INTERVENTION", { tasks: [task(failures)] }));
  deepEqual([fits(1), fits(2)], [false, true]);
});
