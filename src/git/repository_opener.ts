/** Opens the repository of a project once for all who need it. */
import type { Clock } from "../base/clock.ts";
import { isGitUnusable } from "../base/errors.ts";
import type { Repository } from "./repository.ts";
import { openRepository } from "./repository.ts";

/** Opens the repository of a project; null where there is none. */
export type OpenRepo = () => Promise<Repository | null>;

/**
 * Opens a repository once. Where there was none, each call looks again, because one may have been
 * made.
 */
export function createRepositoryOpener(projectRoot: string, clock: Clock): OpenRepo {
  let opening: Promise<Repository | null> | undefined;
  return () => {
    opening ??= openRepository(projectRoot, clock).then(
      (repo) => {
        if (repo === null) opening = undefined;
        return repo;
      },
      (failure) => {
        opening = undefined;
        throw failure;
      },
    );
    return opening;
  };
}

/** Gives null where git is missing or too old, for work that goes on without git. */
export function toUsable(openRepo: OpenRepo): OpenRepo {
  return () =>
    openRepo().catch((failure) => {
      if (isGitUnusable(failure)) return null;
      throw failure;
    });
}
