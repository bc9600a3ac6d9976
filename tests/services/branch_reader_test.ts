/** The name of what is checked out is the present one at every question. */
import { strictEqual as equal } from "node:assert/strict";
import { OWN_THREAD } from "../../src/analysis/analysis_pool.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createServices } from "../../src/services/services.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("readBranch() names the branch of now, or the beginning of a detached commit", async () => {
  const { dir, git } = await createTempRepo({ files: { "a.ts": "" } });
  const { readBranch, close } = await createServices({
    analyser: OWN_THREAD,
    logger: SILENT_LOGGER,
    offered: [],
    projectDir: dir,
  });
  equal(await readBranch(), "main");
  equal(await readBranch(), "main");
  await git("switch", "-q", "-c", "other");
  equal(await readBranch(), "other");
  const tip = await git("rev-parse", "HEAD");
  await git("switch", "-q", "--detach");
  equal(await readBranch(), tip.slice(0, 10));
  await close();
});
