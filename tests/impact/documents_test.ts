/** Which documents mention what changes, and in which order. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { createImpactProject } from "../explore/with_programs.ts";

const BLOCK =
  "<!-- code-intel:begin (written by `code-intel init`) -->\nAsk `same` and mergeText.\n<!-- code-intel:end -->\n";

Deno.test("analyze() named its own files and prose with a common word as documents that mention a symbol", async () => {
  const log = Array.from({ length: 40 }, () => "- The same help as before, at its core.\n");
  await using project = await createImpactProject({
    "src/core.ts":
      "export function same() {\n  return 1;\n}\nexport function mergeText() {\n  return 2;\n}\n",
    "CHANGELOG.md": log.join(""),
    "docs/prose.md": "It is all the same to the core.\n",
    "docs/marks.rst": "Call ``same`` first.\n",
    "docs/call.adoc": "Then same() is run.\n",
    "docs/path.txt": "See src/core.ts for it.\n",
    "docs/other.md": "Use `core` and core.run(1) of another library.\n",
    "docs/merge.md": "A mergeText is made.\n",
    "requirements.txt": "same()==1.0\n",
    "CLAUDE.md": `${BLOCK}Nothing else.\n`,
    "AGENTS.md": `${BLOCK}Never call \`same\` twice.\n`,
    ".code-intel/review_prompts/a.md": "Look at `same` and mergeText.\n",
    ".claude/skills/code/SKILL.md": "Run `same`.\n",
    ".claude/skills/own/SKILL.md": "Run `same` by hand.\n",
  });
  const files = async (symbols: readonly string[], changeDescription = "") => {
    const { documents } = await project.ask({
      targetFiles: ["src/core.ts"],
      symbols,
      changeDescription,
    });
    return documents.map(({ file, matchCount }) => `${file} ${matchCount}`);
  };
  deepEqual((await files(["same"])).sort(), [
    ".claude/skills/own/SKILL.md 1",
    "AGENTS.md 1",
    "docs/call.adoc 1",
    "docs/marks.rst 1",
    "docs/path.txt 1",
  ]);
  deepEqual((await files(["mergeText"])).sort(), ["docs/merge.md 1", "docs/path.txt 1"]);
  const worded = await files(["mergeText"], "Give help with mergeText");
  // "help" is prose, and the log says less of the change than what names it.
  deepEqual(worded, ["docs/merge.md 1", "docs/path.txt 1"]);
});

Deno.test("words of the description that stand in many documents are no mention, rare ones are", async () => {
  const pages = Array.from(
    { length: 6 },
    (_, at) => [`docs/p${at}.md`, "The session is the same.\n"],
  );
  await using project = await createImpactProject({
    "src/core.ts": "export function keep() {\n  return 1;\n}\n",
    ...Object.fromEntries(pages),
    "docs/rare.md": "A session with a teardown.\n",
    "docs/named.md": "Call `keep` of the session.\n",
  });
  const ask = async (changeDescription: string) => {
    const { documents } = await project.ask({
      targetFiles: ["src/core.ts"],
      symbols: ["keep"],
      changeDescription,
    });
    return documents.map(({ file }) => file);
  };
  deepEqual(await ask("the teardown of the session"), ["docs/named.md", "docs/rare.md"]);
  deepEqual(await ask("the session"), ["docs/named.md"]);
});
