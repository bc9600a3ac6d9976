/** Starts of sessions that need very many files. */
import { strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createProject, expectOk } from "../project_fixture.ts";

const COUNT = 6_000;

Deno.test("startSession() copies very many untracked files without filling the repository, and says so", async () => {
  await using project = await createProject();
  for (let at = 0; at < COUNT; at++) {
    const folder = join(project.root, `data/d${at % 600}`);
    if (at < 600) await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(folder, `f${at}.txt`), `data ${at}\n`.repeat(20));
  }
  const startedAtMs = Date.now();
  const { notices = [] } = expectOk(await project.start());
  const took = `${Date.now() - startedAtMs} ms`;
  const counted = await project.repo.git("count-objects", "-v");
  equal(Number(/^count: (\d+)$/m.exec(counted)?.[1]) < 100, true, `${took} ${counted}`);
  equal(notices.filter((text: string) => text.includes(`${COUNT} untracked files`)).length, 1);
});
