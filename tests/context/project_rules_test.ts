/** The rules of a project: found, and compared with their summary. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { DEFAULT_CONTEXT } from "../../src/base/settings/config.ts";
import { hashShort, readProjectRules } from "../../src/context/project_rules.ts";
import { inTempProject } from "../support/temp_folder.ts";

const NOTHING = DEFAULT_CONTEXT.project_rules;
/** Longer than what is read whole. */
const LONG = "A rule of the project.\n".repeat(41);

Deno.test("hashShort() is the first 16 hex digits of the SHA-256", () => {
  equal(hashShort("abc"), "ba7816bf8f01cfea");
});

Deno.test("R20: readProjectRules() finds the rules file where it is, in a fixed order", () =>
  inTempProject({ "CONTRIBUTING.md": "c" }, async (root) => {
    equal((await readProjectRules(root, NOTHING)).source, "CONTRIBUTING.md");
    await Deno.writeTextFile(join(root, "AGENTS.md"), "a");
    equal((await readProjectRules(root, NOTHING)).source, "AGENTS.md");
    await Deno.writeTextFile(join(root, "CLAUDE.md"), "b");
    equal((await readProjectRules(root, NOTHING)).source, "CLAUDE.md");
    await Deno.mkdir(join(root, ".claude"));
    await Deno.writeTextFile(join(root, ".claude", "CLAUDE.md"), "d");
    equal((await readProjectRules(root, NOTHING)).source, ".claude/CLAUDE.md");
    const configured = await readProjectRules(root, { ...NOTHING, source: "CONTRIBUTING.md" });
    equal(configured.source, "CONTRIBUTING.md");
  }));

Deno.test("readProjectRules() asks for no summary of a file that holds only the block of init", () => {
  const block =
    "<!-- code-intel:begin (written by `code-intel init`) -->\n## x\n<!-- code-intel:end -->\n";
  return inTempProject({ "CLAUDE.md": block }, async (root) => {
    equal((await readProjectRules(root, NOTHING)).updateNeeded, false);
    await Deno.writeTextFile(join(root, "CLAUDE.md"), `# Ours\n${block}${LONG}`);
    equal((await readProjectRules(root, NOTHING)).updateNeeded, true);
  });
});

Deno.test("readProjectRules() asks for an update exactly when the summary is not of this file", () =>
  inTempProject({ "CLAUDE.md": LONG }, async (root) => {
    const hash = hashShort(LONG);
    const rows:
      readonly (readonly [summary: string | null, hash: string | null, needed: boolean])[] = [
        [null, null, true],
        ["DO", hash, false],
        ["DO", "0000000000000000", true],
        [" ", hash, true],
      ];
    for (const [summary, content_hash, needed] of rows) {
      const rules = await readProjectRules(root, { ...NOTHING, summary, content_hash });
      equal(rules.updateNeeded, needed, `${summary} ${content_hash}`);
      equal(rules.contentHash, hash);
    }
    await Deno.remove(join(root, "CLAUDE.md"));
    const none = await readProjectRules(root, { ...NOTHING, summary: "DO", content_hash: hash });
    deepEqual([none.source, none.updateNeeded, none.summary], [null, false, "DO"]);
  }));

Deno.test("readProjectRules() asks for no summary of a short file, and shows none of an earlier text of it", () =>
  inTempProject({ "CLAUDE.md": "abc" }, async (root) => {
    const rows: readonly (readonly [hash: string | null, shown: string | null])[] = [
      ["ba7816bf8f01cfea", "DO"],
      ["0000000000000000", null],
      [null, "DO"],
    ];
    for (const [content_hash, shown] of rows) {
      const rules = await readProjectRules(root, { ...NOTHING, summary: "DO", content_hash });
      deepEqual([rules.updateNeeded, rules.summary], [false, shown], `${content_hash}`);
    }
    equal((await readProjectRules(root, NOTHING)).updateNeeded, false);
  }));

Deno.test("readProjectRules() names a configured source that is missing or outside", () =>
  inTempProject({ "CLAUDE.md": "abc" }, async (root) => {
    for (
      const [source, code] of [["RULES.md", "path_not_found"], ["../x", "path_outside"]] as const
    ) {
      const rules = await readProjectRules(root, { ...NOTHING, source });
      deepEqual(rules.problems.map((problem) => problem.code), [code]);
      deepEqual([rules.source, rules.updateNeeded], [null, false]);
    }
  }));
