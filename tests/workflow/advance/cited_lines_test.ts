/** The lines that rules cite, and what stands beside blank ones. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { readCited } from "../../../src/workflow/advance/cited_lines.ts";

Deno.test("readCited() reads cited lines, and names the nearest lines with a text beside a blank one", async () => {
  const lines = ["# Rules", "", "- Use tabs.", "- No cookies.", "", "", "", "", "End"];
  const readLines = (path: string) => Promise.resolve(path === "a.md" ? lines : null);
  const { cited, nearby } = await readCited(
    ["a.md:3-4", "a.md:2", "a.md:99", "gone.md:1", "a.md"],
    readLines,
  );
  deepEqual(cited, { "a.md:3-4": "- Use tabs. - No cookies.", "a.md:2": "" });
  deepEqual(nearby, {
    "a.md:2": [
      { source: "a.md:3", text: "- Use tabs." },
      { source: "a.md:1", text: "# Rules" },
      { source: "a.md:4", text: "- No cookies." },
    ],
  });
});
