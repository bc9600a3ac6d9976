/** What is shared of a project: where, by the configuration or the command, and what is done with it. */
import { CodeIntelError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { VERSION } from "../base/version.ts";
import type { OpenRepo, Repository } from "../git/mod.ts";
import { findRemote, toUnusable } from "../git/mod.ts";
import type { CodeIndex } from "../index/mod.ts";
import { Committed } from "./committed.ts";
import type { PullReport, SharePlace } from "./pull.ts";
import { isPullDue, pullShared, toShareRef } from "./pull.ts";
import type { PushReport } from "./push.ts";
import { pushShared } from "./push.ts";
import type { ShareFolder } from "./share_folder.ts";
import type { ShareState } from "./share_state.ts";
import { toRefused } from "./share_state.ts";
import type { PackList } from "./shared_packs.ts";
import { loadPackList, NO_PACKS, toText } from "./shared_packs.ts";

/** What the configuration says. */
export interface ShareSettings {
  /** A remote of the repository; where {@link ShareSettings.isPersonal} holds, a URL, folder or bundle file too. Null: nothing is shared. */
  readonly remote: string | null;
  /** Whether the person of this machine said so, and not a file that came with the project. */
  readonly isPersonal: boolean;
}

/** What sharing works with. */
export interface ShareDeps {
  readonly projectRoot: string;
  readonly folder: () => Promise<ShareFolder>;
  readonly openRepo: OpenRepo;
  readonly loadSettings: () => Promise<ShareSettings>;
  readonly index: Pick<CodeIndex, "listContents" | "readRecords" | "meaning">;
  /** Told in one sentence why nothing could be pulled behind the work. */
  readonly onNotice: (notice: string) => void;
  readonly nowMs: () => number;
}

/** How a command is done. */
export interface ShareOptions {
  /** The remote that the person named; undefined: that of the configuration. */
  readonly remote?: string | undefined;
  /** The command that the person typed, which failures name; default that of the call. */
  readonly command?: "pull" | "push";
  readonly signal: AbortSignal;
}

/** What there is. */
export interface ShareStatus extends ShareState {
  /** The remote of the configuration; null without one. */
  readonly configured: string | null;
  readonly packs: number;
  /** Bytes of the packs. */
  readonly sizeBytes: number;
  readonly records: number;
}

/** What is shared of one project. */
export interface Share {
  /**
   * Brings what the remote shares.
   *
   * @throws {CodeIntelError} `remote_unusable`, `timed_out`, `cancelled`, `busy`.
   */
  pull(options: ShareOptions): Promise<PullReport>;
  /** The same where the configuration wants it and it is due; never fails, and says nothing where the remote is out of reach. */
  pullWhenDue(signal: AbortSignal): Promise<void>;
  /**
   * Gives what the index has and the remote lacks.
   *
   * @throws as {@link Share.pull}.
   */
  push(options: ShareOptions): Promise<PushReport>;
  /** What is known of it on this machine; asks no remote. */
  readStatus(): Promise<ShareStatus>;
  /** How many contents of the worktree are shared, and how many there are. */
  countShared(): Promise<{ readonly shared: number; readonly contents: number }>;
}

const LOCK_WAIT_MS = LIMITS.shareFetchMs.value;

/** Makes it; nothing is opened before the first call. */
export function createShare(deps: ShareDeps): Share {
  return new ProjectShare(deps);
}

class ProjectShare implements Share {
  readonly #deps: ShareDeps;

  constructor(deps: ShareDeps) {
    this.#deps = deps;
  }

  async pull({ remote, signal, command = "pull" }: ShareOptions): Promise<PullReport> {
    const place = await this.#findPlace(remote, command);
    const folder = await this.#deps.folder();
    const { nowMs } = this.#deps;
    return await folder.withLock(LOCK_WAIT_MS, () => pullShared(folder, place, { signal, nowMs }));
  }

  async pullWhenDue(signal: AbortSignal): Promise<void> {
    const { loadSettings, nowMs, onNotice } = this.#deps;
    try {
      if ((await loadSettings()).remote === null) return;
      if (isPullDue(await this.#deps.folder(), nowMs())) await this.pull({ signal });
    } catch (failure) {
      if (!(failure instanceof CodeIntelError)) throw failure;
      // It is told by `share status` and `doctor`; being offline is no news.
      if (EXPECTED.includes(failure.code)) return;
      onNotice(`What is shared could not be pulled: ${failure.message}`);
    }
  }

  async push({ remote, signal }: ShareOptions): Promise<PushReport> {
    const place = await this.#findPlace(remote, "push");
    const { index, nowMs, openRepo, projectRoot } = this.#deps;
    const folder = await this.#deps.folder();
    const repo = await openRepo();
    const committed = new Committed({ repo, projectRoot, nowMs });
    const options = { index, committed, maker: await readMaker(repo), signal, nowMs };
    return await folder.withLock(LOCK_WAIT_MS, () => pushShared(folder, place, options));
  }

  async readStatus(): Promise<ShareStatus> {
    const folder = await this.#deps.folder();
    const state = folder.readState();
    const configured = (await this.#deps.loadSettings()).remote;
    const list = await loadList(folder);
    const { packs } = list;
    const sizeBytes = packs.reduce((sum, one) => sum + one.keys.sizeBytes + one.pack.sizeBytes, 0);
    const refused = toRefused(state);
    return {
      ...state,
      refused,
      configured,
      packs: packs.length,
      sizeBytes,
      records: list.places.size,
    };
  }

  async countShared(): Promise<{ readonly shared: number; readonly contents: number }> {
    const { places } = await loadList(await this.#deps.folder());
    const held = await this.#deps.index.listContents();
    const shared = held.filter((content) => places.has(toText(content))).length;
    return { shared, contents: held.length };
  }

  async #findPlace(named: string | undefined, deed: "pull" | "push"): Promise<SharePlace> {
    const { loadSettings, openRepo, projectRoot } = this.#deps;
    const settings = await loadSettings();
    const remote = named ?? settings.remote;
    if (remote === null) {
      throw new CodeIntelError("remote_unusable", "Cannot share anything: no remote is named", {
        hint:
          `Name one: \`code-intel share ${deed} origin\`, or set \`share_remote\` in .code-intel/config.json.`,
      });
    }
    const repo = await openRepo();
    const place = await findRemote(repo, remote, { base: projectRoot });
    if (!place.isOwn && named === undefined && !settings.isPersonal) {
      // A file that came with a clone must not make this machine talk to anybody.
      throw toUnusable(
        remote,
        "config.json may only name a remote of the repository; another one is named by CODE_INTEL_SHARE_REMOTE",
      );
    }
    const project = place.isOwn ? "project" : await toProjectName(repo, projectRoot);
    return { ...place, ref: toShareRef(project) };
  }
}

/** Failures of a remote that is out of reach. */
const EXPECTED: readonly string[] = ["remote_unusable", "timed_out", "cancelled", "busy"];

/** The packs that this machine has. */
async function loadList(folder: ShareFolder): Promise<PackList> {
  const { tip } = folder.readState();
  if (tip === null || !await folder.store.holds(tip)) return NO_PACKS;
  return (await loadPackList(folder, tip)).list;
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

const MAX_MAKER_CHARS = 80;

async function readMaker(repo: Repository | null): Promise<string> {
  const person = await repo?.git.lineOrNull(["config", "--get", "user.name"]) ?? null;
  const name = (person ?? "somebody").replaceAll(/\s+/g, " ").slice(0, MAX_MAKER_CHARS);
  return `code-intel ${VERSION}, ${name}`;
}
