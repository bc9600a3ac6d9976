/** A record that one machine makes of its tests and shares, and what another one says with it, by the command line. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { createProject } from "../support/session/project.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const FILES = {
  "cart.py": "def add(item):\n    return [item]\n\n\ndef idle():\n    return 1\n",
  "test_cart.py": "import cart\n\n\ndef test_add():\n    assert cart.add(1) == [1]\n",
};

testNeeding(
  ["pytest"],
  "what CI recorded and pushed is known after a pull, named as of others, and holds against an own record",
  async () => {
    await using remote = await createTempRepo({ files: null });
    await using ci = await createProject({ files: FILES });
    await using mate = await createProject({ files: FILES });
    const machine = async ({ repo, dir, env }: typeof ci) => {
      await repo.git("remote", "add", "team", remote.repo.gitDir);
      return async (...words: string[]) => {
        const { code, stdout, stderr } = await runHosted(words, { cwd: dir, env });
        equal(code, 0, stdout + stderr);
        return stdout;
      };
    };
    const [atCi, here] = [await machine(ci), await machine(mate)];
    await atCi("runs", "record", "--whole", "--", "pytest", "-q");
    match(await atCi("share", "push", "team"), /3 added/);
    await here("index");
    await here("share", "pull", "team");
    match(
      await here("runs", "status"),
      /^recorded for 1 test; 1 run[^]* 1 recorded, shared by code-/,
    );
    match(await here("share", "status"), / and 1 run of the tests, /);
    match(await here("tests", "cart.py:add"), /test_add/);
    const told = await here("runs", "record", "--whole", "--", "pytest", "-q");
    equal(told.includes("not used any more"), false, told);
    const { runs } = JSON.parse(await here("runs", "status", "--json"));
    deepEqual(runs.map((one: { readonly by?: string }) => one.by), [undefined, "shared"]);
    deepEqual(await here("share", "pull", "team").then((text) => /nothing new/.test(text)), true);
  },
);
