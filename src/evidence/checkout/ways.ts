/**
 * What a clean checkout of a repository gets of the worktree beside its tree and its dependencies: files that git ignores, as
 * generated ones. Which they are is found by trying, and remembered for the repository.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { makeOwnFolder } from "../../base/files/own_folder.ts";
import type { Seal } from "../../base/files/seal.ts";
import type { Repository } from "../../git/repository.ts";
import { readSealedJson, writeSealedJson } from "../runs/sealed_json.ts";
import { isCache } from "./changed_dependencies.ts";

/** More than the way of the repository: `named` is what a failing run names, `all` is everything that git ignores. */
export interface MoreWanted {
  readonly which: "named" | "all";
  /** What the commands printed in a checkout that does not work. */
  readonly said: string;
}

/** What is tried one after another where a checkout does not work, the cheapest first. */
export const MORE: readonly MoreWanted["which"][] = ["named", "all"];

/** What no code of a project reads: files of this program, of editors and of systems. */
const NEVER =
  /(?:^|\/)(?:\.code-intel|\.idea|\.vscode|\.vs|\.DS_Store|Thumbs\.db|htmlcov|\.coverage[^/]*|\.hypothesis)(?:\/|$)|\.(?:log|swp)$/;
/** Shorter names are words of any text (guessed). */
const SHORTEST_NAME = 4;
const MOST_SHOWN = 3;

/**
 * Picks what is lent. Pure.
 *
 * @param ignored what git ignores, relative to the worktree; folders end with a slash.
 * @param lent the folders of dependencies among it, without slashes.
 * @returns paths without slashes at their ends; a sentence's end where there is nothing more to try.
 */
export function pickMore(
  ignored: readonly string[],
  lent: readonly string[],
  { kept, wanted }: { readonly kept: readonly string[]; readonly wanted?: MoreWanted | undefined },
): readonly string[] | string {
  const others = ignored.map((path) => path.replace(/\/$/, "")).filter((path) =>
    !NEVER.test(path) && !isCache(path.slice(path.lastIndexOf("/") + 1)) &&
    !lent.some((folder) => path === folder || path.startsWith(`${folder}/`))
  );
  const known = others.filter((path) => kept.includes(path));
  if (wanted === undefined) return known;
  const more = others.filter((path) =>
    known.includes(path) || wanted.which === "all" || isNamed(path, wanted.said)
  );
  return more.length > known.length ? more : "git ignores nothing more that it could need";
}

/** Whether a text has the name of a file or folder, with or without its ending. */
function isNamed(path: string, said: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [name, name.replace(/\.\w+$/, "")].some((one) => {
    if (one.length < SHORTEST_NAME) return false;
    const at = said.indexOf(one);
    return at >= 0 && !/\w/.test((said[at - 1] ?? " ") + (said[at + one.length] ?? " "));
  });
}

/** What there is of these files, for a sentence. */
export function describeMore(more: readonly string[]): string {
  const others = more.length - MOST_SHOWN;
  const shown = more.slice(0, MOST_SHOWN).join(", ");
  return `with ${shown}${others > 0 ? ` and ${others} more` : ""}, which git ignores`;
}

/** Whose way it is. */
export interface WayPlace {
  readonly repo: Repository;
  readonly stateDir: string;
  readonly seal: Seal | undefined;
}

/** The files that checkouts of the repository are known to need, relative to the worktree. */
export async function readWay({ repo, stateDir, seal }: WayPlace): Promise<readonly string[]> {
  if (seal === undefined) return [];
  const found = await readSealedJson(nameFile(stateDir, repo), seal);
  const paths = found.kind === "whole" ? found.value["paths"] : [];
  return Array.isArray(paths) ? paths.map(String) : [];
}

/** Remembers them. Where they cannot be written, they are found again the next time. */
export async function saveWay(
  { repo, stateDir, seal }: WayPlace,
  paths: readonly string[],
): Promise<void> {
  if (seal === undefined) return;
  try {
    await makeOwnFolder(join(stateDir, "checkouts"), { below: stateDir, mode: 0o700 });
    await writeSealedJson(nameFile(stateDir, repo), { paths }, { seal, below: stateDir });
  } catch (failure) {
    if (!(failure instanceof CodeIntelError)) throw failure;
  }
}

function nameFile(stateDir: string, { commonDir }: Repository): string {
  const hash = createHash("sha256").update(commonDir).digest("hex").slice(0, 16);
  return join(stateDir, "checkouts", `${hash}.way.json`);
}
