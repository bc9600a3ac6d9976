/**
 * Reads branches and HEAD from the files in which git keeps them, which takes no start of a program. Whatever is not
 * a plain file of the known form (packed refs, reftables, links, symbolic refs, nothing at all) is left to git:
 * a ref that lies in a file of its own is what git would answer with, wherever else it is named.
 */
import { join } from "node:path";
import { LIMITS } from "../base/limits.ts";
import { readRegularText } from "../base/regular_file.ts";
import type { Repository } from "./repository.ts";

/** The folders of a repository in which refs lie. */
export type RefPlace = Pick<Repository, "gitDir" | "commonDir">;

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** What git accepts as the name of a branch, without what could leave its folder. */
const SAFE_NAME = /^(?!.*(?:\.\.|\/\/|\/\.|\\|\/$|\.lock$))[^./:\0-\x20][^:\0-\x20]*$/;

/** Whether a text is a whole object id, as opposed to a name or a shortened one. */
export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** Commit at the tip of a branch; null where only git can say whether there is one. */
export function readBranchFile({ commonDir }: RefPlace, branch: string): string | null {
  if (!SAFE_NAME.test(branch)) return null;
  const text = readRef(join(commonDir, "refs/heads", branch), commonDir);
  return text !== null && isObjectId(text) ? text : null;
}

/** The branch that HEAD names, or the commit where it is detached; null where only git can say. */
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
  // Older gits kept a symbolic ref as a link: what it leads to says nothing about its own name.
  if (isLink(path)) return null;
  const text = readRegularText(path, { within, maxBytes: LIMITS.refFileBytes.value });
  return text?.endsWith("\n") === true ? text.slice(0, -1) : null;
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}
