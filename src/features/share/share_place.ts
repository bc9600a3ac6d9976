/**
 * Where a project shares its analyses: the remote that a person names on the command line or in a variable, or the one of
 * the configuration, which came with the project and may name nothing but a remote of the repository.
 */
import { CodeIntelError } from "../../base/errors.ts";
import type { Repository } from "../../git/repository.ts";
import type { OpenRepo } from "../../git/private_repository.ts";
import { findRemote } from "../../git/remote/remote_place.ts";
import { REMOTE_PROTOCOLS } from "../../git/remote/remote_store.ts";
import type { SharePlace } from "./pull.ts";
import { toShareRef } from "./pull.ts";

/** What the configuration says. */
export interface ShareSettings {
  /** A remote of the repository; where {@link ShareSettings.isPersonal} holds, a URL, folder or bundle file too. Null: nothing is shared. */
  readonly remote: string | null;
  /** Whether the person of this machine said so, and not a file that came with the project. */
  readonly isPersonal: boolean;
}

/** What a place is found with. */
export interface PlaceParts {
  /** Absolute path. */
  readonly projectRoot: string;
  readonly openRepo: OpenRepo;
  readonly settings: ShareSettings;
}

/** Why the remote of the configuration can never be used as it is named. */
export interface ShareFault {
  readonly message: string;
  /** The next step. */
  readonly hint: string;
}

/**
 * The place that is meant.
 *
 * @param named what the person named; undefined: that of the configuration.
 * @param options `command`: what was typed, for the next step.
 * @throws {CodeIntelError} `remote_unusable`.
 */
export async function findSharePlace(
  named: string | undefined,
  parts: PlaceParts,
  { command }: { readonly command: "pull" | "push" },
): Promise<SharePlace> {
  const { projectRoot, openRepo, settings } = parts;
  const remote = named ?? settings.remote;
  if (remote === null) {
    throw new CodeIntelError("remote_unusable", "Cannot share anything: no remote is named", {
      hint:
        `Name one: \`code-intel share ${command} origin\`, or set \`share_remote\` in .code-intel/config.json.`,
    });
  }
  const repo = await openRepo();
  const isForeign = named === undefined && !settings.isPersonal;
  const place = await findRemote(repo, remote, { base: projectRoot }).catch((failure) => {
    throw isForeign ? toForeign(remote) : failure;
  });
  // A file that came with a clone must not make this machine talk to anybody.
  if (isForeign && !place.isOwn) throw toForeign(remote);
  const project = place.isOwn ? "project" : await toProjectName(repo, projectRoot);
  return { ...place, ref: toShareRef(project) };
}

/**
 * What is wrong with the remote of the configuration, as far as this machine can tell without asking it; null where nothing
 * is.
 *
 * @throws {CodeIntelError} failures of git other than that it knows no such remote.
 */
export async function findShareFault(parts: PlaceParts): Promise<ShareFault | null> {
  const { remote, isPersonal } = parts.settings;
  if (remote === null) return null;
  const found = await findSharePlace(undefined, parts, { command: "pull" }).catch((failure) => {
    if (failure instanceof CodeIntelError && failure.code === "remote_unusable") return failure;
    throw failure;
  });
  const where = isPersonal ? "CODE_INTEL_SHARE_REMOTE" : "share_remote of .code-intel/config.json";
  if (found instanceof CodeIntelError) {
    const { message, hint } = found;
    return { message, hint: isPersonal ? `Correct ${where}. ${hint}` : `${hint}` };
  }
  const { url, isFolder, isOwn } = found;
  const correct = isOwn
    ? `Correct it (git remote set-url ${remote} URL), or name another remote in ${where}.`
    : `Correct ${where}.`;
  const protocol = /^([A-Za-z][\w+.-]*)::?/.exec(url)?.[1]?.toLowerCase() ?? "";
  const isOdd = url.includes("::") && !url.includes("://") ||
    url.includes("://") && !REMOTE_PROTOCOLS.includes(protocol);
  if (isOdd) {
    return {
      message: `Cannot use the remote "${remote}": code-intel does not connect by "${protocol}"`,
      hint: `Use ${REMOTE_PROTOCOLS.join(", ")}. ${correct}`,
    };
  }
  if (!isFolder || await isThere(url)) return null;
  const hint = `Make it (git init --bare FOLDER), or: ${correct}`;
  return { message: `Cannot use the remote "${remote}": there is no folder ${url}`, hint };
}

function toForeign(remote: string): CodeIntelError {
  return new CodeIntelError(
    "remote_unusable",
    `Cannot use "${remote}" of share_remote: config.json may only name a remote of the repository, and there is none of that name`,
    {
      hint:
        "Name one that `git remote` lists in share_remote of .code-intel/config.json, or for yourself alone any place by the variable CODE_INTEL_SHARE_REMOTE.",
    },
  );
}

async function isThere(folder: string): Promise<boolean> {
  return await Deno.stat(folder).then(({ isDirectory }) => isDirectory, () => false);
}

const MAX_NAME_CHARS = 60;

/** One name for a project in all its clones, where a remote holds the packs of several. */
async function toProjectName(repo: Repository | null, projectRoot: string): Promise<string> {
  const url = await repo?.git.lineOrNull(["remote", "get-url", "--", "origin"]) ?? null;
  const last = (url ?? repo?.worktree ?? projectRoot).split(/[/\\:]/)
    .filter((part) => part !== "").at(-1) ?? "";
  const name = last.replace(/\.git$/, "").replaceAll(/[^\w-]+/g, "-").slice(0, MAX_NAME_CHARS);
  return name.replace(/^-+/, "") || "project";
}
