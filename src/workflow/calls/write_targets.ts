/** The targets of a write: files, globs, and folders with everything below them. */
import type { TreePath } from "../../base/paths.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { WriteTarget } from "../../ledger/write_guard.ts";
import { holdsProject, isProtected } from "../../ledger/write_guard.ts";
import { globToRegExp } from "../../base/text/path_glob.ts";
import type { SessionContext } from "../context/sessions.ts";

/** Most files below a folder that is worked on as a whole. */
export const MOST_BELOW = 1_000;
const MOST_LEFT_OUT = 12;
const MOST_GLOB_NAMES = 40;

/** What the paths of one call stand for. */
export interface Targets {
  readonly found: readonly WriteTarget[];
  /** Those of them that are folders. */
  readonly folders: ReadonlySet<TreePath>;
  /** The targets as the reply names them; a folder stands for what is below it. */
  readonly given: readonly string[];
  /** What lies below a folder and is not taken with it, with the reason. */
  readonly leftOut: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * The targets of plain paths, globs and folders. A glob stands for the existing files that match it; a folder, also as
 * `folder/**`, for those below it and for itself, so that new files may be made in it.
 */
export async function findTargets(
  context: SessionContext,
  paths: readonly string[],
): Promise<Targets> {
  const parts = await Promise.all(paths.map((path, index) => {
    const at = paths.length === 1 ? "file_path" : `file_paths[${index}]`;
    return findPart(context, path, at);
  }));
  return {
    found: parts.flatMap(({ found }) => found),
    folders: new Set(parts.flatMap(({ folders }) => [...folders])),
    given: parts.flatMap(({ given }) => given),
    leftOut: parts.flatMap(({ leftOut }) => leftOut),
    problems: parts.flatMap(({ problems }) => problems),
  };
}

const NOTHING: Targets = { found: [], folders: new Set(), given: [], leftOut: [], problems: [] };

async function findPart(
  context: SessionContext,
  path: string,
  at: string,
): Promise<Targets> {
  const target = await context.paths.toTarget(path, at);
  if (target.kind === "refused") return { ...NOTHING, problems: [target.problem] };
  const isMissing = target.target.kind === "missing";
  const stem = path.replace(/\/(?:\*\*(?:\/\*)?)?$/, "");
  const isBelow = isMissing && stem !== path && stem !== "" && !/[*?]/.test(stem);
  const folder = isBelow ? await context.paths.toTarget(stem, at) : target;
  if (folder.kind === "refused") return { ...NOTHING, problems: [folder.problem] };
  const { kind } = folder.target;
  if (kind === "folder" || isBelow && kind === "missing") {
    const { projectFolder } = context.paths;
    // The guard refuses the project as a whole, so nothing has to be listed.
    const isAll = holdsProject(folder.target.path, projectFolder);
    return isAll
      ? { ...NOTHING, found: [folder.target] }
      : await findFolder(context, folder.target, at);
  }
  return isMissing && /[*?]/.test(path)
    ? await expandGlob(context, path, at)
    : listFiles(context, [folder.target]);
}

function listFiles(context: SessionContext, found: readonly WriteTarget[]): Targets {
  const given = found.map(({ path }) => context.paths.toProject(path as TreePath));
  return { ...NOTHING, found, given };
}

async function expandGlob(context: SessionContext, glob: string, at: string): Promise<Targets> {
  const pattern = globToRegExp(glob);
  const matches = (await context.deps.listFiles()).filter((path) => pattern?.test(path) === true);
  const targets = await Promise.all(matches.map((path) => context.paths.toTarget(path)));
  const found = targets.flatMap((target) => target.kind === "target" ? [target.target] : []);
  if (found.length > 0) {
    const all = listFiles(context, found);
    return found.length > MOST_GLOB_NAMES ? { ...all, given: [glob] } : all;
  }
  const problem = makeProblem("path_not_found", `"${glob}" takes no file of the project`, {
    at,
    hint: "Name the files, or a glob that takes existing ones; folder/** takes new ones too.",
  });
  return { ...NOTHING, problems: [problem] };
}

async function findFolder(
  context: SessionContext,
  folder: WriteTarget,
  at: string,
): Promise<Targets> {
  const path = folder.path as TreePath;
  const shown = context.paths.toProject(path);
  const below = await listBelow(context, path);
  if (below.length > MOST_BELOW) {
    return { ...NOTHING, problems: [refuseLarge(shown, below.length, at)] };
  }
  const judged = await Promise.all(below.map((one) => judgeBelow(context, path, one)));
  const left = judged.flatMap((one) => typeof one === "string" ? [one] : []);
  const found = judged.flatMap((one) => typeof one === "string" ? [] : [one]);
  return {
    ...NOTHING,
    found: [folder, ...found],
    folders: new Set([path]),
    given: [`${shown}/`],
    leftOut: left.length <= MOST_LEFT_OUT
      ? left
      : [...left.slice(0, MOST_LEFT_OUT), `and ${left.length - MOST_LEFT_OUT} more`],
  };
}

/** Why too many files below a folder are not taken at once. */
export function refuseLarge(shown: string, count: number, at: string): Problem {
  return makeProblem("too_long", `${count} files lie below "${shown}"`, {
    at,
    hint: `At most ${MOST_BELOW} are taken at once: name the folders in it.`,
  });
}

/** Files of the project below a folder, and repositories in it, relative to the project. */
export async function listBelow(
  context: SessionContext,
  folder: TreePath,
): Promise<readonly string[]> {
  const prefix = `${context.paths.toProject(folder)}/`;
  return (await context.deps.listFiles()).filter((path) => path.startsWith(prefix));
}

/** The target of a file below a folder, or why it is not taken with the folder. */
async function judgeBelow(
  context: SessionContext,
  folder: TreePath,
  path: string,
): Promise<WriteTarget | string> {
  const target = await context.paths.toTarget(path);
  if (target.kind === "refused") return target.problem.message as string;
  const { kind, path: real } = target.target;
  if (isProtected(real)) return `"${path}" steers the program or the client`;
  const info = await Deno.lstat(context.paths.toAbsolute(real as TreePath)).catch(() => null);
  if (kind === "folder" || info?.isDirectory === true) {
    return `"${path}" is a repository of its own or a link to a folder`;
  }
  return real.startsWith(`${folder}/`) ? target.target : `"${path}" leads out of the folder`;
}
