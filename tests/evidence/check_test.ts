/** Evidence of a report against real trees: what git says changed, for files of every shape. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import type { ReportInput } from "../../src/evidence/check.ts";
import { checkEvidence } from "../../src/evidence/check.ts";
import { parseRepoPath } from "../../src/base/repo_path.ts";
import { createTrees } from "../../src/ledger/trees.ts";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const SESSION = "session_20260131_142530_9f3a";

function toLines(count: number, end = "\n"): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1}${end}`).join("");
}

const FILES: Readonly<Record<string, string>> = {
  "src/a.ts": toLines(20),
  "src/a b.ts": toLines(3),
  "app/[id].tsx": toLines(3),
  "Makefile": "all:\n\techo\n",
  "a:3.ts": toLines(8),
  "src/ログイン.ts": toLines(3),
  "crlf.txt": toLines(5, "\r\n"),
  "bare.txt": "one\ntwo",
  "empty.txt": "",
  "emptied.txt": toLines(3),
  "gone.ts": "gone\n",
  "old_name.ts": toLines(30),
  "run.sh": "#!/bin/sh\n",
  "removed_mid.ts": toLines(10),
  "same.ts": toLines(4),
  "pixel.bin": "\u0000\u0001",
};

async function edit(temp: TempRepo): Promise<void> {
  const change = async (path: string, from: string, to: string) => {
    const text = await temp.read(path);
    await temp.write({ [path]: text.replace(from, to) });
  };
  await change("src/a.ts", "line 5\nline 6\n", "five\nsix\n");
  await change("src/a b.ts", "line 2", "two");
  await change("app/[id].tsx", "line 2", "two");
  await change("Makefile", "echo", "true");
  await change("a:3.ts", "line 5", "five");
  await change("src/ログイン.ts", "line 2", "二");
  await change("crlf.txt", "line 3\r\n", "three\r\n");
  await change("bare.txt", "two", "zwei");
  await change("removed_mid.ts", "line 5\n", "");
  await temp.write({
    "emptied.txt": "",
    "new.ts": "new\n",
    "new_empty.py": "",
    "pixel.bin": "\u0000\u0002",
    "new.bin": "\u0000",
  });
  await temp.remove("gone.ts");
  await temp.git("mv", "old_name.ts", "new_name.ts");
  await Deno.chmod(join(temp.dir, "run.sh"), 0o755);
}

async function toInput(temp: TempRepo, baselineTree: string): Promise<ReportInput> {
  const options = { sessionId: SESSION, maxFileMb: 50 };
  const { tree } = await writeWorktreeTree(temp.repo, options);
  return {
    trees: createTrees(temp.repo),
    toWorktree: (path) => parseRepoPath(temp.dir, path),
    toAbsolute: (path) => join(temp.dir, path),
    baselineTree,
    currentTree: tree,
    ...NO_TASK,
  };
}

const NO_TASK = {
  task: { description: "", items: [] },
  listFiles: () => Promise.resolve([]),
} as const;

/** Evidence and the code that it gets; null where it stands. */
const CASES: readonly (readonly [string, string | null])[] = [
  ["src/a.ts:5-6", null],
  ["./src/a.ts:6", null],
  ["src/../src/a.ts:5", null],
  ["src/a.ts:4", "checklist_evidence_not_changed"],
  ["src/a.ts:7-20", "checklist_evidence_not_changed"],
  ["src/a.ts:21", "checklist_evidence_line_out_of_range"],
  ["src/a.ts:0", "checklist_evidence_line_out_of_range"],
  ["src/a.ts:6-5", "checklist_evidence_line_out_of_range"],
  ["src/a b.ts:2", null],
  ["app/[id].tsx:2", null],
  ["Makefile:2", null],
  ["a:3.ts:5", null],
  ["a:3.ts:4", "checklist_evidence_not_changed"],
  ["src/ログイン.ts:2", null],
  ["crlf.txt:3", null],
  ["crlf.txt:2", "checklist_evidence_not_changed"],
  ["crlf.txt:6", "checklist_evidence_line_out_of_range"],
  ["bare.txt:2", null],
  ["bare.txt:1", "checklist_evidence_not_changed"],
  ["bare.txt:3", "checklist_evidence_line_out_of_range"],
  ["removed_mid.ts:4", null],
  ["removed_mid.ts:5", null],
  ["removed_mid.ts:9", "checklist_evidence_not_changed"],
  ["emptied.txt:1", null],
  ["new.ts:1", null],
  ["new_empty.py:1", null],
  ["empty.txt:1", "checklist_evidence_not_changed"],
  ["same.ts:1", "checklist_evidence_not_changed"],
  ["gone.ts:deleted", null],
  ["gone.ts:1", "checklist_evidence_file_not_found"],
  ["never.ts:deleted", "checklist_evidence_not_changed"],
  ["never.ts:1", "checklist_evidence_file_not_found"],
  ["new_name.ts:renamed", null],
  ["old_name.ts:deleted", null],
  ["new_name.ts:1", "checklist_evidence_not_changed"],
  ["src/a.ts:renamed", "checklist_evidence_not_changed"],
  ["run.sh:mode", null],
  ["run.sh:1", "checklist_evidence_not_changed"],
  ["pixel.bin:binary", null],
  ["pixel.bin:1", "checklist_evidence_binary"],
  ["new.bin:binary", null],
  ["src/a.ts:binary", "checklist_evidence_not_changed"],
  ["src/a.ts", "checklist_evidence_format_invalid"],
  ["src/a.ts:five", "checklist_evidence_format_invalid"],
  ["../up.ts:1", "path_outside"],
  ["/etc/passwd:1", "path_outside"],
  ["src/a.ts\0:1", "path_invalid"],
  ["src:1", "checklist_evidence_file_not_found"],
];

Deno.test("checkEvidence() judges each form on real changes, all of them at once", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const baseline = await writeWorktreeTree(temp.repo, { sessionId: SESSION, maxFileMb: 50 });
  await edit(temp);
  await expectCases(await toInput(temp, baseline.tree));
});

async function expectCases(input: ReportInput): Promise<void> {
  const wrong: string[] = [];
  for (const [evidence, expected] of CASES) {
    const problems = await checkEvidence(input, [{ item: "x", status: "done", evidence }]);
    const found = problems.map(({ code }) => code).join();
    if (found !== (expected ?? "")) wrong.push(`${evidence}: ${found} instead of ${expected}`);
    for (const { at, hint } of problems) {
      if (at !== "data.checklist[0].evidence" || hint === undefined) wrong.push(`${evidence}: at`);
    }
  }
  deepEqual(wrong, []);
  const all = await checkEvidence(
    input,
    CASES.filter(([text]) => text !== "./src/a.ts:6" && text !== "src/../src/a.ts:5")
      .map(([evidence]) => ({ item: "x", status: "done", evidence })),
  );
  deepEqual(all.length, CASES.filter(([, expected]) => expected !== null).length);
}

Deno.test("checkEvidence() takes only done items, and asks the same place of no two of them", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const baseline = await writeWorktreeTree(temp.repo, { sessionId: SESSION, maxFileMb: 50 });
  await edit(temp);
  const input = await toInput(temp, baseline.tree);
  const toCodes = async (...items: readonly (readonly [string, string | null])[]) => {
    const checklist = items.map(([status, evidence]) => ({ item: "x", status, evidence }));
    return (await checkEvidence(input, checklist)).map(({ code, at }) => `${code} ${at}`);
  };
  deepEqual(await toCodes(["skipped", "never.ts:1"], ["pending", "x"], ["done", null]), []);
  deepEqual(await toCodes(["done", "src/a.ts:5"], ["done", "src/a.ts:6"]), []);
  deepEqual(await toCodes(["done", "src/a.ts:4-5"], ["done", "src/a.ts:5-6"]), []);
  deepEqual(await toCodes(["done", "src/a.ts:5"], ["done", "a:3.ts:5"]), []);
  const repeated = ["checklist_evidence_repeated data.checklist[1].evidence"];
  // What is left of the larger place has a change of its own, or none.
  deepEqual(await toCodes(["done", "src/a.ts:4-7"], ["done", "src/a.ts:5"]), []);
  deepEqual(
    await toCodes(["done", "src/a.ts:4-7"], ["done", "src/a.ts:5"], ["done", "src/a.ts:6"]),
    [repeated[0], "checklist_evidence_repeated data.checklist[2].evidence"],
  );
  deepEqual(await toCodes(["done", "src/a.ts:5-6"], ["done", "src/a.ts:4-7"]), [
    "checklist_evidence_repeated data.checklist[0].evidence",
  ]);
  const same: readonly (readonly [string, string])[] = [
    ["src/a.ts:5-6", "src/a.ts:5-6"],
    ["src/a.ts:5", "src/a.ts:5-5"],
    ["src/a.ts:5", "src/a.ts:05"],
    ["src/a.ts:5", "./src/a.ts:5"],
    ["src/a.ts:5", join(temp.dir, "src/a.ts:5")],
    ["run.sh:mode", "src/../run.sh:mode"],
  ];
  for (const [one, other] of same) {
    deepEqual(await toCodes(["done", one], ["done", other]), repeated, other);
  }
});

Deno.test("checkEvidence() checks place and length where there is no git", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  await Deno.writeTextFile(join(dir, "a.ts"), toLines(3));
  await Deno.writeTextFile(join(dir, "empty.ts"), "");
  const input: ReportInput = {
    trees: null,
    toWorktree: (path) => parseRepoPath(dir, path),
    toAbsolute: (path) => join(dir, path),
    baselineTree: null,
    currentTree: null,
    ...NO_TASK,
  };
  const expected: Readonly<Record<string, string>> = {
    "a.ts:1-3": "",
    "a.ts:4": "checklist_evidence_line_out_of_range",
    "empty.ts:1": "",
    "no.ts:1": "checklist_evidence_file_not_found",
    "no.ts:deleted": "",
    "a.ts:deleted": "checklist_evidence_not_changed",
    "../a.ts:1": "path_outside",
  };
  const found: Record<string, string> = {};
  for (const evidence of Object.keys(expected)) {
    const problems = await checkEvidence(input, [{ item: "x", status: "done", evidence }]);
    found[evidence] = problems.map(({ code }) => code).join();
  }
  deepEqual(found, expected);
  await Deno.remove(dir, { recursive: true });
});

const WORK = `import { a } from "a";

export function old(): number {
  const x = a();
  return x + 1;
}

export function noop(): void {}

export function last(): null {
  // Nobody has one.
  return null;
}
`;

const WORK_NOW = `import { a } from "a";

export function old(): number {
}

export function noop(): void {}

export function last(): null {
  // Nobody has one, and it stays so.
  return null;
}

export function fresh(): null {
  // TODO
  return null;
}

export function real(): number {
  return 2;
}
`;

Deno.test("checkEvidence() refuses changed lines that are an empty implementation, and says what to do", async () => {
  await using temp = await createTempRepo({
    files: {
      "a.ts": WORK,
      "a.py": 'def f():\n    """Doc."""\n    return 1\n\n\nX = 1\nY = 2\nZ = 3\n',
      "crlf.go": "package a\r\n\r\nconst A = 1\r\n",
      "vouch.js": "exports.a = function a() {\n  return work();\n};\n",
    },
  });
  const baseline = await writeWorktreeTree(temp.repo, { sessionId: SESSION, maxFileMb: 50 });
  await temp.write({
    "a.ts": WORK_NOW,
    "a.py": 'def f():\n    """Doc."""\n\n\nX = 1\nZ = 3\n',
    "crlf.go": 'package a\r\n\r\nconst A = 2\r\n\r\nfunc F() { panic("TODO") }\r\n',
    "関数.py": '# 日本語\ndef 関数():\n    raise NotImplementedError("未実装")\n',
    "note.sql": "-- TODO\nselect 1;\n",
    "vouch.js": "exports.a = function a() {\n  return work();\n};\nexports.b = function b() {};\n",
  });
  const input = await toInput(temp, baseline.tree);
  const empty = "checklist_evidence_empty_impl";
  const rows: readonly (readonly [string, string])[] = [
    // A body whose lines were removed, with nothing changed beside the gap.
    ["a.ts:3-4", empty],
    // Lines were removed, but not those of this function.
    ["a.ts:1", "checklist_evidence_not_changed"],
    ["a.ts:6", "checklist_evidence_not_changed"],
    // A comment in an older function is no work of an item that is not about it, however wide the range.
    ["a.ts:8-11", "checklist_evidence_comments_only"],
    ["a.ts:9", "checklist_evidence_comments_only"],
    ["a.ts:13-16", empty],
    ["a.ts:18-20", ""],
    ["a.ts:13-20", ""],
    ["a.py:1-2", empty],
    // One of several lines was removed: what is left was there.
    ["a.py:5-6", ""],
    ["crlf.go:3", ""],
    // Old lines beside a stub do not vouch for it.
    ["vouch.js:1-4", empty],
    ["vouch.js:4", empty],
    ["crlf.go:5", empty],
    ["関数.py:2-3", empty],
    ["note.sql:1", empty],
    ["note.sql:1-2", ""],
  ];
  const report = (evidence: string) => [{ item: "x", status: "done", evidence }];
  for (const [evidence, expected] of rows) {
    const problems = await checkEvidence(input, report(evidence));
    deepEqual(problems.map(({ code }) => code).join(), expected, evidence);
    for (const { at } of problems) deepEqual(at, "data.checklist[0].evidence", evidence);
  }
  const [problem] = await checkEvidence(input, report("crlf.go:5"));
  deepEqual(problem, {
    code: empty,
    message:
      "crlf.go:5-5 is an empty implementation: the body only says that it is not implemented (judged by its syntax tree)",
    at: "data.checklist[0].evidence",
    path: "crlf.go",
    hint: "Write what the item promises, or name the lines that do the work; " +
      "an item that needs none is sent as skipped with a reason.",
  });
});

Deno.test("checkEvidence() named an empty implementation by git's path where the project is a subfolder", async () => {
  await using temp = await createTempRepo({ files: { "app/a.py": "X = 1\n" } });
  const { tree } = await writeWorktreeTree(temp.repo, { sessionId: SESSION, maxFileMb: 50 });
  await temp.write({ "app/a.py": "X = 1\ndef f():\n    pass\n" });
  const input = await toInput(temp, tree);
  const toWorktree = (path: string) => parseRepoPath(temp.dir, `app/${path}`);
  const [problem] = await checkEvidence({ ...input, toWorktree }, [
    { item: "x", status: "done", evidence: "a.py:2-3" },
  ]);
  deepEqual([problem?.path, String(problem?.message).split(" ")[0]], ["a.py", "a.py:2-3"]);
});

const BEFORE: Readonly<Record<string, string>> = {
  "src/a.ts": `// Old.\n${
    Array.from({ length: 60 }, (_, at) => `call${at}();`).join("\n")
  }\nexport function f(): number {\n  first();\n  return second();\n}\n`,
  "src/b.py": "def f():\n    a()\n    return 1\n",
  "src/view.ts": "export const view = 1;\n",
};

/** Evidence of items, what is in the report beside it, and the code that it gets. */
const WORDED: readonly {
  readonly item: string;
  readonly evidence: string;
  readonly reason?: string;
  readonly rules?: readonly string[];
  readonly code?: string;
}[] = [
  { item: "Refuse a name", evidence: "src/a.ts:1", code: "comments_only" },
  { item: "Say in a comment what it is", evidence: "src/a.ts:1" },
  { item: "Refuse a name", evidence: "src/a.ts:1", reason: "the comment names the rule" },
  { item: "Refuse a name", evidence: "src/a.ts:1", rules: ["Each file has a licence header"] },
  { item: "Refuse a name", evidence: "src/a.ts:1-30", code: "too_wide" },
  { item: "Document f()", evidence: "src/b.py:2" },
  { item: "Return one", evidence: "src/b.py:2", code: "comments_only" },
  { item: "Return one", evidence: "src/b.py:1-4", code: "comments_only" },
  { item: "Create the package", evidence: "src/pkg/__init__.py:1" },
  { item: "Create the module", evidence: "src/pkg/other.py:1", code: "comments_only" },
  { item: "Refuse a name", evidence: "src/a.ts:62-63", code: "layout_only" },
  { item: "Move first() to the end", evidence: "src/a.ts:62-65" },
  { item: "Refuse a name", evidence: "src/view.ts:1", code: "layout_only" },
  { item: "Change src/a.ts", evidence: "src/b.py:2", code: "elsewhere comments_only" },
  { item: "Document src/a.ts", evidence: "src/b.py:2", reason: "f() is told of there" },
];

Deno.test("checkEvidence() takes documents for work where the item, its reason or a rule is about them", async () => {
  await using temp = await createTempRepo({ files: BEFORE });
  const { tree } = await writeWorktreeTree(temp.repo, { sessionId: SESSION, maxFileMb: 50 });
  await temp.write({
    "src/a.ts": String(BEFORE["src/a.ts"]).replace("// Old.", "// Refuses an empty name.")
      .replace("  first();\n  return second();\n", "  return second();\n  first();\n"),
    "src/b.py": 'def f():\n    """Gives one."""\n    a()\n    return 1\n',
    "src/view.ts": "export const view = 1; // The name is refused.\n",
    "src/pkg/__init__.py": '"""All of it."""\n',
    "src/pkg/other.py": '"""All of it."""\n',
  });
  const input = await toInput(temp, tree);
  const listFiles = () => Promise.resolve(Object.keys(BEFORE));
  for (const { item, evidence, reason, rules, code = "" } of WORDED) {
    const about = { ...input, listFiles, ...(rules === undefined ? {} : { rules }) };
    const report = [{ item, status: "done", evidence, reason }];
    const found =
      (await checkEvidence({ ...about, task: { description: "", items: [item] } }, report))
        .map((problem) => problem.code.replace("checklist_evidence_", ""));
    deepEqual(found.join(" "), code, `${item}: ${evidence}`);
  }
});
