/** The verdict on each change, and how findings are told; all of it pure. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { ObservedChange } from "../../src/ledger/ledger.ts";
import {
  findPossibleLayout,
  isHeadMoved,
  judgeChanges,
  makeFindingProblems,
  makeGitFileProblem,
  makeHeadProblem,
  makeTextProblem,
} from "../../src/ledger/ledger.ts";
import type { LedgerState, SessionState } from "../../src/phase/state.ts";
import type { Stage } from "../../src/phase/table/phases.ts";
import { STAGES } from "../../src/phase/table/phases.ts";
import { sampleState } from "../session/sample_state.ts";

const LEDGER: LedgerState = {
  tree: "a".repeat(40),
  head: { branch: "main", commit: "c".repeat(40) },
  personPaths: [],
  foundTree: null,
  gitFiles: {},
  mode: "strict",
};

const TASK = { id: "task_1", description: "Refuse an empty name", checklist: [] };

function toState(patch: Partial<SessionState> = {}, ledger: Partial<LedgerState> = {}) {
  const cleared = [{ path: "src/auth.ts", visit: 7, taskId: "task_1" }];
  return sampleState({ clearances: cleared, ledger: { ...LEDGER, ...ledger }, ...patch });
}

function toChange(path: string, patch: Partial<ObservedChange> = {}): ObservedChange {
  return { path, kind: "modified", sizeBytes: 3, ...patch };
}

function judge(state: SessionState, ...paths: readonly string[]): readonly string[] {
  const verdicts = judgeChanges(state, paths.map((path) => toChange(path)), { task: TASK });
  return [
    ...verdicts.bookings.map(({ path, to, taskId }) => `${path} ${to} ${taskId}`),
    ...verdicts.findings.map(({ code, change }) => `${change.path} ${code}`),
  ];
}

const WRITING: readonly Stage[] = ["READY_IMPL"];

Deno.test("judgeChanges() books a cleared path to the task where files may be written, and nowhere else", () => {
  for (const stage of STAGES) {
    const expected = WRITING.includes(stage)
      ? "src/auth.ts task task_1"
      : "src/auth.ts unauthorized_change";
    deepEqual(judge(toState({ stage }), "src/auth.ts"), [expected], stage);
  }
});

Deno.test("judgeChanges() allows no link out of the worktree at a cleared path", () => {
  const change = toChange("src/auth.ts", { leadsOutside: true });
  const { findings } = judgeChanges(toState(), [change], { task: TASK });
  deepEqual(findings.map(({ code }) => code), ["unauthorized_change"]);
});

Deno.test("judgeChanges() knows exact paths of this visit only", () => {
  deepEqual(judge(toState(), "src/auth.ts.bak", "auth.ts", "src/auth"), [
    "src/auth.ts.bak unauthorized_change",
    "auth.ts unauthorized_change",
    "src/auth unauthorized_change",
  ]);
  deepEqual(judge(toState({ visit: 8 }), "src/auth.ts"), ["src/auth.ts unauthorized_change"]);
});

const PROTECTED = [
  ".code-intel/phase_contract.yml",
  ".code-intel/config.json",
  ".code-intel/context.yml",
  "packages/one/.code-intel/config.json",
  ".mcp.json",
  ".MCP.json",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".codex/config.toml",
  ".codex/hooks.json",
];

Deno.test("judgeChanges() takes protected files for findings, cleared or claimed by the person", () => {
  for (const path of PROTECTED) {
    const clearances = [{ path, visit: 7, taskId: "task_1" }];
    const state = toState({ clearances }, { personPaths: [path, "**"] });
    deepEqual(judge(state, path), [`${path} protected_change`]);
  }
  deepEqual(judge(toState(), ".claude/agents/one.md"), [
    ".claude/agents/one.md unauthorized_change",
  ]);
});

Deno.test("judgeChanges() books the program's own working files to the server", () => {
  const own = [
    ".code-intel/sessions/x.json",
    ".code-intel/backup/a",
    ".code-intel/index.sqlite",
    ".code-intel/x.db-wal",
  ];
  deepEqual(judge(toState({ stage: "Q1" }), ...own), own.map((path) => `${path} server null`));
  deepEqual(judge(toState({ stage: "Q1" }), ".code-intel/prompts/x.md", "src/x.db-wal"), [
    ".code-intel/prompts/x.md unauthorized_change",
    "src/x.db-wal unauthorized_change",
  ]);
});

for (
  const [claim, taken, left] of [
    ["docs", ["docs/a.md", "docs/deep/b.md"], ["docs.md", "docs2/a.md"]],
    ["docs/", ["docs/a.md"], ["docs.md"]],
    ["docs/a.md", ["docs/a.md"], ["docs/b.md"]],
    ["**/*.md", ["docs/a.md", "docs/deep/b.md"], ["docs/a.ts"]],
  ] as const
) {
  Deno.test(`judgeChanges() books what the claim ${claim} takes to the person`, () => {
    const state = toState({ stage: "EXPLORATION" }, { personPaths: [claim] });
    deepEqual(judge(state, ...taken, ...left), [
      ...taken.map((path) => `${path} person null`),
      ...left.map((path) => `${path} unauthorized_change`),
    ]);
  });
}

Deno.test("judgeChanges() gives a cleared path to the task even where the person claimed its folder", () => {
  deepEqual(judge(toState({}, { personPaths: ["src"] }), "src/auth.ts", "src/b.ts"), [
    "src/auth.ts task task_1",
    "src/b.ts person null",
  ]);
});

/** What a formatter may have done, by stage: of any file, of a file of the work, or of none. */
const LAYOUT_STAGES: Readonly<Partial<Record<Stage, "any" | "of_work">>> = {
  READY_IMPL: "any",
  READY_COMPLETE: "of_work",
  POST_IMPL_VERIFY: "of_work",
  PRE_COMMIT: "of_work",
  QUALITY_REVIEW: "of_work",
};

Deno.test("judgeChanges() books a changed layout while files are written, then of the work's files, then of none", () => {
  const clearances = [
    { path: "src/auth.ts", visit: 6, taskId: "task_1" },
    { path: "src/laid.ts", visit: 6, taskId: "task_1", isLayout: true as const },
  ];
  const changes = [
    toChange("src/auth.ts"),
    toChange("src/laid.ts"),
    toChange("src/b.ts"),
    toChange("src/added.ts", { kind: "added" }),
    toChange("src/gone.ts", { kind: "deleted", sizeBytes: null }),
    toChange("src/link.ts", { kind: "type" }),
    toChange("src/out.ts", { leadsOutside: true }),
  ];
  for (const stage of STAGES) {
    const state = toState({ stage, clearances });
    const allowed = LAYOUT_STAGES[stage];
    const expected = allowed === "any"
      ? ["src/auth.ts", "src/laid.ts", "src/b.ts"]
      : allowed === "of_work"
      ? ["src/auth.ts"]
      : [];
    deepEqual(findPossibleLayout(state, changes), expected, stage);
    const known = judgeChanges(state, changes, { task: TASK, isLayoutOnly: () => true });
    const laid = expected.map((path) => ({ path, to: "task", taskId: "task_1", isLayout: true }));
    deepEqual(known.bookings, laid, stage);
    equal(known.findings.length, changes.length - expected.length, stage);
    // Where the two versions differ in more, nothing is the formatter's.
    const other = judgeChanges(state, changes, { task: TASK, isLayoutOnly: () => false });
    deepEqual(other.bookings, [], stage);
  }
});

Deno.test("findPossibleLayout() names neither what is cleared to be written nor what is protected", () => {
  const changes = ["src/auth.ts", "src/b.ts", ".mcp.json"].map((path) => toChange(path));
  deepEqual(findPossibleLayout(toState(), changes), ["src/b.ts"]);
});

Deno.test("judgeChanges() takes new files below a cleared folder where files may be written, and nowhere else", () => {
  const clearances = [{ path: "src/new", visit: 7, taskId: "task_1", isFolder: true as const }];
  const change = toChange("src/new/deep/a.ts", { kind: "added" });
  for (const stage of STAGES) {
    const verdicts = judgeChanges(toState({ stage, clearances }), [change], { task: TASK });
    equal(verdicts.bookings.length, WRITING.includes(stage) ? 1 : 0, stage);
    equal(verdicts.findings.length, WRITING.includes(stage) ? 0 : 1, stage);
  }
});

Deno.test("isHeadMoved() compares branch and commit, and knows nothing without a ledger", () => {
  const head = { branch: "main", commit: "c".repeat(40) };
  equal(isHeadMoved(toState(), head), false);
  equal(isHeadMoved(toState(), { ...head, branch: "other" }), true);
  equal(isHeadMoved(toState(), { ...head, branch: null }), true);
  equal(isHeadMoved(toState(), { ...head, commit: "d".repeat(40) }), true);
  equal(isHeadMoved(toState({}, { head: null }), head), false);
  equal(isHeadMoved(sampleState(), head), false);
});

const BY_HAND = {
  gateLevel: "full",
  intent: "IMPLEMENT",
  flags: {},
  summaries: {},
  path: [],
} as const;

Deno.test("makeFindingProblems() names path, kind, size and the ways out", () => {
  const [one, two, three, odd] = makeFindingProblems(
    [
      { code: "unauthorized_change", change: toChange("app/a.ts", { sizeBytes: 12 }) },
      {
        code: "unauthorized_change",
        change: toChange("app/b.ts", { kind: "deleted", sizeBytes: null }),
      },
      { code: "protected_change", change: toChange("app/.mcp.json", { kind: "added" }) },
      { code: "unauthorized_change", change: toChange('app/a"\nb.ts') },
    ],
    (path) => path.slice(4),
    { ...BY_HAND, stage: "READY_IMPL" },
  );
  equal(one?.path, "a.ts");
  match(String(one?.message ?? ""), /^a\.ts was modified .*\(12 bytes\)$/);
  match(String(one?.hint ?? ""), /"path": "a\.ts", "action": "restore \| person \| authorize"/);
  match(String(two?.message ?? ""), /^b\.ts was deleted [^(]*$/);
  deepEqual([three?.code, three?.path], ["protected_change", ".mcp.json"]);
  match(String(three?.hint ?? ""), /"action": "restore \| person"/);
  // What a hint shows is JSON whatever the name is.
  const shown = /\[\{.*\}\]/s.exec(String(odd?.hint ?? ""))?.[0] ?? "";
  equal(JSON.parse(shown)[0].path, 'a"\nb.ts');
});

Deno.test("makeFindingProblems() offers to authorise only where files may be written", () => {
  const change = toChange("a.ts");
  for (const stage of ["EXPLORATION", "READY_PLAN", "READY_COMPLETE", "PRE_COMMIT"] as const) {
    const [problem] = makeFindingProblems(
      [{ code: "unauthorized_change", change }],
      (path) => path as string,
      { ...BY_HAND, stage },
    );
    match(String(problem?.hint ?? ""), /"action": "restore \| person"/, stage);
  }
  const lazy = { ...BY_HAND, gateLevel: "auto", stage: "EXPLORATION" } as const;
  const [early] = makeFindingProblems(
    [{ code: "unauthorized_change", change }],
    (path) => path as string,
    lazy,
  );
  match(String(early?.hint ?? ""), /authorize/);
});

Deno.test("makeHeadProblem() offers undo on the task branch, and asks for the person elsewhere", () => {
  const state = toState();
  const workspace = { ...state.workspace, taskBranch: "llm_task_x" };
  const task = makeHeadProblem({ ...state, workspace }, { branch: "llm_task_x", commit: "d" });
  match(String(task.message), /^HEAD went from main at c{10} to llm_task_x at d /);
  match(String(task.hint ?? ""), /undo \| person.*undo keeps the content/);
  const late = { ...state, stage: "MERGE", workspace } as const;
  const merge = makeHeadProblem(late, { branch: "llm_task_x", commit: "d" });
  match(String(merge.hint ?? ""), /"action": "undo", "reason"/);
  const long = makeHeadProblem(state, { branch: "main", commit: "0123456789abcdef" });
  match(String(long.message), / to main at 0123456789 without the server$/);
  const base = makeHeadProblem(state, { branch: null, commit: null });
  match(String(base.message), /to a detached HEAD at no commit/);
  match(String(base.hint ?? ""), /^Ask the person/);
});

Deno.test("problems of git's own files and of protected texts can only be the person's", () => {
  const git = makeGitFileProblem("hooks/pre-commit");
  deepEqual([git.code, git.path], ["protected_change", ".git/hooks/pre-commit"]);
  const text = makeTextProblem("package.json");
  deepEqual([text.code, text.path], ["protected_change", "package.json"]);
  for (const { hint } of [git, text]) match(String(hint ?? ""), /"action": "person"/);
});

Deno.test("judgeChanges() takes a claim of the person for the file of that very name, for a folder and for a glob", () => {
  const rows: readonly (readonly [claim: string, path: string, isTheirs: boolean])[] = [
    // Square brackets and stars may be part of a name.
    ["app/[id].ts", "app/[id].ts", true],
    ["app/[id].ts", "app/[id].tsx", false],
    ["app", "app/a.ts", true],
    ["app/", "app/deep/a.ts", true],
    ["app", "apple.ts", false],
    ["app/*.ts", "app/a.ts", true],
    ["app/*.ts", "lib/a.ts", false],
  ];
  for (const [claim, path, isTheirs] of rows) {
    const [verdict = ""] = judge(toState({}, { personPaths: [claim] }), path);
    equal(verdict.startsWith(`${path} person`), isTheirs, `${claim} ${path}: ${verdict}`);
  }
});
