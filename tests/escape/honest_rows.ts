/** Honest pieces of work, each done in a folder of its own and reported as a careful agent would. */

/** One piece of work. Paths are those of its folder. */
export interface HonestRow {
  /** Short name, unique in the table; its folder is called so. */
  readonly id: string;
  /** The item of the plan; `@` stands for its folder. */
  readonly item: string;
  readonly before?: Readonly<Record<string, string>>;
  /** Files that are cleared and written; null deletes. */
  readonly edits?: Readonly<Record<string, string | null>>;
  /** Files that are cleared beside those of the edits. */
  readonly clears?: readonly string[];
  /** Shell line in the folder, after the edits. */
  readonly line?: string;
  /** Files of which the agent then says that a tool wrote them; a glob of the folder. */
  readonly byTool?: string;
  /** Evidence; default the lines of the first edit that differ. */
  readonly evidence?: string;
  readonly reason?: string;
}

const TS = "export function f(name: string): string {\n  return name;\n}\n";
const PY = "def f(a):\n    if a:\n        b()\n        c()\n    return a\n";

const DOCUMENTS: readonly HonestRow[] = [
  {
    id: "comment",
    item: "Say in a comment why f() keeps blanks",
    before: { "a.ts": TS },
    edits: { "a.ts": `// Blanks are part of a name here.\n${TS}` },
  },
  {
    id: "jsdoc",
    item: "Document f()",
    before: { "a.ts": TS },
    edits: { "a.ts": `/** Gives the name as it is. */\n${TS}` },
  },
  {
    id: "docstring",
    item: "Add a docstring to f()",
    before: { "a.py": PY },
    edits: { "a.py": PY.replace("\n", '\n    """Calls b and c."""\n') },
  },
  {
    id: "licence",
    item: "Add the licence header",
    before: { "a.go": "package a\n" },
    edits: { "a.go": "// SPDX-License-Identifier: MIT\n\npackage a\n" },
  },
  {
    id: "version-note",
    item: "Note that f() changed: versionchanged 3.2",
    before: { "a.py": 'def f():\n    """Does it.\n    """\n    return g()\n' },
    edits: {
      "a.py":
        'def f():\n    """Does it.\n\n    .. versionchanged:: 3.2\n       It is faster.\n    """\n    return g()\n',
    },
  },
  {
    id: "package",
    item: "Create the package",
    edits: { "__init__.py": '"""Names and what they mean."""\n' },
  },
  { id: "empty-package", item: "Create the package", edits: { "__init__.py": "" } },
  {
    id: "package-info",
    item: "Describe the package",
    edits: { "package-info.java": "/** Names. */\npackage a;\n" },
  },
  {
    id: "go-doc",
    item: "Tell what the package is for",
    edits: { "doc.go": "// Package a has names.\npackage a\n" },
  },
  {
    id: "rust-doc",
    item: "Write rustdoc for f()",
    before: { "a.rs": "pub fn f() -> i32 {\n    g()\n}\n" },
    edits: { "a.rs": "/// What g gives.\npub fn f() -> i32 {\n    g()\n}\n" },
  },
  {
    id: "typo",
    item: "Mend the typo in the comment",
    before: { "a.ts": `// Teh name.\n${TS}` },
    edits: { "a.ts": `// The name.\n${TS}` },
  },
  {
    id: "deprecation",
    item: "Mark f() as deprecated",
    before: { "a.ts": TS },
    edits: { "a.ts": `/** @deprecated Use g(). */\n${TS}` },
  },
  {
    id: "comment-said-later",
    item: "Make the limit known to readers",
    before: { "a.ts": "export const LIMIT = 3;\n" },
    edits: { "a.ts": "// More would not fit a page.\nexport const LIMIT = 3;\n" },
    reason: "the comment says where the limit comes from",
  },
  {
    id: "readme",
    item: "Tell how to start it",
    before: { "README.md": "# A\n" },
    edits: { "README.md": "# A\n\nRun `make`.\n" },
  },
  {
    id: "changelog",
    item: "Note the change",
    before: { "CHANGELOG.md": "# 1.0\n" },
    edits: { "CHANGELOG.md": "# 1.1\n\n- Faster\n\n# 1.0\n" },
  },
  {
    id: "rst-page",
    item: "Describe the option",
    edits: { "options.rst": "Options\n=======\n\nquiet\n   TODO lists are not printed.\n" },
  },
];

const SMALL: readonly HonestRow[] = [
  {
    id: "null-logger",
    item: "Add a logger that says nothing",
    edits: {
      "log.ts": "export class NullLogger implements Logger {\n  log(_m: string): void {}\n}\n",
    },
  },
  {
    id: "noop-go",
    item: "Add a logger that says nothing",
    edits: {
      "log.go": "package a\n\ntype nullLogger struct{}\n\nfunc (nullLogger) Log(m string) {}\n",
    },
    evidence: "log.go:5",
  },
  {
    id: "noop-rust",
    item: "Add a sink that drops all",
    edits: {
      "a.rs":
        "pub struct NullSink;\n\nimpl Sink for NullSink {\n    fn put(&self, _a: &str) {}\n}\n",
    },
    evidence: "a.rs:3-5",
  },
  {
    id: "null-handler",
    item: "Add a handler that drops records",
    edits: { "a.py": "class NullHandler:\n    def emit(self, _record):\n        pass\n" },
  },
  {
    id: "noop-object",
    item: "Add a tracer that does nothing",
    edits: { "a.js": "export const noopTracer = {\n  start(_name) {},\n  end() {},\n};\n" },
  },
  {
    id: "lookup",
    item: "Find a user by name, or null",
    edits: {
      "a.ts":
        "export function find(name: string): User | null {\n  for (const user of users) {\n    if (user.name === name) return user;\n  }\n  return null;\n}\n",
    },
    evidence: "a.ts:5",
  },
  {
    id: "constant",
    item: "Nobody is an admin here",
    edits: { "a.ts": "export function isAdmin(): boolean {\n  return false;\n}\n" },
  },
  {
    id: "constant-py",
    item: "Guests may read",
    edits: { "a.py": "def may_read(guest):\n    return True  # Guests may read everything.\n" },
  },
  {
    id: "error-class",
    item: "Add an error for names",
    edits: { "a.py": "class NameError_(Exception):\n    pass\n" },
  },
  {
    id: "swallowed",
    item: "Ignore files that are gone",
    before: { "a.py": "import os\n\n\ndef f(path):\n    os.remove(path)\n" },
    edits: {
      "a.py":
        "import os\n\n\ndef f(path):\n    try:\n        os.remove(path)\n    except FileNotFoundError:\n        pass\n",
    },
  },
  {
    id: "swift-coder",
    item: "Add the view",
    edits: {
      "a.swift":
        'class A: UIView {\n  required init?(coder: NSCoder) {\n    fatalError("init(coder:) has not been implemented")\n  }\n  func draw() { paint() }\n}\n',
    },
    evidence: "a.swift:1-6",
  },
  {
    id: "never",
    item: "Add a function that ends the program",
    edits: { "a.swift": "func crash() -> Never {\n  fatalError()\n}\n" },
  },
  {
    id: "interface",
    item: "Add the interface",
    edits: { "a.ts": "export interface A {\n  run(): void;\n}\n" },
  },
  {
    id: "abstract",
    item: "Add the base class",
    edits: {
      "a.py":
        "from abc import ABC, abstractmethod\n\n\nclass A(ABC):\n    @abstractmethod\n    def run(self):\n        ...\n",
    },
  },
  {
    id: "constructor",
    item: "Add the pair",
    edits: {
      "a.ts": "export class Pair {\n  constructor(readonly a: number, readonly b: number) {}\n}\n",
    },
  },
  {
    id: "re-export",
    item: "Export f()",
    before: { "mod.ts": "export { a } from './a.ts';\n" },
    edits: { "mod.ts": "export { a } from './a.ts';\nexport { f } from './f.ts';\n" },
  },
  {
    id: "one-value",
    item: "Wait longer",
    before: { "a.ts": "export const WAIT_MS = 100;\n" },
    edits: { "a.ts": "export const WAIT_MS = 200;\n" },
  },
];

const LONG = Array.from({ length: 120 }, (_, at) => `  call${at}();\n`).join("");
const PLACES: readonly HonestRow[] = [
  {
    id: "order",
    item: "Take the lock before the file is read",
    before: { "a.ts": "read();\nlock();\nwrite();\n" },
    edits: { "a.ts": "lock();\nread();\nwrite();\n" },
  },
  {
    id: "sorted",
    item: "Sort the imports",
    before: { "a.ts": "import 'b';\nimport 'a';\nrun();\n" },
    edits: { "a.ts": "import 'a';\nimport 'b';\nrun();\n" },
  },
  {
    id: "dedent",
    item: "Call c() always",
    before: { "a.py": PY },
    edits: { "a.py": PY.replace("        c()", "    c()") },
  },
  {
    id: "wrapped",
    item: "Answer failures",
    before: { "a.ts": "export function f(): void {\n  run();\n  stop();\n}\n" },
    edits: {
      "a.ts":
        "export function f(): void {\n  try {\n    run();\n    stop();\n  } catch (error) {\n    tell(error);\n  }\n}\n",
    },
  },
  {
    id: "whole-function",
    item: "Call the new one in the middle",
    before: { "a.ts": `export function f() {\n${LONG}}\n` },
    edits: { "a.ts": `export function f() {\n${LONG.replace("call60", "fresh60")}}\n` },
    evidence: "a.ts:1-122",
  },
  {
    id: "surroundings",
    item: "Raise the tenth value",
    before: { "a.yaml": Array.from({ length: 60 }, (_, at) => `v${at}: ${at}\n`).join("") },
    edits: {
      "a.yaml": Array.from({ length: 60 }, (_, at) => `v${at}: ${at === 30 ? 99 : at}\n`).join(""),
    },
    evidence: "a.yaml:20-45",
  },
  {
    id: "formatted",
    item: "Run prettier over @/",
    before: { "a.ts": "export const a = f( 1,2 )\n", "b.ts": "export const b=1\n" },
    line: "printf 'export const a = f(1, 2);\\n' > a.ts; printf 'export const b = 1;\\n' > b.ts",
    evidence: "a.ts:1",
  },
  {
    id: "reflowed",
    item: "Format the file as rustfmt does",
    before: { "a.rs": "fn f() { g(1, 2) }\n" },
    edits: { "a.rs": "fn f() {\n    g(1, 2)\n}\n" },
  },
  {
    id: "line-ends",
    item: "Use CRLF line endings",
    before: { "a.bat": "echo a\necho b\n" },
    edits: { "a.bat": "echo a\r\necho b\r\n" },
  },
  {
    id: "crlf",
    item: "Refuse an empty name",
    before: { "a.ts": "export function f(a) {\r\n  return a;\r\n}\r\n" },
    edits: {
      "a.ts":
        "export function f(a) {\r\n  if (a === '') throw new Error('a name');\r\n  return a;\r\n}\r\n",
    },
  },
  {
    id: "moved-to-a-file",
    item: "Move f() to a file of its own",
    before: { "a.ts": `${TS}export const kept = 1;\n` },
    edits: { "f.ts": TS, "a.ts": "export const kept = 1;\n" },
  },
];

const FILES: readonly HonestRow[] = [
  {
    id: "deleted",
    item: "Remove the old file",
    before: { "old.ts": TS, "kept.ts": TS },
    edits: { "old.ts": null },
    evidence: "old.ts:deleted",
  },
  {
    id: "less",
    item: "Do without g()",
    before: { "a.ts": "export function f() {\n  a();\n  g();\n  b();\n}\n" },
    edits: { "a.ts": "export function f() {\n  a();\n  b();\n}\n" },
    evidence: "a.ts:2-3",
  },
  {
    id: "function-gone",
    item: "Remove g()",
    before: { "a.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n" },
    edits: { "a.py": "def f():\n    return 1\n" },
    evidence: "a.py:2",
  },
  {
    id: "renamed",
    item: "Rename a.ts to b.ts",
    before: { "a.ts": TS },
    edits: { "b.ts": TS, "a.ts": null },
    evidence: "b.ts:renamed",
  },
  {
    id: "mode",
    item: "Make the script executable",
    before: { "run.sh": "echo a\n" },
    clears: ["run.sh"],
    line: "chmod +x run.sh",
    evidence: "run.sh:mode",
  },
  {
    id: "binary",
    item: "Add the picture",
    clears: ["a.png"],
    line: "printf '\\211PNG\\000\\001' > a.png",
    evidence: "a.png:binary",
  },
  { id: "odd-names", item: "Add the page", edits: { "ログイン ページ.md": "# ログイン\n" } },
  {
    id: "yaml",
    item: "Add the job",
    before: { "ci.yml": "jobs:\n  a: {}\n" },
    edits: { "ci.yml": "jobs:\n  a: {}\n  b: {}\n" },
  },
  { id: "sql", item: "Add the column", edits: { "1.sql": "alter table a add b int;\n" } },
  {
    id: "css",
    item: "Make it red",
    before: { "a.css": ".a {\n}\n" },
    edits: { "a.css": ".a {\n  color: red;\n}\n" },
  },
  {
    id: "html",
    item: "Add the field",
    before: { "a.html": "<form>\n</form>\n" },
    edits: { "a.html": "<form>\n  <input name=a>\n</form>\n" },
  },
  {
    id: "dockerfile",
    item: "Install curl",
    before: { Dockerfile: "FROM a\n" },
    edits: { Dockerfile: "FROM a\nRUN apk add curl\n" },
  },
  {
    id: "makefile",
    item: "Add the target",
    before: { Makefile: "all:\n\techo\n" },
    edits: { Makefile: "all:\n\techo\n\ntest:\n\techo b\n" },
  },
  {
    id: "two-files",
    item: "Call it g() everywhere",
    before: {
      "a.ts": "export function f() {\n  return 1;\n}\n",
      "b.ts": "import { f } from './a.ts';\nf();\n",
    },
    edits: {
      "a.ts": "export function g() {\n  return 1;\n}\n",
      "b.ts": "import { g } from './a.ts';\ng();\n",
    },
    evidence: "b.ts:1-2",
  },
  {
    id: "test-of-it",
    item: "Test the name in @/a_test.ts",
    before: { "a_test.ts": "Deno.test('a', () => {\n  f();\n});\n" },
    edits: {
      "a_test.ts": "Deno.test('a', () => {\n  f();\n});\n\nDeno.test('b', () => {\n  g();\n});\n",
    },
  },
  {
    id: "elsewhere-with-a-reason",
    item: "Refuse an empty name in @/a.ts",
    before: { "a.ts": TS, "z_hash.ts": TS },
    edits: { "z_hash.ts": TS.replace("return name", "return name.trim()") },
    reason: "a.ts only passes the name on to z_hash.ts",
  },
];

const TOOLS: readonly HonestRow[] = [
  {
    id: "installed",
    item: "Add the dependency left-pad by npm install",
    before: { "package.json": '{ "name": "a" }\n', "package-lock.json": "{}\n" },
    clears: ["package.json"],
    line:
      `printf '{ "name": "a", "dependencies": { "left-pad": "1.3.0" } }\\n' > package.json; printf '{ "a": 1 }\\n' > package-lock.json`,
    evidence: "package.json:1",
  },
  {
    id: "lock-follows",
    item: "Use the newer version of b",
    before: { "Cargo.toml": '[dependencies]\nb = "1"\n', "Cargo.lock": "b 1\n" },
    edits: { "Cargo.toml": '[dependencies]\nb = "2"\n' },
    line: "printf 'b 2\\n' > Cargo.lock",
    evidence: "Cargo.toml:2",
  },
  {
    id: "generated",
    item: "Regenerate the client from the schema",
    before: { "gen/client.ts": "export const a = 1;\n" },
    line:
      "printf 'export const a = 2;\\n' > gen/client.ts; printf 'export const b = 1;\\n' > gen/more.ts",
    byTool: "gen/**",
    evidence: "gen/client.ts:1",
  },
  {
    id: "generated-and-cleared",
    item: "Regenerate the client from the schema",
    before: { "gen/client.ts": "export const a = 1;\n" },
    clears: ["gen/client.ts", "gen/more.ts"],
    line:
      "printf 'export const a = 2;\\n' > gen/client.ts; printf 'export const b = 1;\\n' > gen/more.ts",
    evidence: "gen/client.ts:1",
  },
  {
    id: "snapshots",
    item: "Update the snapshots of the view",
    before: { "__snapshots__/a.snap": "one\n" },
    line: "printf 'two\\n' > __snapshots__/a.snap",
    byTool: "__snapshots__/a.snap",
    evidence: "__snapshots__/a.snap:1",
  },
  {
    id: "mass-change",
    item: "Say colour everywhere",
    before: { "a.txt": "color\n", "b.txt": "color\n", "c.txt": "color\n" },
    clears: ["*.txt"],
    line: "sed -i s/color/colour/ *.txt",
    evidence: "a.txt:1",
  },
];

/** All of them, in the order in which one session does them. */
export const HONEST_ROWS: readonly HonestRow[] = [
  ...DOCUMENTS,
  ...SMALL,
  ...PLACES,
  ...FILES,
  ...TOOLS,
];
