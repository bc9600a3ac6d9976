/** Whether git knows who commits. */
import { either, say } from "../base/text/words.ts";
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import type { Repository } from "./repository.ts";
import { readSettings } from "./settings.ts";

/** The refusal of a commit for which git lacks a name or an address; null when it knows both. */
export async function checkIdentity(repo: Repository): Promise<Problem | null> {
  if (await isPlainlyKnown(repo)) return null;
  const results = await Promise.all(
    ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"].map((name) => repo.git.run(["var", name])),
  );
  return results.every((result) => result.code === 0) ? null : toIdentityProblem();
}

/** Variables by which a name or an address is given. */
const VARIABLES = /^(?:GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|EMAIL)$/;

/**
 * Whether the settings have a name and an address, and nothing else gives others: then git has
 * nothing to object. Every other case is for git to judge.
 */
async function isPlainlyKnown(repo: Repository): Promise<boolean> {
  if (Object.keys(Deno.env.toObject()).some((name) => VARIABLES.test(name))) return false;
  const values = new Map((await readSettings(repo)).map(({ key, value }) => [key, value ?? ""]));
  if ([...values.keys()].some((key) => /^(?:author|committer)\./.test(key))) return false;
  return ["user.name", "user.email"].every((key) => /[\p{L}\p{N}]/u.test(values.get(key) ?? ""));
}

/** The refusal for a git that does not know who commits. */
export function toIdentityProblem(): Problem {
  return toProblem("git_identity_missing", "git does not know who commits: no name or address", {
    hint: say`${
      either({ agent: "Ask the person to run", person: "Run" })
    }: git config user.name "NAME" && git config user.email "ADDRESS"`,
  });
}
