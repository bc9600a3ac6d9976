/**
 * Reads branches and HEAD from the files in which git stores them, without starting git. A ref that
 * is no plain file of the known form (packed refs, reftables, links, symbolic refs, no file) is
 * left to git; a ref with a file of its own has the value that git would answer, wherever else it
 * is stored.
 */
import { join } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import { isLink, readRegularText } from "../base/files/regular_file.ts";

/** The folders of a repository that hold refs. */
export interface RefPlace {
  /** Git folder of the worktree, with its HEAD. */
  readonly gitDir: string;
  /** Git folder shared by all worktrees, with the branches. */
  readonly commonDir: string;
}

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Names that git accepts for a branch, without those that could lead out of its folder. */
const SAFE_NAME = /^(?!.*(?:\.\.|\/\/|\/\.|\\|\/$|\.lock$))[^./:\0-\x20][^:\0-\x20]*$/;

/** Whether a text is a complete object id, and no name or abbreviation. */
export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** Commit at the tip of a branch; null where only git can tell. */
export function readBranchFile({ commonDir }: RefPlace, branch: string): string | null {
  if (!SAFE_NAME.test(branch)) return null;
  const text = readRef(join(commonDir, "refs/heads", branch), commonDir);
  return text !== null && isObjectId(text) ? text : null;
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
