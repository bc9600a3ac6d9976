/**
 * The project's `.code-intel` folder: made at the first write, with its working files hidden from
 * git.
 */
import { join } from "node:path";
import { toIoError } from "../base/errors.ts";
import { makeOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";

/**
 * The ignore file that `init` writes. It does not ignore agreements, prompts, contract,
 * configuration and itself, which are for the team.
 */
export const GITIGNORE = `# Working files of code-intel; written once, yours to change.
/sessions/
/backup/
/init_backup/
/logs/
/cache/
/manifest.local.json
/index*
/*.db
/*.db-*
*.tmp
`;

/** The same where only sessions ran: without `init` nothing of the program shows in `git status`. */
export const SESSION_GITIGNORE: string = GITIGNORE.replace("\n", "\n/.gitignore\n/agreements/\n");

/** Makes the folder, its sessions folder and the ignore file; an existing ignore file is kept. */
export async function prepareCodeIntelFolder(codeIntelDir: string): Promise<void> {
  const ignorePath = join(codeIntelDir, ".gitignore");
  await makeOwnFolder(join(codeIntelDir, "sessions"));
  try {
    await Deno.lstat(ignorePath);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw toIoError(`make "${codeIntelDir}"`, error);
    await writeOwnFile(ignorePath, SESSION_GITIGNORE);
  }
}
