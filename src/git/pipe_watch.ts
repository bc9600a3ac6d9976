/**
 * Finds out what a git waits for that does not come to its end: a pipe in the place of a file that git reads in every
 * folder it enters (`.gitignore`), which no look beforehand finds without a walk through the whole project. Only a
 * command that takes long is looked after, and only a pipe that some program waits on counts.
 */
import { join } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import type { WaitedPipe } from "../base/files/waited_pipe.ts";
import { openWaitedPipe } from "../base/files/waited_pipe.ts";
import type { GitFolder } from "../place/git_folder.ts";
import { findGitFolder } from "../place/git_folder.ts";

/** Files that git reads in folders of the worktree. */
const IN_WORKTREE: ReadonlySet<string> = new Set([".gitignore", ".gitattributes"]);
/** How many times longer each wait is than the one before. */
const WAIT_GROWTH = 4;
/** Folders searched before other work gets a turn. */
const FOLDERS_AT_ONCE = 50;

/** The watch over one command, until it is stopped. */
export interface PipeWatch {
  /** Fires once it is known what the command waits on. */
  readonly signal: AbortSignal;
  /** The pipe that was found; null for none so far. */
  found(): string | null;
  stop(): void;
}

/**
 * Watches a command that runs in `dir`; a command that ends soon costs only a timer.
 *
 * @param gitDir The git directory where git is told which one it is; default the one that git finds.
 */
export function watchForPipes(dir: string, gitDir: string | null = null): PipeWatch {
  const folder = () =>
    gitDir === null ? findGitFolder(dir) : { worktree: dir, gitDir, commonDir: gitDir };
  const ending = new AbortController();
  const look: Look = { isStopped: false };
  let path: string | null = null;
  let timer: ReturnType<typeof setTimeout>;
  const lookIn = (waitMs: number) => {
    timer = setTimeout(async () => {
      const pipe = await findWaitedPipe(folder(), look).catch(() => null);
      if (look.isStopped) return pipe?.close();
      if (pipe === null) return lookIn(waitMs * WAIT_GROWTH);
      path = pipe.path;
      ending.abort();
      // Closed only after the command was ended: git would take a pipe without a writer for an empty
      // file, and answer.
      pipe.close();
    }, waitMs);
  };
  lookIn(LIMITS.gitPipeLookMs.value);
  return {
    signal: ending.signal,
    found: () => path,
    stop: () => {
      look.isStopped = true;
      clearTimeout(timer);
    },
  };
}

interface Look {
  isStopped: boolean;
}

async function findWaitedPipe(
  folder: GitFolder | null,
  look: Look,
): Promise<WaitedPipe | null> {
  if (folder === null) return null;
  const { worktree, gitDir, commonDir } = folder;
  const skipped = new Set([join(worktree, ".git"), join(commonDir, "objects")]);
  const isOfWorktree = (name: string) => IN_WORKTREE.has(name);
  return await walk(gitDir, { look, skipped, isWanted: () => true }) ??
    (commonDir === gitDir
      ? null
      : await walk(commonDir, { look, skipped, isWanted: () => true })) ??
    await walk(worktree, { look, skipped, isWanted: isOfWorktree });
}

interface WalkOptions {
  readonly look: Look;
  /** Folders that are not entered. */
  readonly skipped: ReadonlySet<string>;
  readonly isWanted: (name: string) => boolean;
}

/** Searches folders, the upper ones first, without following links. */
async function walk(
  top: string,
  { look, skipped, isWanted }: WalkOptions,
): Promise<WaitedPipe | null> {
  const folders = [top];
  for (let at = 0; at < folders.length && !look.isStopped; at++) {
    if (at % FOLDERS_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const folder = folders[at] ?? top;
    for (const { name, isDirectory, isFile } of list(folder)) {
      const path = join(folder, name);
      if (isDirectory && !skipped.has(path)) folders.push(path);
      const pipe = !isDirectory && !isFile && isWanted(name) ? openWaitedPipe(path) : null;
      if (pipe !== null) return pipe;
    }
  }
  return null;
}

function list(folder: string): readonly Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}
