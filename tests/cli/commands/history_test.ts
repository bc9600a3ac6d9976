/** The command `history`, and with it what `query` answers about the past: files, lines, symbols, folders, and what is none. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { renderHistory } from "../../../src/cli/history_text.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { importCommits } from "../../support/import_commits.ts";
import { createProject, SAMPLE_EDITS, SAMPLE_FILES } from "../../support/session/project.ts";

const DAY = 86_400;

Deno.test("history tells who changed a file, lines or a symbol last and why, and which files change most", async () => {
  await using project = await createProject();
  const text = (files: Readonly<Record<string, string | null>>) =>
    Object.fromEntries(Object.entries(files).map(([path, content]) => [path, content ?? ""]));
  await importCommits(project.repo, [
    {
      message: "Refuse an empty name\n\nSomebody logged in as nobody.",
      seconds: 1_700_000_000,
      author: "Ada",
      files: { ...text(SAMPLE_EDITS), "src/view.ts": `${SAMPLE_FILES["src/view.ts"]}\n` },
    },
    {
      message: "Fix the view",
      seconds: 1_700_000_000 + DAY,
      files: { "src/view.ts": "export {};\n", "src/gone.ts": "1\n" },
    },
    {
      message: "Drop what nobody uses",
      seconds: 1_700_000_000 + 2 * DAY,
      lines: "D src/gone.ts\n",
    },
  ]);
  await project.repo.git("reset", "-q", "--hard");
  await project.repo.write({ "src/new.ts": "export {};\n" });
  const run = (...words: string[]) =>
    runHosted(["history", ...words], { cwd: project.dir, env: project.env });
  const ask = async (...words: string[]) => {
    const { stdout, stderr } = await run(...words, "--json");
    ok(stdout !== "", stderr);
    return JSON.parse(stdout);
  };

  const { code, stdout } = await run("src/auth.ts");
  equal(code, 0);
  match(stdout, /^src\/auth\.ts {2}2 of 4 commits changed the file\n/);
  match(stdout, /[0-9a-f]{8} {2}2023-11-14 {2}Ada\n {4}Refuse an empty name\n {4}Somebody logged/);
  match(stdout, /\n {4}followed by a fix 1 day later: [0-9a-f]{8} Fix the view\n/);
  match(stdout, /\nwith {2}src\/view\.ts {2}2\n/);
  match(stdout, /\n2023 {2}█+ +1\n/);

  const line = await ask("src/auth.ts:4-4");
  deepEqual([line.last.author, line.last.lines, line.lines], ["Ada", 1, "4-4"]);
  deepEqual([line.commits, line.line_commits], [2, 1]);
  const symbol = await ask("--symbol", "login");
  deepEqual([symbol.path, symbol.last.author], ["src/auth.ts", "Ada"]);
  const hot = await ask("src/");
  deepEqual(
    hot.hot_spots.map(({ path, commits }: Record<string, unknown>) => [path, commits]),
    [["src/view.ts", 3], ["src/auth.ts", 2], ["src/hash.ts", 1]],
  );
  deepEqual((await ask("src")).hot_spots, hot.hot_spots, "a folder without a slash");
  // More files than any search returns, all before it by name.
  const many = Array.from({ length: 1010 }, (_, at) => [`many/${at}`, ""] as const);
  await project.repo.write(Object.fromEntries(many));
  equal((await ask(".")).hot_spots[0].path, "src/view.ts");
  match((await run("--under", "src/*.ts", "--max-results", "1")).stdout, /█ 3 {2}src\/view\.ts/);
  const gone = await ask("src/gone.ts");
  deepEqual([gone.last.message, gone.commits], ["Drop what nobody uses", 2]);
  match(gone.notices[0], /not there any more/);
  const beyond = await ask("src/auth.ts:99999");
  deepEqual([beyond.lines, beyond.last.author], [undefined, "Ada"]);
  const unknown = await run("src/new.ts");
  deepEqual([unknown.code, unknown.stdout.includes("it is new, ignored")], [1, true]);

  for (
    const [words, expected] of [
      [["src/none.ts"], /does not exist in the project/],
      [["src/auth.ts:5-3"], /Lines 5-3 are none/],
      [["login"], /does not exist[\s\S]*history --symbol login/],
      [["--symbol", "nothing"], /Nothing defines "nothing"/],
    ] as const
  ) match((await run(...words)).stderr, expected);
});

Deno.test("renderPast() gives what others wrote on lines of its own", () => {
  const last = {
    commit: "1a2b3c4d",
    at: "2026-01-31",
    author: "A\u001b[31m",
    message: "Why\u0007\n\u001b]0;x",
  };
  const authors = [{ name: "Ada", commits: 18 }];
  const many = {
    ok: true,
    path: "a.ts",
    commits: 90,
    of_commits: 99,
    authors,
    authors_of_last: 30,
  } as const;
  match(
    renderHistory(many, { paint: (text) => text }).join("\n"),
    /Ada 18 {2}\(of the last 30 commits\)/,
  );
  const reply = { ok: true, path: "a\n.ts", commits: 1, of_commits: 2, last } as const;
  equal(renderHistory(reply, { paint: (text) => text }).length, 4);
});
