/** Opens the repository of a project once, however many ask for it. */
import type { Clock } from "../base/clock.ts";
import { isGitUnusable } from "../base/errors.ts";
import type { Repository } from "./repository.ts";
import { openRepository } from "./repository.ts";

/** Gives the repository of a project; null where it lies in none. */
export type OpenRepo = () => Promise<Repository | null>;

/** A repository is opened once; where there is none, one may still be made. */
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

/** What goes on without git where git is missing or too old. */
export function toUsable(openRepo: OpenRepo): OpenRepo {
  return () =>
    openRepo().catch((failure) => {
      if (isGitUnusable(failure)) return null;
      throw failure;
    });
}
