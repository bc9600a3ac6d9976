/** For `doctor`: checks that the program's own folders and files are really folders and files. */
import { join } from "node:path";
import { CodeIntelError } from "../base/errors.ts";
import { checkOwnFile, checkOwnFolder } from "../base/files/own_folder.ts";

/** Folders and files of the program; a clone may bring a link in place of any of them. */
const OWN_PARTS = {
  folders: ["sessions", "sessions/archive", "logs", "agreements", "cache", "backup", "index"],
  files: ["logs/decisions.jsonl", "logs/outcomes.jsonl", "manifest.json", ".gitignore"],
} as const;

/** The parts of `.code-intel` that are a link or of the wrong kind, each with its cure. */
export function findRefused(codeIntelDir: string): readonly CodeIntelError[] {
  const found = new Map<string, CodeIntelError>();
  const look = (check: () => void) => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof CodeIntelError)) throw error;
      found.set(error.message, error);
    }
  };
  for (const name of OWN_PARTS.folders) look(() => checkOwnFolder(join(codeIntelDir, name)));
  for (const name of OWN_PARTS.files) look(() => checkOwnFile(join(codeIntelDir, name)));
  return [...found.values()];
}
