/**
 * Reads refs and HEAD from the files in which git stores them, without starting git. Reftables,
 * links, symbolic refs and whatever has another form than the usual one are left to git; a ref with
 * a file of its own has the value that git would answer, wherever else it is stored.
 */
import { join } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import { isLink, readRegularFile, readRegularText, toText } from "../base/files/regular_file.ts";

/** The folders of a repository that hold refs. */
export interface RefPlace {
  /** Git folder of the worktree, with its HEAD. */
  readonly gitDir: string;
  /** Git folder shared by all worktrees, with the branches. */
  readonly commonDir: string;
}

/** All refs of this program begin with this. */
export const OWN_REFS = "refs/code-intel";
/**
 * What others share through this repository as their remote: neither of a session nor made here, so that no clean-up and no
 * removal of the program may touch it.
 */
export const SHARE_REFS = `${OWN_REFS}/index`;

/** The ref that keeps a tree of a session. */
export function toKeptRef(sessionId: string, name: string): string {
  return `${OWN_REFS}/${sessionId}/kept/${name}`;
}

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Names that git accepts for a branch, without those that could lead out of its folder. */
const SAFE_NAME = /^(?!.*(?:\.\.|\/\/|\/\.|\\|\/$|\.lock$))[^./:\0-\x20][^:\0-\x20]*$/;

/** Whether a text is a complete object id, and no name or abbreviation. */
export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** Commit at the tip of a branch; null where there is none, or where only git can tell. */
export function readBranchFile(place: RefPlace, branch: string): string | null {
  if (!SAFE_NAME.test(branch)) return null;
  const ref = `refs/heads/${branch}`;
  const text = readRef(join(place.commonDir, ref), place.commonDir);
  if (text !== null) return isObjectId(text) ? text : null;
  return readPackedBranch(place, ref)?.get(ref) ?? null;
}

/** Whether there is no such branch; false where only git can tell. */
export function isBranchAbsent(place: RefPlace, branch: string): boolean {
  const ref = `refs/heads/${branch}`;
  return SAFE_NAME.test(branch) && readPackedBranch(place, ref)?.has(ref) === false;
}

/** The packed refs that begin with the name of a branch which has no file of its own; null where only git can tell. */
function readPackedBranch(place: RefPlace, ref: string): ReadonlyMap<string, string> | null {
  // Some systems write other characters in more than one way.
  const isPlain = /^[!-~]+$/.test(ref) && isMissing(join(place.commonDir, ref));
  return isPlain && hasRefFiles(place) ? readPackedRefs(place, ref) : null;
}

/**
 * The branch that HEAD names, or the commit where HEAD is detached; null where only git can tell.
 */
export function readHeadFile(
  { gitDir }: RefPlace,
): { readonly branch: string } | { readonly commit: string } | null {
  const text = readRef(join(gitDir, "HEAD"), gitDir);
  if (text === null) return null;
  if (isObjectId(text)) return { commit: text };
  const branch = /^ref: refs\/heads\/(.+)$/.exec(text)?.[1];
  return branch === undefined || !SAFE_NAME.test(branch) ? null : { branch };
}

function readRef(path: string, within: string): string | null {
  // Older versions of git stored a symbolic ref as a link, whose target's content says nothing
  // about HEAD's own form.
  if (isLink(path)) return null;
  const text = readRegularText(path, { within, maxBytes: LIMITS.refFileBytes.value });
  return text?.endsWith("\n") === true ? text.slice(0, -1) : null;
}

/** Whether refs are files: only git can read those of other stores. */
function hasRefFiles({ commonDir }: RefPlace): boolean {
  if (Deno.env.get("GIT_REFERENCE_BACKEND") !== undefined) return false;
  const bounds = { within: commonDir, maxBytes: LIMITS.gitConfigBytes.value };
  const config = readRegularText(join(commonDir, "config"), bounds);
  return config !== undefined && !/refstorage/i.test(config);
}

/** Names of refs that are made of plain parts, as those of this program are. */
const PLAIN_REF = /^refs(?:\/(?!\.)[\w.+=-]+(?<!\.lock)(?<!\.))+$/;

/**
 * The ids of all refs whose names begin with a text such as `refs/heads/llm_task_`, by their names;
 * null where only git can tell.
 */
export function listRefFiles(place: RefPlace, start: string): ReadonlyMap<string, string> | null {
  if (!hasRefFiles(place)) return null;
  const own = new Map<string, string>();
  const slash = start.lastIndexOf("/");
  // Refs with files come first: git packs a ref before it removes its file.
  const isKnown = readFolder(place, { folder: start.slice(0, slash), start, found: own });
  const packed = isKnown ? readPackedRefs(place, start) : null;
  return packed === null ? null : new Map([...packed, ...own]);
}

interface RefWalk {
  readonly folder: string;
  readonly start: string;
  readonly found: Map<string, string>;
}

/** Adds the refs of a folder; false where something in it is for git to judge. */
function readFolder(place: RefPlace, { folder, start, found }: RefWalk): boolean {
  const path = join(place.commonDir, folder);
  if (isMissing(path)) return true;
  if (isLink(path)) return false;
  try {
    for (const { name, isDirectory } of Deno.readDirSync(path)) {
      const ref = `${folder}/${name}`;
      if (!ref.startsWith(start) || name.endsWith(".lock")) continue;
      if (isDirectory) {
        if (!readFolder(place, { folder: ref, start, found })) return false;
        continue;
      }
      const id = readRef(join(path, name), place.commonDir);
      // A ref that is gone meanwhile was packed or removed: git knows.
      if (id === null || !isObjectId(id) || !PLAIN_REF.test(ref)) return false;
      found.set(ref, id);
    }
    return true;
  } catch {
    return false;
  }
}

/** The packed refs whose names begin with a text; null where only git can tell. */
function readPackedRefs({ commonDir }: RefPlace, start: string): Map<string, string> | null {
  // In a larger file git searches faster than it is read.
  const bounds = { within: commonDir, maxBytes: LIMITS.gitObjectBytes.value };
  const reading = readRegularFile(join(commonDir, "packed-refs"), bounds);
  if (reading.kind === "refused") return null;
  const found = new Map<string, string>();
  if (reading.kind === "absent") return found;
  const text = toText(reading.bytes);
  for (let at = text.indexOf(` ${start}`); at >= 0; at = text.indexOf(` ${start}`, at + 1)) {
    const id = text.slice(text.lastIndexOf("\n", at) + 1, at);
    const end = text.indexOf("\n", at);
    if (!isObjectId(id) || end < 0) return null;
    found.set(text.slice(at + 1, end), id);
  }
  return found;
}

function isMissing(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
  }
}
