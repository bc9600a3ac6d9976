/** Which folder is the project, and that services are built for it without touching it. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createServices } from "../../src/services/services.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("R48: createServices() refuses a folder that does not exist and touches nothing of one that does", async () => {
  const options = { logger: SILENT_LOGGER, offered: [] };
  await rejects(createServices({ ...options, projectDir: "/no/such/folder" }), {
    code: "io_failed",
  });
  const { dir, state } = await createTempRepo();
  const before = await state();
  const { parts } = await createServices({ ...options, projectDir: dir });
  equal(parts.projectRoot, dir);
  deepEqual(await state(), before);
});

Deno.test("createServices() tells doctor of document paths that cannot be used, with their key", async () => {
  const files = {
    "docs/a.md": "# A\n",
    ".code-intel/context.yml": "doc_research:\n  docs_path: [docs, ../other]\n",
  };
  const { dir } = await createTempRepo({ files });
  const services = await createServices({ logger: SILENT_LOGGER, offered: [], projectDir: dir });
  const { doctorFacts } = await services.openMaintenance();
  const { problems } = await doctorFacts.readConfig();
  deepEqual(problems.map(({ message }) => String(message)), [
    'doc_research.docs_path[1]: The path "../other" lies outside the project',
  ]);
});
