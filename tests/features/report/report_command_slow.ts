/** The report of a whole session on a real repository: refused once, red once, merged in the end. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createProject, startSession } from "../../support/session/session_driver.ts";

interface Visit {
  readonly stage: string;
  readonly events: readonly { readonly kind: string; readonly text: string }[];
  readonly summaries: readonly string[];
}

Deno.test("report tells of a merged session what was refused, what failed, what changed and what depends on it", async () => {
  await using project = await createProject();
  const run = (...words: string[]) => runHosted(words, { cwd: project.dir, env: project.env });
  await run("index");
  await using session = await startSession(project, { verifications: [false, true] });
  equal((await session.submit({ nonsense: true })).ok, false);
  await session.until("end");

  const report = JSON.parse((await run("report", session.id, "--json")).stdout);
  deepEqual([report.session.end, report.session.verified], ["merged", "self-reported"]);
  deepEqual(report.notices, []);
  const visits: readonly Visit[] = report.timeline;
  const events = visits.flatMap(({ stage, events: own }) => own.map(({ kind }) => [stage, kind]));
  deepEqual(events, [["DOCUMENT_RESEARCH", "refusal"], ["POST_IMPL_VERIFY", "failure"]]);
  const built = visits.filter(({ stage }) => stage === "READY_IMPL");
  deepEqual(built.map(({ summaries }) => summaries.length), [1, 1]);
  deepEqual(report.dependents.map(({ path }: { path: string }) => path), ["src/view.ts"]);
  const [file] = report.files;
  deepEqual([report.files.length, file.path, file.added], [1, "src/auth.ts", 2]);
  match(file.diff, /^@@ [\s\S]*\n\+ {2}if \(name === ''\) throw/);

  const page = (await run("report", session.id, "--format", "html")).stdout;
  match(page, /<summary><code><bdi>src\/auth\.ts:4<\/bdi><\/code><\/summary>\s*<pre class="diff"/);
  match(page, /Verification failed/);
  match((await run("report", session.id)).stdout, /\*\*merged\*\*, verified: self-reported/);
});
