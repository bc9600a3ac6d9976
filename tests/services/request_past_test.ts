/** What the start of a session, a question and the log of decisions know of past commits like the request. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createProject, expectOk, FRAME } from "../workflow/project_fixture.ts";
import { createHistory } from "../../src/history/repository_history.ts";
import { parseMessageTerms } from "../../src/ranking/request_features.ts";
import { planRequest } from "../../src/services/request_scale.ts";
import { createRequestPast } from "../../src/services/request_past.ts";
import { importCommits } from "../support/import_commits.ts";

Deno.test("a start names past commits like the request once they are read, and so does the plan of a request", async () => {
  await using project = await createProject();
  const { history, past } = project.services;
  await importCommits(project.repo, [
    ...Array.from({ length: 25 }, (_, at) => ({
      message: `Other ${at} matter`,
      seconds: 1_700_000_000 + at,
      files: { "b.ts": `${at}` },
    })),
    {
      message: "Add a form for the login",
      seconds: 1_700_100_000,
      files: { "login.ts": "1", "gone.ts": "1" },
    },
    { message: "fix: the form lost its state", seconds: 1_700_300_000, files: { "login.ts": "2" } },
  ]);
  await project.repo.git("reset", "-q", "--hard");
  await project.repo.git("rm", "-q", "gone.ts");
  await project.repo.git("commit", "-q", "-m", "Remove it");
  const request = "add a login form";
  equal(expectOk(await project.start({ query: request }))["past_work"], undefined, "not read yet");
  const leave = { ...FRAME, abandon: true, reason: "again", restore: false };
  expectOk(await project.submit(leave));
  await history.refresh();
  const reply = expectOk(await project.start({ query: request }));
  const [work, ...others] = reply["past_work"] as Record<string, unknown>[];
  deepEqual([work?.["files"], work?.["more_files"], others], [["login.ts"], 1, []]);
  ok(String(work?.["then"]).startsWith("followed by a fix 2 days later: "), String(work?.["then"]));
  expectOk(await project.submit(FRAME));
  const { pastCommits, toolsPlanned } = await planRequest(past, await project.state());
  deepEqual(pastCommits.map((id) => id.slice(0, 8)), [work?.["commit"]]);
  ok(toolsPlanned.includes("find_definitions"), String(toolsPlanned));
  deepEqual(await past.recall("print invoices"), {});
  // A past that is loaded beside other work is there when that work ends, without any wait after it.
  const later = createHistory({
    openRepo: () => Promise.resolve(project.repo.repo),
    toFolder: ({ commonDir }) => join(commonDir, "code-intel"),
    toTerms: parseMessageTerms,
  });
  const loading = createRequestPast({ history: later, projectRoot: project.root });
  const beside = later.refresh();
  const fields = await loading.recall(request, { waitMs: 0, beside });
  deepEqual(Object.keys(fields), ["past_work"]);
  await later.close();
  await history.close();
});
