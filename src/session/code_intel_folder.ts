/** The project's `.code-intel` folder: made at the first write, its working files hidden from git. */
import { join } from "node:path";
import { writeFileAtomic } from "../base/atomic_write.ts";
import { toIoError } from "../base/errors.ts";

/** What git is told to leave out; agreements, prompts, contract and configuration are for the team. */
export const GITIGNORE = `# Working files of code-intel; written once, yours to change.
/.gitignore
/sessions/
/backup/
/init_backup/
/logs/
/cache/
/index*
/*.db
/*.db-*
*.tmp
`;

/** Makes the folder, its sessions folder and the ignore file; an ignore file that exists is kept. */
export async function prepareCodeIntelFolder(codeIntelDir: string): Promise<void> {
  const ignorePath = join(codeIntelDir, ".gitignore");
  try {
    await Deno.mkdir(join(codeIntelDir, "sessions"), { recursive: true });
    await Deno.lstat(ignorePath);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw toIoError(`make "${codeIntelDir}"`, error);
    await writeFileAtomic(ignorePath, GITIGNORE);
  }
}
