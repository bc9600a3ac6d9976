/** Each rule of the write guard, as a pure decision about one path. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { GuardFacts, WriteTarget } from "../../src/ledger/write_guard.ts";
import { checkWriteStage, guardWrite, isProtected } from "../../src/ledger/write_guard.ts";
import { STAGES } from "../../src/phase/table/phases.ts";
import { sampleState } from "../session/sample_state.ts";

function toFacts(patch: Partial<GuardFacts> = {}): GuardFacts {
  return {
    state: sampleState(),
    allowNewFiles: true,
    exploredFiles: new Set(["src/auth.ts"]),
    exploredFolders: new Set(),
    wholeFolders: new Set(),
    hasSourceFiles: true,
    projectFolder: ".",
    ...patch,
  };
}

function toTarget(path: string, patch: Partial<WriteTarget> = {}): WriteTarget {
  const slash = path.lastIndexOf("/");
  const nearestFolder = slash < 0 ? "." : path.slice(0, slash);
  const target = { given: path, path, kind: "file" as const, nearestFolder, ...patch };
  return { ...target, shownFolder: target.nearestFolder };
}

interface Case {
  readonly name: string;
  readonly target: WriteTarget;
  readonly facts?: Partial<GuardFacts>;
  /** Code of the refusal; null when the path may be written. */
  readonly code: string | null;
  /** What the hint has to name. */
  readonly hint?: RegExp;
}

const NEW: Partial<WriteTarget> = { kind: "missing" };

const CASES: readonly Case[] = [
  { name: "an explored file", target: toTarget("src/auth.ts"), code: null },
  {
    name: "a file in the folder of an explored one",
    target: toTarget("src/other.ts"),
    code: "not_explored",
    hint: /add_explored_files with files \["src\/other\.ts"\]/,
  },
  {
    name: "a file of the same base name elsewhere",
    target: toTarget("lib/auth.ts"),
    code: "not_explored",
  },
  {
    name: "a file whose path ends the same",
    target: toTarget("x/src/auth.ts"),
    code: "not_explored",
  },
  { name: "a path in another case", target: toTarget("src/Auth.ts"), code: "not_explored" },
  {
    name: "a file in a folder that was named itself",
    target: toTarget("lib/a.ts"),
    facts: { exploredFolders: new Set(["lib"]) },
    code: "not_explored",
  },
  { name: "a new file beside an explored one", target: toTarget("src/new.ts", NEW), code: null },
  {
    name: "a new file in a folder that was named",
    target: toTarget("lib/new.ts", NEW),
    facts: { exploredFolders: new Set(["lib"]) },
    code: null,
  },
  {
    name: "a new file without allow_new_files",
    target: toTarget("src/new.ts", NEW),
    facts: { allowNewFiles: false },
    code: "new_file_not_allowed",
    hint: /allow_new_files true/,
  },
  {
    name: "a new file in a folder where nothing was explored",
    target: toTarget("lib/new.ts", NEW),
    code: "folder_not_explored",
    hint: /add_explored_files with files \["lib"\]/,
  },
  {
    name: "a new file in a new folder below an explored one",
    target: toTarget("src/deep/er/new.ts", { ...NEW, nearestFolder: "src" }),
    code: null,
  },
  {
    name: "a new file in a new folder below one where nothing was explored",
    target: toTarget("lib/deep/new.ts", { ...NEW, nearestFolder: "lib" }),
    code: "folder_not_explored",
  },
  {
    name: "a new file in the parent of an explored folder's files",
    target: toTarget("new.ts", NEW),
    code: "folder_not_explored",
    hint: /add_explored_files with files \["\."\]/,
  },
  {
    name: "a new file at the root of a project without source",
    target: toTarget("new.ts", NEW),
    facts: { hasSourceFiles: false, exploredFiles: new Set() },
    code: null,
  },
  {
    name: "a new file in a new folder of a project without source",
    target: toTarget("src/deep/new.ts", { ...NEW, nearestFolder: "." }),
    facts: { hasSourceFiles: false, exploredFiles: new Set() },
    code: null,
  },
  {
    name: "a new file in an existing folder of a project without source",
    target: toTarget("docs/new.md", NEW),
    facts: { hasSourceFiles: false, exploredFiles: new Set() },
    code: "folder_not_explored",
  },
  {
    name: "an unexplored file of a project without source",
    target: toTarget("README.md"),
    facts: { hasSourceFiles: false, exploredFiles: new Set() },
    code: "not_explored",
  },
  {
    name: "a folder that was not named as a whole, though a file in it was explored",
    target: toTarget("src", { kind: "folder" }),
    code: "folder_not_explored",
    hint: /add_explored_files with files \["src"\]/,
  },
  {
    name: "a folder below one that was named as a whole",
    target: toTarget("lib/deep", { kind: "folder" }),
    facts: { wholeFolders: new Set(["lib"]) },
    code: null,
  },
  {
    name: "a file deep below a folder that was named as a whole",
    target: toTarget("lib/deep/a.ts"),
    facts: { wholeFolders: new Set(["lib"]) },
    code: null,
  },
  {
    name: "a file beside a folder that was named as a whole",
    target: toTarget("library/a.ts"),
    facts: { wholeFolders: new Set(["lib"]) },
    code: "not_explored",
  },
  {
    name: "the whole project",
    target: toTarget(".", { kind: "folder" }),
    facts: { wholeFolders: new Set(["."]) },
    code: "path_is_folder",
    hint: /folder in it/,
  },
  {
    name: "a folder above the project",
    target: toTarget("apps", { kind: "folder" }),
    facts: { wholeFolders: new Set(["apps"]), projectFolder: "apps/web" },
    code: "path_is_folder",
  },
];

for (const { name, target, facts, code, hint } of CASES) {
  Deno.test(`guardWrite() ${code === null ? "allows" : `answers ${code} for`} ${name}`, () => {
    const problems = guardWrite(target, toFacts(facts));
    deepEqual(problems.map((problem) => problem.code), code === null ? [] : [code]);
    if (hint !== undefined) match(String(problems[0]?.hint ?? ""), hint);
    for (const problem of problems) equal(problem.path, target.given);
  });
}

const PROTECTED = [
  ".git",
  ".git/config",
  ".git/hooks/pre-commit",
  ".GIT/config",
  "vendor/lib/.git/config",
  ".code-intel/phase_contract.yml",
  ".code-intel/config.json",
  ".code-intel/context.yml",
  ".code-intel/sessions/session_20260131_142530_9f3a.json",
  ".code-intel/backup/x",
  "app/.code-intel/config.json",
  ".mcp.json",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".codex/config.toml",
];

for (const path of PROTECTED) {
  Deno.test(`guardWrite() refuses ${path}, explored or not, new or not`, () => {
    equal(isProtected(path), true);
    const facts = toFacts({ exploredFiles: new Set([path]), exploredFolders: new Set(["."]) });
    for (const kind of ["file", "missing"] as const) {
      const problems = guardWrite(toTarget(path, { kind }), facts);
      deepEqual(problems.map(({ code }) => code), ["path_protected"]);
    }
  });
}

Deno.test("isProtected() leaves files alone that only look like those that steer", () => {
  const free = [
    ".gitignore",
    ".github/workflows/ci.yml",
    "src/git/x.ts",
    "x.git/config",
    ".code-intel/verifiers/backend.md",
    "docs/config.json",
    ".claude/commands/x.md",
    "mcp.json",
  ];
  deepEqual(free.filter(isProtected), []);
});

Deno.test("checkWriteStage() opens in READY implement only", () => {
  const open = STAGES.filter((stage) => checkWriteStage(sampleState({ stage })).length === 0);
  deepEqual(open, ["READY_IMPL"]);
});

Deno.test("checkWriteStage() names the phase and the next call where nothing may be written", () => {
  for (const stage of STAGES.filter((name) => !/^READY_(IMPL|COMPLETE)$/.test(name))) {
    const [problem] = checkWriteStage(sampleState({ stage }));
    equal(problem?.code, "write_not_allowed");
    match(String(problem?.message ?? ""), stage === "READY_PLAN" ? /READY/ : new RegExp(stage));
    match(String(problem?.hint ?? ""), /submit_phase/);
  }
});

Deno.test("checkWriteStage() refuses while the session waits, whatever its stage", () => {
  const waiting = [
    sampleState({ status: "parked" }),
    sampleState({ status: "ended" }),
    sampleState({
      pending: {
        accepted: { kind: "changes", outcome: "done", patch: {} },
        effects: [],
        expected: {},
        reply: {},
      },
    }),
    sampleState({ escalation: { cause: "back_limit", message: "?" } }),
  ];
  for (const state of waiting) {
    deepEqual(checkWriteStage(state).map(({ code }) => code), ["write_not_allowed"]);
  }
});
