/** What is measured of a request before its size is judged. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createRequestScale } from "../../src/services/request_scale.ts";
import { importCommits } from "../support/import_commits.ts";
import { createProject } from "../workflow/project_fixture.ts";

const FILES = {
  "src/auth.ts":
    "export function login(name: string) {\n  return check(name);\n}\nfunction check(name: string) {\n  return name !== '';\n}\n",
  "src/page.ts": "import { login } from './auth.ts';\nexport const page = () => login('a');\n",
  "tests/auth_test.ts": "import { login } from '../src/auth.ts';\nlogin('b');\n",
};

Deno.test("the scale of a request counts its places, who uses them, and what did not hold there", async () => {
  await using project = await createProject();
  const { explorer, index, history, openLearning } = project.services;
  await importCommits(project.repo, [
    ...Array.from({ length: 25 }, (_, at) => ({
      message: `Other ${at} matter`,
      seconds: 1_700_000_000 + at,
      files: { "b.ts": `${at}` },
    })),
    { message: "Add the login", seconds: 1_700_100_000, files: FILES },
    {
      message: "fix: the login forgot the name",
      seconds: 1_700_200_000,
      files: { "src/auth.ts": `${FILES["src/auth.ts"]}\n` },
    },
  ]);
  await project.repo.git("reset", "-q", "--hard");
  const measure = createRequestScale({ explorer, index, history, openLearning });
  await index.sync();
  await history.refresh();
  deepEqual(await measure(["login"]), {
    places: 1,
    missing: 0,
    files: ["src/auth.ts"],
    users: 1,
    tests: 1,
    reverted: 1,
    troubled: 0,
  });
  const unknown = await measure(["logout", "check"]);
  deepEqual([unknown?.missing, unknown?.places, unknown?.users, unknown?.ownUses], [1, 1, 0, 1]);
  deepEqual(await Promise.all([measure([]), measure(["a", "b", "c", "d", "e"])]), [null, null]);
  const endless = { ...explorer, findReferences: () => new Promise<never>(() => {}) };
  const late = createRequestScale({
    explorer: endless,
    index,
    history,
    openLearning,
    budgetMs: 20,
  });
  equal(await late(["login"]), null, "a session does not wait for it");
  await history.close();
});
