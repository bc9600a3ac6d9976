/** Nothing is asked of git that its oldest supported version, 2.38, does not know. */
import { strictEqual as equal } from "node:assert/strict";
import { expectNone, readSourceFiles } from "./source_files.ts";

/** Options and commands that a newer version brought, with that version; from the history of git's own pages. */
const NEWER: Readonly<Record<string, string>> = {
  "--merge-base": "2.40, for merge-tree",
  "--object-id": "2.43, for merge-file",
  "--attr-source": "2.41",
  "--source": "2.40, for check-attr",
  "--to-stdin": "2.40, for hook run",
  "--include-root-refs": "2.45",
  "--exclude": "2.42, for for-each-ref",
  "-Z": "2.42, for cat-file",
  "symref-update": "2.46, for update-ref",
  "symref-verify": "2.46, for update-ref",
  "replay": "2.44",
  "backfill": "2.49",
  "refs": "2.46",
};

Deno.test("src starts git with no option that is newer than git 2.38", async () => {
  const files = await readSourceFiles("src/git");
  expectNone(
    files.flatMap(({ path, text }) => findNewer(text).map((word) => `${path}: ${word}`)),
    "Use an option of git 2.38, or ask for the version first.",
  );
});

Deno.test("findNewer() knows an option with a value, and no longer word", () => {
  equal(
    findNewer('["merge-tree", "--merge-base=x"]').join(),
    "--merge-base (2.40, for merge-tree)",
  );
  equal(findNewer('["merge-base", "--is-ancestor", "refs/heads/"]').length, 0);
});

function findNewer(text: string): readonly string[] {
  return Object.entries(NEWER)
    .filter(([word]) => text.includes(`"${word}"`) || text.includes(`"${word}=`))
    .map(([word, since]) => `${word} (${since})`);
}
