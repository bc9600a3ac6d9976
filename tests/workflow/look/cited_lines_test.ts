/** The lines that rules cite, and what stands beside blank ones. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { readCited } from "../../../src/workflow/look/cited_lines.ts";

Deno.test("readCited() reads cited lines, and names the nearest lines with a text beside a blank one", async () => {
  const lines = ["# Rules", "", "- Use tabs.", "- No cookies.", "", "", "", "", "End"];
  const readLines = (path: string) => Promise.resolve(path === "a.md" ? lines : null);
  const sources = ["a.md:3-4", "a.md:2", "a.md:99", "gone.md:1", "a.md"];
  const rules = sources.map((source) => ({ rule: "r", source }));
  const { cited, nearby, better } = await readCited(rules, readLines);
  deepEqual(better, {});
  deepEqual(cited, { "a.md:3-4": "- Use tabs. - No cookies.", "a.md:2": "" });
  deepEqual(nearby, {
    "a.md:2": [
      { source: "a.md:3", text: "- Use tabs." },
      { source: "a.md:1", text: "# Rules" },
      { source: "a.md:4", text: "- No cookies." },
    ],
  });
});

Deno.test("readCited() finds the line of the file that says a rule in more of its words", async () => {
  const lines = ["Each change needs a ticket.", "", "- Each change has an entry in the changelog."];
  const rule = "A change gets its entry in the changelog";
  const sources = ["a.md:1", "a.md:2", "a.md:3"];
  const { better } = await readCited(
    sources.map((source) => ({ rule, source })),
    () => Promise.resolve(lines),
  );
  const said = { source: "a.md:3", text: "- Each change has an entry in the changelog." };
  deepEqual(better, { "a.md:1": said, "a.md:2": said });
});

Deno.test("readCited() reads the section below a cited heading, and takes no comment for one", async () => {
  const texts: Readonly<Record<string, readonly string[]>> = {
    "a.md": ["# Rules", "- Use tabs.", "## Names", "English.", "", "Old", "---", "Gone."],
    "a.rst": ["Names", "=====", "English.", "", "Other", "-----"],
    "a.sh": ["# Use tabs.", "echo"],
  };
  const rules = ["a.md:1", "a.md:3", "a.md:4", "a.md:6", "a.rst:1", "a.sh:1"]
    .map((source) => ({ rule: "r", source }));
  const { sections } = await readCited(rules, (path) => Promise.resolve(texts[path] ?? null));
  deepEqual(sections, {
    "a.md:1": ["# Rules", "- Use tabs."],
    "a.md:3": ["## Names", "English.", ""],
    "a.md:6": ["Old", "---", "Gone."],
    "a.rst:1": ["Names", "=====", "English.", ""],
  });
});
