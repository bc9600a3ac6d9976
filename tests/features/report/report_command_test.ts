/** The command `report`: real sessions, open and ended, in each form, and what it refuses. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { isKnownCommand } from "../../support/known_commands.ts";
import { createProject } from "../../support/session/project.ts";
import { testNeeding } from "../../support/needs.ts";

Deno.test("report shows a session with its refusals, open and archived, and all of them without a name", async () => {
  await using project = await createProject();
  const run = (...words: string[]) => runHosted(words, { cwd: project.dir, env: project.env });
  const none = await run("report");
  equal(none.code, 1);
  match(none.stderr, /no_sessions/);

  await run("session", "start", "how does login work", "--intent", "QUESTION", "--no-doc");
  await run("session", "submit", "{}");
  const { session_id: id } = JSON.parse((await run("session", "status", "--json")).stdout);
  const open = JSON.parse((await run("report", id, "--format", "json")).stdout);
  deepEqual([open.kind, open.session.id, open.session.status], ["session", id, "active"]);
  const events = open.timeline.flatMap((visit: { events: { kind: string }[] }) => visit.events);
  deepEqual(events.map(({ kind }: { kind: string }) => kind), ["refusal"]);
  deepEqual(open.files, []);

  await run("session", "abandon", "--reason", "it was answered in person");
  const ended = JSON.parse((await run("report", id, "--json")).stdout);
  deepEqual([ended.session.end, ended.timeline.length > 0], ["abandoned", true]);
  equal(ended.overrides[0].reason, "it was answered in person");
  deepEqual(ended.notices, []);
  match((await run("report", id)).stdout, /^## how does login work\n\n\*\*abandoned\*\*/);
  const all = (await run("report")).stdout;
  match(
    all,
    isKnownCommand(["stats"]) ? /- .* abandoned: how does login work `session_/ : /`session_/,
  );
  match((await run("report", "--format", "html")).stdout, /^<!DOCTYPE html>[\s\S]*<\/html>\n$/);

  const wrong = await run("report", `${id.slice(0, -1)}x`);
  equal(wrong.code, 1);
  ok(wrong.stderr.includes(`Did you mean ${id}?`) || wrong.stderr.includes(`mean ${id}`));

  const path = join(project.dir, ".code-intel", "sessions", "archive", `${id}.json`);
  await Deno.writeTextFile(path, `${await Deno.readTextFile(path)}x`);
  const damaged = await run("report", id);
  equal(damaged.code, 2);
  match(damaged.stderr, /cannot be read/);
});

testNeeding(
  ["posix"],
  "report writes to a file, says where it cannot, and that nothing opens pages here",
  async () => {
    await using project = await createProject();
    const bin = join(project.dir, "bin");
    const path = `${bin}:${Deno.env.get("PATH") ?? ""}`;
    const run = (...words: string[]) =>
      runHosted(words, { cwd: project.dir, env: { ...project.env, PATH: path } });
    await run("session", "start", "how does login work", "--intent", "QUESTION", "--no-doc");
    const out = join(project.dir, "report.html");
    const written = await run("report", "--out", out);
    equal(written.code, 0, written.stderr);
    match(await Deno.readTextFile(out), /^<!DOCTYPE html>/);
    const nowhere = await run("report", "--out", join(project.dir, "no", "report.html"));
    equal(nowhere.code, 2);
    match(nowhere.stderr, /Cannot write/);
    equal((await run("report", "--open", "--json")).code, 64);
    // What somebody else wrote, and what belongs to git, stays as it is.
    const notes = join(project.dir, "notes.md");
    await Deno.writeTextFile(notes, "My own notes of this work.\n");
    const refused = await run("report", "--out", notes);
    equal(refused.code, 64, refused.stderr);
    match(refused.stderr, /invalid_arguments: .*notes\.md holds something else/);
    equal(await Deno.readTextFile(notes), "My own notes of this work.\n");
    match((await run("report", "--out", ".git/HEAD")).stderr, /belongs to git/);
    equal((await run("report", "--out", out)).code, 0);

    // A program that opens pages and can reach no browser.
    await Deno.mkdir(bin);
    for (const name of ["xdg-open", "open"]) {
      await Deno.writeTextFile(join(bin, name), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
    }
    const opened = await run("report", "--open", "--out", out);
    equal(opened.code, 1);
    match(opened.stderr, /no_browser: .* failed\n.*open .*report\.html in a browser by hand/);
  },
);
