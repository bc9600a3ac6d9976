/** Files of which only the layout changed, over real states of files; and that no word of a plan opens any other file. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createTrees } from "../../../src/ledger/trees.ts";
import { findLayoutChanges } from "../../../src/workflow/look/inspect.ts";
import type { Answer, Project } from "../project_fixture.ts";
import { COMMON, createProject, expectOk, expectRefused, planned } from "../project_fixture.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const TS = "export function f(a) {\n  return g('x', a)\n}\n";
const PY = "def f(a):\n    if a:\n        b()\n    return 'x'\n";

/** Path, before, after, and whether only the layout is other. */
const ROWS: readonly (readonly [path: string, before: string, after: string, isLayout: boolean])[] =
  [
    ["quotes.ts", TS, 'export function f(a) {\n    return g("x", a);\n}\n', true],
    [
      "broken.ts",
      TS,
      "export function f(\n  a,\n) {\n  return g(\n    'x',\n    a,\n  )\n}\n",
      true,
    ],
    ["value.ts", TS, TS.replace("'x'", "'y'"), false],
    ["comment.ts", TS, `// A plan.\n${TS}`, false],
    ["text.ts", "f('a  b')\n", "f('a b')\n", false],
    ["black.py", PY, PY.replace("'x'", '"x"').replaceAll("    ", "  "), true],
    ["dedent.py", PY, PY.replace("        b()", "        pass\n    b()"), false],
    ["moved.py", PY, "def f(a):\n    if a:\n        b()\n        return 'x'\n", false],
    ["a.go", "package a\nfunc f( ) { g() }\n", "package a\n\nfunc f() { g() }\n", true],
    ["b.rs", "fn f() { g(1,2) }\n", "fn f() {\n    g(1, 2)\n}\n", true],
    ["c.java", "class A{int a=1;}\n", "class A {\n  int a = 1;\n}\n", true],
    ["d.json", '{"a":1}\n', '{\n  "a": 1\n}\n', true],
    ["e.json", '{"a":1}\n', '{"a":2}\n', false],
    ["invalid.ts", TS, "export function f( {\n", false],
    ["README.md", "# A\n\ntext\n", "# A\n\ntext of the\n", false],
    ["notes.txt", "a  b\n", "a b\n", false],
  ];

Deno.test("findLayoutChanges() takes what a formatter does, in any language with a grammar, and nothing more", async () => {
  const side = (at: 1 | 2) => Object.fromEntries(ROWS.map((row) => [row[0], row[at]]));
  await using temp = await createTempRepo({ files: { ...side(1), "mode.ts": TS, "bytes.ts": TS } });
  const trees = createTrees(temp.repo);
  const from = await temp.git("rev-parse", "HEAD^{tree}");
  await temp.write(side(2));
  await Deno.chmod(join(temp.dir, "mode.ts"), 0o755);
  await Deno.writeFile(join(temp.dir, "bytes.ts"), new Uint8Array([0xff, 0x0a]));
  const to = await trees.write({ sessionId: "s", maxFileMb: 50 });
  const paths = [...ROWS.map(([path]) => path), "mode.ts", "bytes.ts", "gone.ts"];
  const found = await findLayoutChanges(trees, { from, to, paths });
  deepEqual(
    [...found].sort(),
    ROWS.filter(([, , , isLayout]) => isLayout).map(([path]) => path).sort(),
  );
});

const CODE = { "src/a.ts": TS, "src/b.ts": TS, "README.md": "# Test\n" };
const FORMATTED = 'export function f(a) {\n  return g("x", a);\n}\n';
const OFFERED = ["check_write_target"];

function toReport(item: string, evidence: string) {
  return { ...COMMON, task_id: "task_1", checklist: [{ item, status: "done", evidence }] };
}

/** Words by which a checklist once opened every file of a kind. */
const WORDS: readonly string[] = [
  "Add a smart type formatter",
  "Run prettier over src",
  "Compute the migration plan",
  "Bump the limit",
  "Generate an error",
  "Keep a snapshot of the state",
  "Compile the pattern once",
  "Wire the button",
  "Upgrade the check of packages",
];
const CHANGES: Readonly<Record<string, string>> = {
  "README.md": "# Test\n\nHalf a sentence\n",
  "src/b.ts": TS.replace("'x'", "'y'"),
  "db/migrations/2.sql": "DROP TABLE a;\n",
  "package.json": "{}\n",
  "src/gen/a.ts": "evil();\n",
  "src/__snapshots__/a.snap": "one\n",
};

const PLAN = planned(...WORDS);

Deno.test("no word of a checklist opens a file that nobody cleared", async () => {
  await using project = await createProject({ files: CODE, after: PLAN });
  const expected = Object.keys(CHANGES).map((path) => `unauthorized_change ${path}`).sort();
  const change_resolution = [{ path: "**", action: "restore", reason: "not mine" }];
  for (const [at, item] of WORDS.entries()) {
    await project.repo.write(CHANGES);
    const task_id = `task_${at + 1}`;
    const done = {
      ...COMMON,
      task_id,
      checklist: [{ item, status: "done", evidence: "README.md:3" }],
    };
    const { problems } = await project.submit(done);
    deepEqual(problems.map(({ code, path }: Answer) => `${code} ${path}`).sort(), expected, item);
    const skipped = { item, status: "skipped", reason: "another one does it" };
    await project.must({ ...COMMON, task_id, checklist: [skipped], change_resolution });
  }
});

const FORMAT = planned("Apply our style to the sources");

Deno.test("a task that only formats needs no clearance, and merges nothing but the layout", async () => {
  await using project = await createProject({ files: CODE, after: FORMAT, offered: OFFERED });
  await project.repo.write({ "src/a.ts": FORMATTED, "src/b.ts": FORMATTED });
  const reply = await project.submit(toReport("Apply our style to the sources", "src/a.ts:2"));
  expectOk(reply);
  deepEqual((await project.state()).clearances.map(({ path, isLayout }) => [path, isLayout]), [
    ["src/a.ts", true],
    ["src/b.ts", true],
  ]);
});

Deno.test("a changed layout clears no further change of the file", async () => {
  await using project = await createProject({ files: CODE, after: FORMAT });
  await project.repo.write({ "src/a.ts": FORMATTED });
  equal((await project.workflow.reviewChanges({ maxBytes: 9_000 }) as Answer).total_changes, 1);
  await project.repo.write({ "src/a.ts": FORMATTED.replace('"x"', '"y"') });
  const reply = await project.submit(toReport("Apply our style to the sources", "src/a.ts:2"));
  expectRefused(reply, "unauthorized_change");
  match(reply.problems[0].hint, /restore \| person \| authorize".*"tool" asks the person once/);
});

const GENERATE = planned("Renew what the schema leads to");

async function tell(project: Project, path: string): Promise<Answer> {
  const row = { path, action: "tool", reason: "npm run generate wrote it" };
  return await project.submit({ change_resolution: [row] });
}

Deno.test("what a tool is said to have written is asked about once, and is then part of the task", async () => {
  await using project = await createProject({ files: CODE, after: GENERATE, offered: OFFERED });
  await project.repo.write({ "src/gen/a.ts": "export const a = 1;\n", "src/gen/b.ts": "b();\n" });
  expectRefused(
    await project.submit(toReport("Renew what the schema leads to", "src/gen/a.ts:1")),
    "unauthorized_change",
    "unauthorized_change",
  );
  expectOk(await tell(project, "src/gen/**"));
  expectOk(await project.submit(toReport("Renew what the schema leads to", "src/gen/a.ts:1")));
  const { decisions } = await project.state();
  deepEqual(decisions.map(({ decision, source }) => [decision, source]), [
    ["tool: src/gen/**", "relayed"],
  ]);
});

Deno.test("no tool writes what steers the program, or at a step that allows no writing", async () => {
  await using project = await createProject({ files: CODE, after: GENERATE });
  await project.repo.write({ ".mcp.json": "{}\n" });
  expectRefused(await tell(project, ".mcp.json"), "path_protected");
  await Deno.remove(join(project.root, ".mcp.json"));
  await project.must({
    ...COMMON,
    task_id: "task_1",
    checklist: [{
      item: "Renew what the schema leads to",
      status: "skipped",
      reason: "nothing is to be renewed",
    }],
  });
  await project.repo.write({ "src/gen/a.ts": "evil();\n" });
  expectRefused(await tell(project, "src/gen/a.ts"), "write_not_allowed");
});
