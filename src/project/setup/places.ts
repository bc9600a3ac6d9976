/** Where the paths of a set-up lie: below the project, or below the person's home folder. */
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";

/** The folders that the paths of a plan are below. */
export interface Places {
  /** Absolute path of the project. */
  readonly root: string;
  /** The person's home folder; null where none is known. */
  readonly home: string | null;
}

/** The absolute path of a planned file. */
export function toAbsolute({ root, home }: Places, path: string): string {
  if (!path.startsWith("~/")) return join(root, path);
  if (home !== null) return join(home, path.slice(2));
  throw new CodeIntelError("io_failed", `Cannot find "${path}": no home folder is known`, {
    hint: "Set HOME, then run the command again.",
  });
}
