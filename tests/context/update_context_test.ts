/** The summary in `context.yml`: written in place, everything else as it was. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { parse } from "yaml";
import { readProjectRules } from "../../src/context/project_rules.ts";
import { loadContext } from "../../src/context/settings.ts";
import { updateContext } from "../../src/context/update_context.ts";
import { inTempProject } from "../support/temp_folder.ts";

function toPlace(projectRoot: string) {
  return { projectRoot, codeIntelDir: join(projectRoot, ".code-intel") };
}

Deno.test("updateContext() changes its keys in place and keeps comments, order and foreign keys", () =>
  inTempProject({
    "CLAUDE.md": "abc",
    ".code-intel/context.yml": `# our settings
essential_docs: # old
  source: docs
project_rules:
  source: CLAUDE.md
  # written by hand
  extra_notes: "mind the gap"
  summary: old
mine: [1, 2]
`,
  }, async (root) => {
    const result = await updateContext(toPlace(root), { projectRulesSummary: "DO x\nDON'T y" });
    ok(result.kind === "updated");
    deepEqual(result.updated, ["summary", "content_hash"]);
    equal(
      await Deno.readTextFile(join(root, ".code-intel", "context.yml")),
      `# our settings
essential_docs: # old
  source: docs
project_rules:
  source: CLAUDE.md
  # written by hand
  extra_notes: "mind the gap"
  summary: |-
    DO x
    DON'T y
  content_hash: ba7816bf8f01cfea
mine: [1, 2]
`,
    );
    const { values } = await loadContext(join(root, ".code-intel"));
    const rules = await readProjectRules(root, values.project_rules);
    deepEqual([rules.summary, rules.extraNotes, rules.updateNeeded], [
      "DO x\nDON'T y",
      "mind the gap",
      false,
    ]);
  }));

Deno.test("updateContext() makes the file, with the source that it found", () =>
  inTempProject({ "AGENTS.md": "abc" }, async (root) => {
    await updateContext(toPlace(root), { projectRulesSummary: "DO x", extraNotes: "later: more" });
    const { values, warnings } = await loadContext(join(root, ".code-intel"));
    deepEqual(warnings, []);
    deepEqual(values.project_rules, {
      source: "AGENTS.md",
      summary: "DO x",
      content_hash: "ba7816bf8f01cfea",
      extra_notes: "later: more",
    });
    const path = join(root, ".code-intel", "context.yml");
    const before = await Deno.readTextFile(path);
    const nothing = await updateContext(toPlace(root), {});
    ok(nothing.kind === "updated");
    equal(nothing.path, ".code-intel/context.yml");
    deepEqual(nothing.updated, []);
    equal(await Deno.readTextFile(path), before);
  }));

Deno.test("updateContext() refuses a broken file and leaves it as it is", () =>
  inTempProject({ ".code-intel/context.yml": "a: [1\n" }, async (root) => {
    const result = await updateContext(toPlace(root), { projectRulesSummary: "x" });
    ok(result.kind === "refused");
    equal(result.problem.code, "config_invalid");
    equal(await Deno.readTextFile(join(root, ".code-intel", "context.yml")), "a: [1\n");
  }));

Deno.test("updateContext() gives a right file whatever the form of the old one", async () => {
  const rows: readonly (readonly [text: string, expected: unknown])[] = [
    ["# only a comment", { project_rules: { summary: "new" } }],
    ["a: 1", { a: 1, project_rules: { summary: "new" } }],
    ["{a: 1}\n", { a: 1, project_rules: { summary: "new" } }],
    ["project_rules:\nb: 2\n", { project_rules: { summary: "new" }, b: 2 }],
    ["project_rules: text\nb: 2\n", { project_rules: { summary: "new" }, b: 2 }],
    ["project_rules: {summary: old, x: 1}\nb: 2\n", {
      project_rules: { summary: "new", x: 1 },
      b: 2,
    }],
    ["project_rules:\n  summary: |\n    old\n    text\n\n# next\nb: 2\n", {
      project_rules: { summary: "new" },
      b: 2,
    }],
    ["\"project_rules\":\n    summary: 'old'", { project_rules: { summary: "new" } }],
  ];
  for (const [text, expected] of rows) {
    await inTempProject({ ".code-intel/context.yml": text }, async (root) => {
      await updateContext(toPlace(root), { projectRulesSummary: "new" });
      const written = await Deno.readTextFile(join(root, ".code-intel", "context.yml"));
      deepEqual(parse(written), expected, written);
      if (text.includes("#")) ok(written.includes(text.includes("# next") ? "# next" : "# only"));
    });
  }
});
