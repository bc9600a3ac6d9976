/** Makes the project that the demo works on: a copy of `sample/` with a history of six commits. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../run.ts";

const SAMPLE = fileURLToPath(new URL("sample", import.meta.url));

/** The history: who did what when is fixed, so that every run has the same commits. */
const COMMITS: readonly (readonly [at: string, message: string, ...files: string[]])[] = [
  ["2026-03-02T09:00:00Z", "Write down the rules of the desk", "README.md", "docs/rules.md"],
  ["2026-03-02T11:30:00Z", "Count in calendar days", "src/days.ts"],
  ["2026-03-03T10:00:00Z", "Know the books and the members", "src/books.ts", "src/members.ts"],
  ["2026-03-04T09:15:00Z", "Lend books", "src/loans.ts", "tests/loans_test.ts"],
  [
    "2026-03-05T14:00:00Z",
    "Take a fee for late books and print the list",
    "src/fees.ts",
    "src/main.ts",
    "src/report.ts",
    "tests/report_test.ts",
  ],
  [
    "2026-03-06T16:45:00Z",
    "Say what renewals will have to do, and how to test",
    ".code-intel/config.json",
    "tests/renewal_test.ts",
  ],
];

/** Where the person was interrupted: a change in progress that nobody else may touch. */
export const PERSON_FILE = "src/members.ts";
const PERSON_EDIT = "\n// Cards for children: ask Maria on Monday.\n";

/** The project, ready to be worked on. */
export interface SampleProject {
  /** Absolute path. */
  readonly root: string;
  /** What `git diff` showed of the person's edit. */
  readonly personDiff: string;
}

/** Copies the sample to `root` (which exists and is empty), commits it, and leaves one edit open. */
export async function createSampleProject(root: string): Promise<SampleProject> {
  await runGit(root, ["init", "--quiet", "--initial-branch=main"]);
  const settings = {
    "user.name": "Desk Team",
    "user.email": "desk@example.org",
    "commit.gpgsign": "false",
    "core.autocrlf": "false",
  };
  for (const [key, value] of Object.entries(settings)) await runGit(root, ["config", key, value]);
  for (const [at, message, ...files] of COMMITS) {
    for (const file of files) {
      await Deno.mkdir(join(root, dirname(file)), { recursive: true });
      await Deno.copyFile(join(SAMPLE, file), join(root, file));
    }
    await runGit(root, ["add", "--", ...files]);
    const dates = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
    await runGit(root, ["commit", "--quiet", "--message", message], dates);
  }
  await Deno.writeTextFile(join(root, PERSON_FILE), PERSON_EDIT, { append: true });
  return { root, personDiff: await runGit(root, ["diff", "HEAD"]) };
}

/** Runs git as the person would, and gives what it printed. */
export async function runGit(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return await run("git", args, { cwd: root, env });
}
