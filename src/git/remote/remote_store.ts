/**
 * A bare repository of the program's own that holds what one ref of a remote names: a commit of a flat tree of files.
 * The user's repository is neither read nor written, and no setting of it is in force.
 */
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { checkOwnFolder, listOwnFolder, makeOwnFolder } from "../../base/files/own_folder.ts";
import type { GitOptions } from "../git.ts";
import { decode, Git, makeGitError, PROGRAM_IDENTITY, splitBatch, splitNul } from "../git.ts";
import { isObjectId } from "../store_files.ts";
import type { Repository } from "../repository.ts";
import type { RemoteLocation } from "./remote_location.ts";
import { makeRemoteError } from "./remote_location.ts";

/** A file of the tree. */
export interface StoredFile {
  readonly name: string;
  readonly oid: string;
  readonly sizeBytes: number;
}

/** How long the remote may take. */
export interface RemoteOptions {
  readonly signal?: AbortSignal;
  /** Default the limit of what is asked. */
  readonly timeoutMs?: number;
}

/** Keeps what was fetched last, so that git's garbage collection leaves it and the next fetch brings what is new. */
const KEPT_REF = "refs/heads/kept";
const INCOMING_REF = "refs/incoming/one";
const MAX_LISTING_BYTES = 8 * 1024 * 1024;
const LOOK_EVERY_MS = 500;

/** What no setting of the user may change here; packs are compressed already, and alike in nothing. */
const SETTINGS: RemoteLocation["settings"] = [
  ["core.compression", "0"],
  ["core.bigFileThreshold", "1"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["push.gpgSign", "false"],
  ["push.recurseSubmodules", "no"],
  // Names that lead out of a folder, and objects that are none, end the fetch.
  ["fetch.fsckObjects", "true"],
];

/** By what git connects to a remote; others start programs of their own. */
export const REMOTE_PROTOCOLS: readonly string[] = ["file", "git", "http", "https", "ssh"];

/** The program uses the network for a remote that a person named, and asks nobody for a password. */
export const REMOTE_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: REMOTE_PROTOCOLS.join(":"),
  SSH_ASKPASS_REQUIRE: "force",
};

/** A bare git directory of the program's own, which talks to remotes. */
export abstract class BareGit {
  protected readonly folder: string;
  readonly #git: Git;
  readonly #settings: RemoteLocation["settings"];

  /**
   * @param folder Absolute; nothing is made yet.
   * @param settings Settings of every command beside those of the place.
   */
  constructor(folder: string, settings: RemoteLocation["settings"]) {
    this.folder = folder;
    this.#git = new Git(folder);
    this.#settings = settings;
  }

  protected run(args: readonly string[], options: GitOptions = {}, more = NO_SETTINGS) {
    const env = { ...options.env, ...buildConfigVariables([...more, ...this.#settings]) };
    return this.#git.run(["--git-dir=.", ...args], { ...options, env });
  }

  protected async bytes(args: readonly string[], options: GitOptions = {}): Promise<Uint8Array> {
    const result = await this.run(args, options);
    if (result.code !== 0) throw makeGitError(args, result);
    return result.stdout;
  }

  protected async line(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return decode(await this.bytes(args, options)).trim();
  }

  /** Contents of files by their ids; null for one that is no file, or gone. Each has a line of its own before it. */
  protected async readBlobs(
    ids: readonly string[],
    maxBytes: number,
  ): Promise<readonly (Uint8Array | null)[]> {
    if (ids.length === 0) return [];
    const stdin = ids.map((id) => `${id}\n`).join("");
    const maxOutputBytes = maxBytes + 100 * ids.length;
    return splitBatch(
      await this.bytes(["cat-file", "--batch"], { stdin, maxOutputBytes }),
      ids.length,
    );
  }
}

const NO_SETTINGS: RemoteLocation["settings"] = [];

/** The repository in one folder. */
export class RemoteStore extends BareGit {
  /** @param folder absolute path; nothing is made before {@link RemoteStore.open}. */
  constructor(folder: string) {
    super(folder, SETTINGS);
  }

  /**
   * Makes the repository where there is none that can be used.
   *
   * @param format the hash of its object ids, which is that of the remote.
   * @throws {CodeIntelError} `own_path_refused`, `io_failed`, `git_failed`.
   */
  async open(format: Repository["objectFormat"] = "sha1"): Promise<void> {
    checkOwnFolder(this.folder);
    const info = await Deno.lstat(join(this.folder, "HEAD")).catch(() => null);
    const found = info === null ? null : await this.run(["rev-parse", "--show-object-format"]);
    if (found?.code === 0 && decode(found.stdout).trim() === format) return;
    // What a killed process left, or a damaged one: it holds nothing that cannot be fetched again.
    await Deno.remove(this.folder, { recursive: true }).catch(() => {});
    await makeOwnFolder(this.folder);
    await this.bytes([
      "init",
      "--quiet",
      "--bare",
      "--template=",
      `--object-format=${format}`,
      ".",
    ]);
  }

  /**
   * The commit that the remote has now; null where it has none.
   *
   * @throws {CodeIntelError} `remote_unusable`, `timed_out`, `cancelled`.
   */
  async readTip(
    place: RemoteLocation,
    ref: string,
    options: RemoteOptions = {},
  ): Promise<string | null> {
    if (place.isBundle && await Deno.lstat(place.url).catch(() => null) === null) return null;
    const args = ["ls-remote", "--quiet", "--refs", "--end-of-options", place.url, ref];
    const { code, stdout, stderr } = await this.#connect(place, args, {
      timeoutMs: LIMITS.shareLookMs.value,
      ...options,
    });
    if (code !== 0) throw makeRemoteError(place.named, extractGitMessage(stderr));
    for (const line of decode(stdout).split("\n")) {
      const [oid = "", name] = line.split("\t");
      if (name === ref && isObjectId(oid)) return oid;
    }
    return null;
  }

  /**
   * Fetches what a ref of the remote names, without its past. What was there before stays until {@link RemoteStore.keep}.
   *
   * @returns the commit.
   * @throws {CodeIntelError} `remote_unusable`, `timed_out`, `cancelled`.
   */
  async fetch(place: RemoteLocation, ref: string, options: RemoteOptions = {}): Promise<string> {
    using bound = this.#watchSize();
    const { signal } = options;
    const depth = place.isBundle ? [] : ["--depth=1"];
    const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", ...depth];
    const { code, stderr } = await this.#connect(
      place,
      [...args, "--end-of-options", place.url, `+${ref}:${INCOMING_REF}`],
      {
        timeoutMs: LIMITS.shareFetchMs.value,
        signal: signal === undefined ? bound.signal : AbortSignal.any([signal, bound.signal]),
      },
    ).catch((failure) => {
      throw bound.signal.aborted
        ? makeRemoteError(place.named, "it sends more than is taken")
        : failure;
    });
    if (code !== 0) throw makeRemoteError(place.named, extractGitMessage(stderr));
    return await this.line(["rev-parse", "--verify", `${INCOMING_REF}^{commit}`]);
  }

  /** Keeps a commit, and nothing else, until the next one is kept. */
  async keep(commit: string): Promise<void> {
    const stdin = `update ${KEPT_REF} ${commit}\ndelete ${INCOMING_REF}\n`;
    await this.bytes(["update-ref", "--stdin"], { stdin });
  }

  /** Whether a commit is there with all its files' names. */
  async holds(commit: string): Promise<boolean> {
    return (await this.run(["cat-file", "-e", `${commit}^{tree}`])).code === 0;
  }

  /** How often something was fetched since the last {@link RemoteStore.tidy}. */
  async countFetches(): Promise<number> {
    const names = await listOwnFolder(join(this.folder, "objects/pack")).catch(() => []);
    return names.filter(({ name }) => name.endsWith(".pack")).length;
  }

  /** Frees the space of what is no longer kept. */
  async tidy(): Promise<void> {
    await this.bytes(["repack", "-a", "-d", "--quiet", "--window=0"], {
      timeoutMs: LIMITS.shareFetchMs.value,
    });
    await this.bytes(["prune", "--expire=now"], { timeoutMs: LIMITS.shareFetchMs.value });
  }

  /**
   * The files of a commit; folders, links and whatever else is no file are left out.
   *
   * @throws {CodeIntelError} `git_failed`.
   */
  async list(commit: string): Promise<readonly StoredFile[]> {
    const args = ["ls-tree", "-l", "-z", "--full-tree", commit];
    const output = await this.bytes(args, { maxOutputBytes: MAX_LISTING_BYTES });
    return splitNul(output).flatMap((row) => {
      const match = /^100644 blob ([0-9a-f]+) +(\d+)\t([\w.-]+)$/.exec(row);
      const [, oid = "", size = "", name = ""] = match ?? [];
      return match === null ? [] : [{ name, oid, sizeBytes: Number(size) }];
    });
  }

  /**
   * The bytes of files, in their order; null for one that is gone.
   *
   * @throws {CodeIntelError} `git_failed`.
   */
  async read(oids: readonly string[], maxBytes: number): Promise<readonly (Uint8Array | null)[]> {
    return await this.readBlobs(oids, maxBytes);
  }

  /** Stores a file and answers its id. */
  async write(bytes: Uint8Array): Promise<string> {
    return await this.line(["hash-object", "-w", "--stdin"], { stdin: bytes });
  }

  /**
   * Makes a commit of files.
   *
   * @param parent the commit before it; null for one that forgets the past.
   */
  async commit(
    files: readonly Pick<StoredFile, "name" | "oid">[],
    { parent, message }: { readonly parent: string | null; readonly message: string },
  ): Promise<string> {
    const rows = files.map(({ name, oid }) => `100644 blob ${oid}\t${name}\0`);
    const tree = await this.line(["mktree", "-z"], { stdin: rows.join("") });
    const parents = parent === null ? [] : ["-p", parent];
    const args = ["commit-tree", "--no-gpg-sign", ...parents, "-m", message, tree];
    return await this.line(args, { env: PROGRAM_IDENTITY });
  }

  /**
   * Moves the ref of the remote from `old` (null: it is not there) to a commit.
   *
   * @returns false where another one moved it meanwhile.
   * @throws {CodeIntelError} `remote_unusable`, `timed_out`, `cancelled`.
   */
  async push(
    place: RemoteLocation,
    ref: string,
    move: { readonly old: string | null; readonly commit: string },
    options: RemoteOptions = {},
  ): Promise<boolean> {
    const args = [
      "push",
      "--quiet",
      "--no-verify",
      `--force-with-lease=${ref}:${move.old ?? ""}`,
      "--end-of-options",
      place.pushUrl,
      `${move.commit}:${ref}`,
    ];
    const { code, stderr } = await this.#connect(place, args, {
      timeoutMs: LIMITS.shareFetchMs.value,
      ...options,
    });
    if (code === 0) return true;
    if (LOST.test(stderr)) return false;
    throw makeRemoteError(place.named, extractGitMessage(stderr));
  }

  /** Writes a commit as a bundle file with a ref. */
  async writeBundle(path: string, ref: string, commit: string): Promise<void> {
    await this.bytes(["update-ref", ref, commit]);
    try {
      await this.bytes(["bundle", "create", "--quiet", path, ref], {
        timeoutMs: LIMITS.shareFetchMs.value,
      });
    } finally {
      await this.bytes(["update-ref", "-d", ref]);
    }
  }

  /** Ends a fetch that brings more than is taken. */
  #watchSize(): Disposable & { readonly signal: AbortSignal } {
    const end = new AbortController();
    const folder = join(this.folder, "objects/pack");
    const timer = setInterval(async () => {
      if (await readSize(folder) > LIMITS.shareBytes.value) end.abort();
    }, LOOK_EVERY_MS);
    return { signal: end.signal, [Symbol.dispose]: () => clearInterval(timer) };
  }

  async #connect(
    { named, settings }: RemoteLocation,
    args: readonly string[],
    options: GitOptions,
  ) {
    try {
      return await this.run(args, { ...options, env: REMOTE_ENVIRONMENT }, settings);
    } catch (failure) {
      if (!(failure instanceof CodeIntelError) || failure.code !== "timed_out") throw failure;
      throw new CodeIntelError("timed_out", `The remote "${named}" did not answer in time`, {
        hint:
          "Look whether the network and the remote are up (`git ls-remote` asks it alone), and run the command again; the index works without it.",
        cause: failure,
      });
    }
  }
}

/** Settings as variables of the environment, after those that the user gave in the same way. */
export function buildConfigVariables(settings: RemoteLocation["settings"]): Record<string, string> {
  const first = Number(Deno.env.get("GIT_CONFIG_COUNT") ?? "0") || 0;
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: `${first + settings.length}` };
  settings.forEach(([key, value], at) => {
    variables[`GIT_CONFIG_KEY_${first + at}`] = key;
    variables[`GIT_CONFIG_VALUE_${first + at}`] = value;
  });
  return variables;
}

/** What git says where the ref was not what it was expected to be. */
const LOST =
  /stale info|cannot lock ref|reference already exists|failed to update ref|fetch first|non-fast-forward \(|incorrect old value/;

/** What git said of a failure, in one line. A remote may say anything: control characters become spaces. */
export function extractGitMessage(stderr: string): string {
  const lines = stderr.split("\n").map((line) =>
    line.replaceAll(/\p{Cc}+/gu, " ").replace(/^(?:fatal|error|remote): */, "").trim()
  )
    .filter((line) => line !== "" && !/^Please make sure|^and the repository exists/.test(line));
  return lines.join("; ").slice(0, 500) || "git says nothing of why";
}

async function readSize(folder: string): Promise<number> {
  let size = 0;
  try {
    for (const { name } of await listOwnFolder(folder)) {
      size += (await Deno.lstat(join(folder, name)).catch(() => null))?.size ?? 0;
    }
  } catch {
    // It is not there before the first fetch.
  }
  return size;
}

/** Whether an error says that a remote cannot be used now. */
export function isRemoteFailure(failure: unknown): failure is CodeIntelError {
  return failure instanceof CodeIntelError &&
    ["remote_unusable", "timed_out", "git_missing", "git_too_old"].includes(failure.code);
}
