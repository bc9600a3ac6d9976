/** What `doctor` says of SCIP index files. */
import { strictEqual as equal } from "node:assert/strict";
import { checkScip } from "../../src/project/scip_check.ts";
import type { ScipFacts } from "../../src/project/scip_check.ts";

Deno.test("checkScip() says whether there is an index file, and for how many files it holds", async () => {
  const read = (documents: number, trusted: number): ScipFacts => ({
    kind: "read",
    paths: ["index.scip"],
    tool: "scip-go 0.2.9",
    counts: { documents, trusted },
  });
  const rows: readonly (readonly [facts: ScipFacts | null, expected: string])[] = [
    [null, "ok Not looked at before the code index is built"],
    [{ kind: "absent" }, "ok None: names are followed by the rules of the languages"],
    [{ kind: "reading" }, "ok It is being read"],
    [
      { kind: "refused", path: "index.scip", reason: "it is a folder" },
      "warn index.scip is not used: it is a folder",
    ],
    [
      read(35, 33),
      "ok index.scip by scip-go 0.2.9: holds for 33 of 35 files; 2 changed since, or are not in the code index",
    ],
    [
      read(35, 3),
      "warn index.scip by scip-go 0.2.9: holds for 3 of 35 files; 32 changed since, or are not in the code index",
    ],
  ];
  for (const [facts, expected] of rows) {
    const [finding] = await checkScip({ readScip: () => Promise.resolve(facts) });
    equal(`${finding?.status} ${finding?.detail}`, expected);
  }
});
