/** The user guide, typed as it stands in the sample project: each command works, and prints what is shown. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { createSampleProject, runGit } from "../../tools/demo/sample_project.ts";
import { makeTempFolders } from "../../tools/demo/server.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { findMissing, splitWords, toTranscripts } from "../support/guide_lines.ts";

for (const page of ["docs/guide.md", "docs/contracts.md"]) {
  Deno.test(`the commands of ${page} work in order and print what the page shows`, () =>
    type(page));
}

async function type(page: string): Promise<void> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const env = { HOME: folders.stateDir, CODE_INTEL_STATE_DIR: folders.stateDir };
  const transcripts = toTranscripts(await Deno.readTextFile(page));
  ok(transcripts.length > 2, `${transcripts.length} commands`);
  const wrong: unknown[] = [];
  for (const { line, shown } of transcripts) {
    const { code, stdout, stderr } = await runHosted(splitWords(line).slice(1), {
      cwd: folders.root,
      env,
    });
    const missing = findMissing(stdout, shown);
    if (code !== 0 || missing !== null) wrong.push({ line, code, missing, stdout, stderr });
    // What init wrote is committed, as the guide says.
    if (line.includes("init")) {
      await runGit(folders.root, ["add", "--", ".code-intel", "CLAUDE.md"]);
    }
    if (line.includes("init")) await runGit(folders.root, ["commit", "-qm", "Set up"]);
  }
  deepEqual(wrong, []);
}
