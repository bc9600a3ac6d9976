/**
 * A stranger's path: a folder with nothing but git and the executable, no network, no rg, no ctags. `init`,
 * then a session from the request to the merged commit.
 */
import { join } from "node:path";
import { Client } from "../demo/client.ts";
import { Journal } from "../demo/journal.ts";
import { expect } from "./expect.ts";
import type { Sandbox } from "./sandbox.ts";

const PATH = "greet.py";
const BEFORE = "def greet(name):\n    return 'Hello ' + name\n";
const AFTER =
  "def greet(name):\n    if name == '':\n        raise ValueError('a name is needed')\n    return 'Hello ' + name\n";
const REQUEST = "Refuse an empty name in greet";

/** Walks the path; `print` takes each line of it. */
export async function proveStranger(
  sandbox: Sandbox,
  print: (line: string) => void,
): Promise<void> {
  const before = await sandbox.offline();
  const cwd = await sandbox.makeRepository();
  await sandbox.must(["init"], { cwd, before });
  await Deno.writeTextFile(join(cwd, PATH), BEFORE);
  await sandbox.git(cwd, "add", "--all");
  await sandbox.git(cwd, "commit", "--quiet", "--message=Greet people");
  const [command = "", ...words] = [...before, sandbox.program, "serve", "--project", cwd];
  const env = { ...sandbox.env };
  const { client } = await Client.start({ command, args: words, cwd, env, clearEnv: true });
  const journal = new Journal(client, print);
  try {
    await understand(journal);
    await build(journal, cwd);
    await finish(journal);
  } finally {
    await client.close();
  }
  const parents = (await sandbox.git(cwd, "log", "-1", "--format=%P")).trim().split(" ");
  expect(parents.length === 2, "HEAD is a merge");
  expect(await Deno.readTextFile(join(cwd, PATH)) === AFTER, "the merged file is what was written");
  const branches = (await sandbox.git(cwd, "branch", "--format=%(refname:short)")).trim();
  expect(branches === "main", `the task branch is gone: ${branches}`);
}

async function understand(journal: Journal): Promise<void> {
  await journal.call("start_session", {
    intent: "MODIFY",
    query: REQUEST,
    flags: { no_doc: true },
  }, { step: 4 });
  await journal.submit("An empty name is to be refused.", {
    action_type: "modify",
    slots: {
      target_feature: { value: "greet", quote: "greet" },
      trigger_condition: null,
      observed_issue: { value: "an empty name is accepted", quote: "empty name" },
      desired_action: { value: "refuse", quote: "Refuse an empty name" },
    },
    target_symbols: ["greet"],
    scope: PATH,
    constraints: [],
  }, { step: 5 });
  const found = { check: ({ total }: Readonly<Record<string, unknown>>) => total !== 0 };
  await journal.call("find_definitions", { symbol: "greet" }, found);
  await journal.call("search_text", { pattern: "greet" }, found);
  await journal.call("get_symbols", { path: PATH }, found);
  await journal.submit("The function is in one file.", {
    explored_files: [PATH],
    findings: [`greet() joins two strings (${PATH}:1)`],
    reproduced: { command: "greet('')", showed: "a greeting without a name" },
  }, { step: 6 });
  const reason = "the whole of the program is one function";
  await journal.submit("All is known.", { needs_more_information: false, reason }, { step: 8 });
  await journal.submit("Nothing is assumed.", {
    has_unverified_hypotheses: false,
    hypotheses: [],
    reason,
  }, { step: 10 });
  await journal.submit("Nothing calls it.", { needs_impact_analysis: false, reason }, { step: 12 });
}

async function build(journal: Journal, cwd: string): Promise<void> {
  const item = "Raise an error for an empty name";
  await journal.submit("One task.", {
    tasks: [{
      id: "task_1",
      description: "Refuse an empty name",
      status: "pending",
      checklist: [{ item, status: "pending" }],
    }],
  }, { step: 13 });
  await journal.call("check_write_target", { file_path: PATH });
  await Deno.writeTextFile(join(cwd, PATH), AFTER);
  await journal.submit("It raises an error.", {
    task_id: "task_1",
    checklist: [{ item, status: "done", evidence: `${PATH}:2-3` }],
  }, { step: 14 });
  await journal.submit("The task is reported.", {}, { step: 15 });
  await journal.submit("Read again.", {
    passed: true,
    verifier_used: "reading",
    failed_tasks: [],
    details: "the project has no command to run",
  }, { step: 17 });
}

async function finish(journal: Journal): Promise<void> {
  await journal.call("review_changes", {}, { check: ({ total_changes }) => total_changes === 1 });
  await journal.submit("One file is the work.", {
    reviewed_files: [PATH],
    include_person_changes: [],
    commit_message: "Refuse an empty name",
    review_prompt_used: "garbage_detection.md",
  }, { step: 18 });
  await journal.submit("Small and clear.", {
    quality_score: "good",
    issues: [],
    quality_prompt_used: "quality_review.md",
  }, { step: 19 });
  await journal.submit("Ready to merge.", {}, {
    check: ({ phase }) => phase === "SESSION_COMPLETE",
  });
}
