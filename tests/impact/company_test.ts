/** Files that always change together are named by impact, however young the past is. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { runHosted } from "../support/server/hosted_cli.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("impact names a file that seven commits of seven changed too, before anyone read the past", async () => {
  await using temp = await createTempRepo();
  for (let at = 1; at <= 7; at++) {
    await temp.write({
      "src/alpha.py": `def alpha():\n    return ${at}\n`,
      "src/gamma.py": `def gamma():\n    return ${at}\n`,
      [`src/other${at}.py`]: "x = 1\n",
    });
    await temp.git("add", "-A");
    await temp.git("commit", "-qm", `change ${at}`);
  }
  const { code, stdout } = await runHosted(["impact", "src/alpha.py", "--json"], { cwd: temp.dir });
  const reply = JSON.parse(stdout);
  deepEqual([code, reply.total, reply.confirmation_required.should_verify], [
    0,
    1,
    ["src/gamma.py"],
  ]);
  match(reply.likely_changes[0].why, /^changed in 7 of 7 commits with src\/alpha.py$/);
});
