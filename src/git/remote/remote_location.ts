/**
 * Where a remote is, and what git needs to reach it from a repository of the program's own: the settings of the project
 * that say how to connect, and none that starts a program.
 */
import { dirname, isAbsolute, resolve } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import type { Repository } from "../repository.ts";
import { isFullDisk } from "../../base/system_cause.ts";
import { splitNul } from "../git.ts";

/** A remote as git can reach it. */
export interface RemoteLocation {
  /** What the user named: a remote of the repository, a URL, a folder, a bundle file. */
  readonly named: string;
  /** URL or absolute path. */
  readonly url: string;
  /** The same for pushing. */
  readonly pushUrl: string;
  /** A bundle file, which git reads and the program writes. */
  readonly isBundle: boolean;
  /** A folder of this machine, without a protocol. */
  readonly isFolder: boolean;
  /** Whether it is one of the repository's own remotes. */
  readonly isOwn: boolean;
  /** The hash of object ids that it has, as far as the repository tells. */
  readonly objectFormat: Repository["objectFormat"];
  /** Settings of the repository for connections over HTTP, such as a header with a token. */
  readonly settings: readonly (readonly [key: string, value: string])[];
}

/**
 * Finds a remote.
 *
 * @param repo the project's repository; null without one.
 * @param options `base`: absolute folder that relative paths begin in.
 * @throws {CodeIntelError} `remote_unusable`.
 */
export async function findRemote(
  repo: Repository | null,
  named: string,
  { base }: { readonly base: string },
): Promise<RemoteLocation> {
  // An empty name would be the folder of the project.
  const isName = named.trim() !== "" && !named.startsWith("-") && !/[\0\n]/.test(named);
  if (!isName) throw makeRemoteError(named, "it is no name");
  const [own, ownPush] = repo === null ? [null, null] : await Promise.all([
    repo.git.lineOrNull(["remote", "get-url", "--", named]),
    repo.git.lineOrNull(["remote", "get-url", "--push", "--", named]),
  ]);
  // Git takes paths and URLs for names too; a slash is part of a name where the repository lists it.
  const isOwn = own !== null && repo !== null &&
    (!/[/\\:]/.test(named) || await isListed(repo, named));
  const settings = repo === null ? [] : await readConnection(repo);
  // Relative paths of a remote begin at the worktree, as for git itself.
  const url = isOwn ? resolveLocation(own, repo.worktree) : resolveLocation(named, base);
  const pushUrl = isOwn && ownPush !== null ? resolveLocation(ownPush, repo.worktree) : url;
  const isBundle = !isUrl(url) && url.endsWith(".bundle");
  if (isBundle && !await exists(dirname(url))) {
    throw makeRemoteError(named, `there is no folder ${dirname(url)}`);
  }
  const isPlainName = !isOwn && /^[\w.-]+$/.test(named) && !isBundle;
  if (isPlainName && !await exists(url)) {
    throw makeRemoteError(named, "it is neither a remote of the repository nor a folder");
  }
  const objectFormat = isOwn ? repo.objectFormat : "sha1";
  const isFolder = !isBundle && !isUrl(url);
  return { named, url, pushUrl, isBundle, isFolder, isOwn, objectFormat, settings };
}

async function isListed(repo: Repository, named: string): Promise<boolean> {
  const names = await repo.git.lineOrNull(["remote"]);
  return names?.split(/\r?\n/).includes(named) === true;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Keys of connections over HTTP; none of them names a program. */
async function readConnection(repo: Repository): Promise<RemoteLocation["settings"]> {
  const args = ["config", "-z", "--local", "--includes", "--get-regexp", "^http\\."];
  const { code, stdout } = await repo.git.run(args);
  if (code !== 0) return [];
  return splitNul(stdout).flatMap((entry) => {
    const [key = "", value] = entry.split(/\n(.*)/s);
    return value === undefined ? [] : [[key, value] as const];
  });
}

function isUrl(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text) || /^[\w.-]+::/.test(text) ||
    // `host:path`, unless a slash stands before the colon or it is a drive.
    /^[^/\\:]{2,}:/.test(text);
}

function resolveLocation(text: string, base: string): string {
  return isUrl(text) || isAbsolute(text) ? text : resolve(base, text);
}

/** The error for a remote that cannot be used. */
export function makeRemoteError(named: string, said: string, cause?: unknown): CodeIntelError {
  return new CodeIntelError("remote_unusable", `Cannot use the remote "${named}": ${said}`, {
    hint: chooseHint(said),
    ...(cause === undefined ? {} : { cause }),
  });
}

function chooseHint(said: string): string {
  if (isFullDisk(said)) {
    return "Make room on the disk, here or where the remote lies, and run the command again; the remote has what it had.";
  }
  if (/could not read (?:Username|Password)|Authentication failed|Permission denied/i.test(said)) {
    return "Let git reach it without a question (a credential helper, an SSH key, a token in the URL's header), and run the command again.";
  }
  if (
    /protected|denied|read-only|not permitted|hook declined|unpacker error|unable to create/i.test(
      said,
    )
  ) {
    return "Ask who keeps the remote for the right to push below refs/code-intel/, or name another one: code-intel share push REMOTE.";
  }
  if (/there is no folder/.test(said)) return "Make the folder, or name a file in another one.";
  if (/it is no name/.test(said)) {
    return "Name a remote of the repository, a URL, a folder with a bare repository or a bundle file.";
  }
  if (/does not appear to be a git repository|not a git repository|neither a remote/i.test(said)) {
    return "Name a remote of the repository, a URL, or a folder that `git init --bare FOLDER` made.";
  }
  return "Look whether `git ls-remote` reaches it; the index works without it.";
}
