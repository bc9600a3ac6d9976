/**
 * Lets ripgrep find the files by itself where a question covers the whole list of a project or folder:
 * ten thousand paths on its command line cost more than the search. The list decides all the same: what it
 * has and ripgrep would not find is named to it, and what it has not is left out of the answer.
 */
import { pickRegularFiles } from "../backends/regular_files.ts";
import { listWalkedFiles } from "../backends/ripgrep_run.ts";
import type { LiveExplorerOptions } from "../backends/live_context.ts";
import type { TextScope } from "../backends/text_query.ts";

/** Below this a list is as fast, and asks nothing beforehand. */
const MIN_FILES = 300;
/** With more the walk gains nothing. */
const MAX_UNSEEN = 500;

/** What ripgrep would not find of a list. */
interface Unseen {
  readonly files: readonly string[];
  /** Paths that are no regular files of the project. */
  readonly odd: readonly string[];
}

/** A list that changes is another one. */
const UNSEEN = new WeakMap<readonly string[], Promise<Unseen | null>>();

/** What a walk is planned for. */
export interface WalkInput {
  /** The whole list of the project, as it was given. */
  readonly list: readonly string[];
  /** What the question covers of it. */
  readonly files: readonly string[];
  /** Folder of the question. */
  readonly path: string;
  readonly signal?: AbortSignal;
}

/** The walk that finds the files of a question, or undefined where a list is better. */
export async function planWalk(
  context: LiveExplorerOptions,
  { list, files, path, signal }: WalkInput,
): Promise<TextScope["walk"] | undefined> {
  if (context.isBrief === true || files.length < MIN_FILES || isHidden(path)) return undefined;
  const rg = await context.backends.rg();
  if (!rg.available || rg.path === undefined) return undefined;
  let finding = UNSEEN.get(list);
  if (finding === undefined) {
    finding = findUnseen(rg.path, context.projectRoot, list);
    UNSEEN.set(list, finding);
    finding.catch(() => UNSEEN.delete(list));
  }
  signal?.throwIfAborted();
  const unseen = await finding;
  if (unseen === null) return undefined;
  const prefix = path === "." ? "" : `${path}/`;
  const below = (one: string) => one.startsWith(prefix);
  return {
    folder: path,
    unseen: unseen.files.filter(below),
    leftOut: unseen.odd.filter(below).length,
  };
}

async function findUnseen(
  rgPath: string,
  root: string,
  list: readonly string[],
): Promise<Unseen | null> {
  const seen = new Set(await listWalkedFiles(rgPath, { root }));
  const others = list.filter((path) => !seen.has(path) && !isHidden(path));
  if (others.length > MAX_UNSEEN) return null;
  const { files } = pickRegularFiles(root, others);
  const own = new Set(files);
  return { files, odd: others.filter((path) => !own.has(path)) };
}

function isHidden(path: string): boolean {
  return /(?:^|\/)\.[^/]/.test(path);
}
