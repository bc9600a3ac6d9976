/** Who commits, as the settings say. */
import { match, strictEqual as equal } from "node:assert/strict";
import { checkIdentity } from "../../src/git/locks.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("checkIdentity() names both commands when git does not know who commits", async () => {
  await using temp = await createTempRepo();
  equal(await checkIdentity(temp.repo), null);
  await temp.git("config", "user.name", "");
  await temp.git("config", "user.useConfigOnly", "true");
  const problem = await checkIdentity(temp.repo);
  equal(problem?.code, "git_identity_missing");
  match(String(problem?.hint ?? ""), /git config user\.name .* git config user\.email /);
});
