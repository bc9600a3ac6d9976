/** What is found in a project. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import { buildConfigText } from "../../../src/project/setup/config_text.ts";
import { findSourceDirs, readProjectFacts } from "../../../src/project/setup/project_facts.ts";

Deno.test("findSourceDirs() names the folders that hold source, and none where it lies at the top", () => {
  const rows: readonly (readonly [files: readonly string[], expected: readonly string[]])[] = [
    [["src/a.ts", "lib/b/c.py", "docs/x.md", "data/x.json"], ["lib", "src"]],
    [["src/a.ts", "vite.config.ts", "setup.py", ".eslintrc.js"], [
      "setup.py",
      "src",
      "vite.config.ts",
    ]],
    [["setup.py"], []],
    [["main.go", "pkg/a.go"], []],
    [["README.md"], []],
    [[".github/x.sh", "src/a.ts"], ["src"]],
  ];
  for (const [files, expected] of rows) deepEqual(findSourceDirs(files), expected, files.join(" "));
});

Deno.test("readProjectFacts() finds clients, rules and documents", async () => {
  const rows: readonly (readonly [
    files: readonly string[],
    home: readonly string[],
    expected: readonly unknown[],
  ])[] = [
    [[], [], [["claude", "codex"], null, [], "CLAUDE.md"]],
    [[], [".codex/x"], [["codex"], null, [], "CLAUDE.md"]],
    [[], [".claude.json", ".codex/x"], [["claude", "codex"], null, [], "CLAUDE.md"]],
    [["AGENTS.md", "docs/a.md"], [".claude/x"], [["codex"], "AGENTS.md", ["docs/"], "CLAUDE.md"]],
    [[".claude/CLAUDE.md", "README.md"], [], [
      ["claude"],
      ".claude/CLAUDE.md",
      ["README.md"],
      ".claude/CLAUDE.md",
    ]],
    [["CLAUDE.md", ".codex/x", "DESIGN-1.md", "README.md"], [], [
      ["claude", "codex"],
      "CLAUDE.md",
      ["DESIGN-1.md"],
      "CLAUDE.md",
    ]],
    [["CONTRIBUTING.md"], [], [["claude", "codex"], "CONTRIBUTING.md", [], "CLAUDE.md"]],
  ];
  for (const [files, homeFiles, expected] of rows) {
    const root = await makeFolder(files);
    const facts = await readProjectFacts({ root, home: await makeFolder(homeFiles) });
    const { clients, rulesFile, docsPath, claudeFile } = facts;
    deepEqual([clients, rulesFile, docsPath, claudeFile], expected, files.join(" "));
  }
  const nowhere = await readProjectFacts({ root: await makeFolder([]), home: null });
  equal(nowhere.clients.length, 2);
});

Deno.test("readProjectFacts() finds installed dependencies, also in folders of unusual names", async () => {
  const root = await makeFolder([
    "node_modules/a/index.js",
    "env/pyvenv.cfg",
    "packages/a/node_modules/b/index.js",
    "services/py/py3/pyvenv.cfg",
    "src/vendored/a.ts",
    ".git/hooks/x",
  ]);
  const facts = await readProjectFacts({ root, home: null });
  deepEqual(facts.dependencies, [
    "env",
    "node_modules",
    "packages/a/node_modules",
    "services/py/py3",
  ]);
  const { verify_lend: lend } = JSON.parse(buildConfigText(facts, {}));
  deepEqual([lend.includes("node_modules"), lend.at(-1)], [true, "services/py/py3"]);
  const usual = await readProjectFacts({ root: await makeFolder(["a/.venv/x"]), home: null });
  deepEqual([usual.dependencies, usual.lend], [["a/.venv"], []]);
});

async function makeFolder(files: readonly string[]): Promise<string> {
  const root = await Deno.makeTempDir({ prefix: "code-intel-facts-" });
  for (const path of files) {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), "x\n");
  }
  return root;
}
