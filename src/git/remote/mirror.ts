/**
 * A bare repository of the program's own that follows branches of one remote, without their past: for a hub, which reads
 * files of a commit and never checks one out.
 */
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { checkOwnFolder, makeOwnFolder } from "../../base/files/own_folder.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { decode, splitNul } from "../git.ts";
import type { RemoteLocation } from "./remote_location.ts";
import { makeRemoteError } from "./remote_location.ts";
import { BareGit, extractGitMessage, REMOTE_ENVIRONMENT } from "./remote_store.ts";

/** A regular file of a commit. */
export interface MirrorFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly objectId: string;
  readonly sizeBytes: number;
}

/** What no setting of the user may change here. */
const SETTINGS: RemoteLocation["settings"] = [
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  // Names that lead out of a folder, and objects that are none, end the fetch.
  ["fetch.fsckObjects", "true"],
];
const MAX_LISTING_BYTES = 1024 * 1024 * 1024;

/** The mirror in one folder. */
export class Mirror extends BareGit {
  /** @param folder absolute path; nothing is made before {@link Mirror.open}. */
  constructor(folder: string) {
    super(folder, SETTINGS);
  }

  /**
   * Makes the repository where there is none.
   *
   * @throws {CodeIntelError} `own_path_refused`, `io_failed`, `git_failed`.
   */
  async open(): Promise<void> {
    checkOwnFolder(this.folder);
    if (await Deno.lstat(join(this.folder, "HEAD")).catch(() => null) !== null) return;
    await makeOwnFolder(this.folder);
    await this.bytes(["init", "--quiet", "--bare", "--template=", "."]);
  }

  /**
   * Fetches the tip of a branch, and keeps it under a name until the next fetch.
   *
   * @param branch null for what the remote's HEAD names.
   * @returns the commit; null where the remote answers and has no such branch.
   * @throws {CodeIntelError} `remote_unusable`, `timed_out`, `cancelled`.
   */
  async fetch(
    place: RemoteLocation,
    { branch, keptAs, signal }: {
      readonly branch: string | null;
      readonly keptAs: string;
      readonly signal?: AbortSignal;
    },
  ): Promise<string | null> {
    const from = branch === null ? "HEAD" : `refs/heads/${branch}`;
    const to = `refs/hub/${keptAs}`;
    const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--depth=1"];
    const { code, stderr } = await this.run(
      [...args, "--end-of-options", place.url, `+${from}:${to}`],
      {
        timeoutMs: LIMITS.shareFetchMs.value,
        env: REMOTE_ENVIRONMENT,
        ...(signal === undefined ? {} : { signal }),
      },
      place.settings,
    );
    if (code !== 0) {
      const said = extractGitMessage(stderr);
      if (said.includes(`couldn't find remote ref ${from}`)) return null;
      throw makeRemoteError(place.named, said);
    }
    return decode(await this.bytes(["rev-parse", "--verify", `${to}^{commit}`])).trim();
  }

  /**
   * Whether the remote says what its HEAD is: then what failed is one branch's.
   *
   * @throws {CodeIntelError} `cancelled`.
   */
  async isReachable(
    place: RemoteLocation,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<boolean> {
    const args = ["ls-remote", "--quiet", "--end-of-options", place.url, "HEAD"];
    const options = { timeoutMs: LIMITS.shareLookMs.value, env: REMOTE_ENVIRONMENT, signal };
    try {
      return (await this.run(args, options, place.settings)).code === 0;
    } catch (failure) {
      if (failure instanceof CodeIntelError && failure.code === "timed_out") return false;
      throw failure;
    }
  }

  /** The regular files of a commit; links, nested repositories and whatever else is no file are left out. */
  async list(commit: string): Promise<readonly MirrorFile[]> {
    const args = ["ls-tree", "-r", "-l", "-z", "--full-tree", commit];
    const output = await this.bytes(args, { maxOutputBytes: MAX_LISTING_BYTES });
    return splitNul(output).flatMap((row) => {
      const match = /^100[67][45][45] blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(row);
      const [, objectId = "", size = "", path = ""] = match ?? [];
      return match === null ? [] : [{ path, objectId, sizeBytes: Number(size) }];
    });
  }

  /**
   * The bytes of files in their order; null for one that is gone.
   *
   * @param files few enough for the memory.
   */
  async read(
    files: readonly Pick<MirrorFile, "objectId" | "sizeBytes">[],
  ): Promise<readonly (Uint8Array | null)[]> {
    const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return await this.readBlobs(files.map(({ objectId }) => objectId), bytes);
  }
}
