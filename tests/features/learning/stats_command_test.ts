/** The commands `outcome` and `stats`: by hand into the logs, and out of them again. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createProject } from "../../support/session/project.ts";

Deno.test("outcome once recorded nonsense in a project that was never set up", async () => {
  await using project = await createProject();
  const run = (...words: string[]) => runHosted(words, { cwd: project.dir, env: project.env });
  for (const words of [["failure"], ["success", "--term", "sign in", "--symbol", "login"]]) {
    const told = await run("outcome", ...words);
    equal(told.code, 1);
    match(told.stderr, /never set up, and no session ran there/);
    match(told.stderr, /--project DIR/);
  }
  equal(await project.repo.git("status", "--porcelain", "--ignored"), "");
});

Deno.test("stats shows what outcome recorded, as tables, as JSON and for one session", async () => {
  await using project = await createProject();
  const run = (...words: string[]) => runHosted(words, { cwd: project.dir, env: project.env });
  const empty = await run("stats");
  deepEqual([empty.code, empty.stdout.split("\n")[0]], [1, "No outcome is on record yet."]);
  equal((await run("outcome", "great")).code, 64);

  await run("session", "start", "how does login work", "--intent", "QUESTION", "--no-doc");
  const told = await run(
    "outcome",
    "failure",
    "--reason",
    "the wrong file",
    "--phase",
    "EXPLORATION",
  );
  equal(told.code, 0, told.stderr);
  await run("session", "abandon", "--reason", "the wrong file was read");
  const kept = JSON.parse(
    (await run(
      "outcome",
      "success",
      "--term",
      "sign in",
      "--symbol",
      "login",
      "--file",
      "src/auth.ts",
      "--json",
    ))
      .stdout,
  );
  match(kept.agreement, /^\.code-intel\/agreements\/sign-in--login-/);
  match(await project.repo.read(kept.agreement), /recorded by hand about session_/);
  await project.repo.write({ ".code-intel/agreements/broken.md": "nothing\n" });

  const text = (await run("stats")).stdout;
  match(text, /^1 session: 1 succeeded, 0 in part, 0 failed/);
  match(text, /QUESTION +1 +1 +0 +0\n/);
  match(text, /agreements {2}1\nagreements\/broken\.md is not used: it has no front matter/);
  const stats = JSON.parse((await run("stats", "--json")).stdout);
  deepEqual([stats.sessions, stats.damaged_lines, stats.agreements.total], [1, 0, 1]);
  const story = (await run("stats", "--session", kept.session_id)).stdout;
  match(
    story,
    /\n {2}reported .* failure at EXPLORATION\n|\n {2}reported .*failure {2}at EXPLORATION\n/,
  );
  match(story, /\n {2}abandoned .*\n {4}cause {2}the wrong file was read\n/);
  equal((await run("stats", "--session", "session_x")).code, 1);
});
