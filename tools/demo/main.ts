/**
 * The main job on a sample project, from the request to the merged commit, against the real server over
 * its real protocol. Ends with 0 only when every answer was as expected.
 */
import { join } from "node:path";
import { FEATURES } from "../../src/features/features.ts";
import { Journal } from "./journal.ts";
import { createUser, EXPECTED_FORMS } from "./person.ts";
import type { SampleProject } from "./sample_project.ts";
import { createSampleProject, PERSON_FILE, runGit } from "./sample_project.ts";
import type { ServerOptions } from "./server.ts";
import { makeTempFolders, startServer } from "./server.ts";
import { REQUEST, walkDemo } from "./session.ts";
import { print } from "../task.ts";

async function runDemo(folders: ServerOptions): Promise<void> {
  const project = await createSampleProject(folders.root);
  print(`Request: ${REQUEST}`);
  print(
    `Project: a copy of tools/demo/sample with 6 commits; the person is editing ${PERSON_FILE}`,
  );
  print("");
  const person = createUser((text) => journal.note(text));
  const server = { ...folders, person: person.answer };
  const first = await startServer(server);
  const journal: Journal = new Journal(first.client, print);
  journal.note(`the server answers initialize after ${first.durationMs.toFixed(0)} ms`);
  const restart = async () => {
    journal.note(`kill -9 ${journal.client.pid}: the server dies in the middle of step 13`);
    await journal.client.kill();
    const next = await startServer(server);
    journal.useClient(next.client);
    journal.note(`a new server answers after ${next.durationMs.toFixed(0)} ms`);
  };
  try {
    await walkDemo(journal, { root: folders.root, restart });
  } finally {
    await journal.client.close();
  }
  await showResult(project);
  const asked = person.asked.join(", ");
  expect(asked === EXPECTED_FORMS.join(", "), `the person was asked once: ${asked}`);
  const { calls, durationMs, sizeBytes } = journal.totals;
  print(
    `${calls} calls, ${durationMs.toFixed(0)} ms in the server, ${sizeBytes} bytes of replies.`,
  );
}

const LOG = ["log", "--graph", "--oneline", "--decorate", "--branches", "--max-count=4"];

/** Shows what git says at the end, and that the person's edit is as it was. */
async function showResult({ root, personDiff }: SampleProject): Promise<void> {
  print(`\n$ git ${LOG.join(" ")}\n${await runGit(root, LOG)}`);
  const trailers = await runGit(root, ["log", "-1", "--no-merges", "--format=%(trailers)"]);
  print(`$ git log -1 --no-merges --format='%(trailers)'\n${trailers.trim()}\n`);
  const status = await runGit(root, ["status", "--short"]);
  print(`$ git status --short\n${status}`);
  const branches = await runGit(root, ["branch", "--format=%(refname:short)"]);
  const diff = await runGit(root, ["diff", "HEAD"]);
  const parents = await runGit(root, ["log", "-1", "--format=%P"]);
  expect(diff === personDiff, "the person's edit is as it was, and nothing else is open");
  const open = status.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  expect(open.join() === `M ${PERSON_FILE}`, "git status shows the person's edit alone");
  // Nobody ran `init` here, so that what was learned shows in the project's folder and not in git.
  if (FEATURES.some(({ name }) => name === "learning")) {
    const learned = await Array.fromAsync(Deno.readDir(join(root, ".code-intel", "agreements")));
    expect(learned.length > 0, "the verified work taught something");
  }
  expect(branches.trim() === "main", "the task branch is gone");
  expect(parents.trim().split(" ").length === 2, "HEAD is a merge");
  const files = await runGit(root, ["diff", "--name-only", "HEAD^1", "HEAD"]);
  expect(files.trim() === "src/loans.ts\nsrc/report.ts", "the merge brings the two reviewed files");
  expect(/^Code-Intel-Session: session_/m.test(trailers), "the commit names its session");
  expect(
    /^Code-Intel-Verified: yes$/m.test(trailers),
    "the commit says that the server's own run of the tests passed",
  );
}

function expect(condition: boolean, what: string): void {
  if (!condition) throw new Error(`not as expected: ${what}`);
  print(`As expected: ${what}.`);
}

await using folders = await makeTempFolders();
try {
  await runDemo(folders);
} catch (error) {
  print(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  Deno.exitCode = 1;
}
