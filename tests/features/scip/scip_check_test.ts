/** What `doctor` says of SCIP index files. */
import { strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { SCIP_FEATURE } from "../../../src/features/scip/feature.ts";
import { createServices } from "../../../src/services/services.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { runDoctor } from "../../../src/project/doctor.ts";
import { checkScip } from "../../../src/features/scip/scip_check.ts";
import type { ScipFacts } from "../../../src/features/scip/scip_check.ts";

Deno.test("checkScip() says whether there is an index file, and for how many files it holds", () => {
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
    const [finding] = checkScip(facts);
    equal(`${finding?.status} ${finding?.detail}`, expected);
  }
});

Deno.test("doctor looks at SCIP index files where the feature is there, and not without it", async () => {
  await using repo = await createTempRepo({ files: { "a.ts": "export const a = 1;\n" } });
  await Deno.writeTextFile(join(repo.dir, "index.scip"), "no index");
  const look = async (features: readonly (typeof SCIP_FEATURE)[]) => {
    const { openMaintenance, index, close } = await createServices({
      projectDir: repo.dir,
      logger: SILENT_LOGGER,
      offered: [],
      features,
      get: (name) => ({ CODE_INTEL_STATE_DIR: join(repo.dir, ".git") })[name],
    });
    try {
      await index.sync();
      return (await runDoctor((await openMaintenance()).doctorFacts)).filter(({ id }) =>
        id === "scip"
      )
        .map(({ status, detail }) => `${status} ${detail}`);
    } finally {
      await close();
    }
  };
  equal((await look([])).length, 0);
  equal((await look([SCIP_FEATURE]))[0]?.startsWith("warn index.scip is not used: "), true);
});
