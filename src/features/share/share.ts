/**
 * What is shared of a project, and where. A user names the remote on the command line or in a
 * variable; else the configuration names it. The configuration came with the project, so it may
 * only name a remote of the repository.
 */
import { CodeIntelError } from "../../base/errors.ts";
import type { Repository } from "../../git/repository.ts";
import type { OpenRepo } from "../../git/private_repository.ts";
import { findRemote } from "../../git/remote/remote_location.ts";
import { REMOTE_PROTOCOLS } from "../../git/remote/remote_store.ts";
import type { PullReport, SharePlace } from "./pull.ts";
import { isPullDue, nameShareRef, pullShared } from "./pull.ts";
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import type { CodeIndex } from "../../index/index_api.ts";
import { toIndexDir } from "../../services/project_files.ts";
import type { SharedRecords } from "../../index/seen_runs.ts";
import type { ProjectParts, Services } from "../../services/services_api.ts";
import { ShareFolder } from "./share_folder.ts";
import type { PackList } from "./shared_packs.ts";
import {
  ANALYSES,
  isRead,
  keyOfRecord,
  loadPackList,
  NO_PACKS,
  RUNS,
  SharedPacks,
} from "./shared_packs.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { VERSION } from "../../base/version.ts";
import { Committed } from "./committed.ts";
import type { PushReport } from "./push.ts";
import { pushShared } from "./push.ts";
import type { ShareState } from "./share_state.ts";
import { joinRefused } from "./share_state.ts";
import type { TreePack } from "./share_tree.ts";

/** What the configuration says. */
export interface ShareSettings {
  /** A remote of the repository; where {@link ShareSettings.isPersonal} holds, a URL, folder or bundle file too. Null: nothing is shared. */
  readonly remote: string | null;
  /** Whether the user of this machine said so, and not a file that came with the project. */
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
 * @param named what the user named; undefined: that of the configuration.
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
  return { ...place, ref: nameShareRef(project) };
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

/** Makes it; nothing is opened before the first call. */
export function openShare(
  { parts, index, openSharedRecords: openRecords }: Pick<
    Services,
    "parts" | "index" | "openSharedRecords"
  >,
): Share {
  const { projectRoot, openRepo, settings, logger } = parts;
  return createShare({
    ...{ projectRoot, index, openRepo, openRecords },
    folder: () => openFolder(parts),
    loadSettings: async () => {
      const { values, overrides } = (await settings.read()).config;
      const { share_remote: remote } = values;
      const isPersonal = overrides.some(({ key }) => key === "share_remote");
      return { remote: remote === "" ? null : remote, isPersonal };
    },
    onNotice: (notice) => logger.note(notice),
    nowMs: () => SYSTEM_CLOCK.now().getTime(),
  });
}

/** The analyses that this machine has of others. */
export async function openShared(parts: ProjectParts): Promise<SharedPacks> {
  const { logger } = parts;
  return new SharedPacks(await openFolder(parts), { onNotice: (notice) => logger.note(notice) });
}

async function openFolder(parts: ProjectParts): Promise<ShareFolder> {
  return new ShareFolder(toIndexDir(await parts.openRepo(), parts));
}

/** What sharing works with. */
export interface ShareDeps {
  readonly projectRoot: string;
  readonly folder: () => Promise<ShareFolder>;
  readonly openRepo: OpenRepo;
  readonly loadSettings: () => Promise<ShareSettings>;
  readonly index: Pick<CodeIndex, "listContents" | "readRecords" | "meaning">;
  /** Runs of the tests; null where nothing records them. */
  readonly openRecords?: () => Promise<SharedRecords | null>;
  /** Called with one sentence that says why nothing could be pulled behind the work. */
  readonly onNotice: (notice: string) => void;
  readonly nowMs: () => number;
}

/** How a command is done. */
export interface ShareOptions {
  /** The remote that the user named; undefined: that of the configuration. */
  readonly remote?: string | undefined;
  /** The command that the user typed, which failures name; default that of the call. */
  readonly command?: "pull" | "push";
  readonly signal: AbortSignal;
}

/** What there is. */
export interface ShareStatus extends ShareState {
  /** The remote of the configuration; null without one. */
  readonly configured: string | null;
  /** Why that one can never be used as it is named; null where nothing is known to be wrong. */
  readonly fault: ShareFault | null;
  /** Packs that this version of the program reads. */
  readonly packs: number;
  /** Bytes of these packs. */
  readonly sizeBytes: number;
  /** Analyses in them. */
  readonly records: number;
  /** Vectors in them, of whatever model. */
  readonly vectors: number;
  /** Recorded runs of the tests in them. */
  readonly runs: number;
  /** Packs that it does not read, because another version made them. */
  readonly others: readonly OtherPacks[];
}

/** Packs of one kind that this version of the program does not read. */
export interface OtherPacks {
  /** `analysis-23`: what is in them, and by which version of the analyser. */
  readonly kind: string;
  readonly packs: number;
  readonly sizeBytes: number;
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
    const { nowMs, onNotice } = this.#deps;
    const options = { signal, nowMs };
    const report = await folder.withLock(LOCK_WAIT_MS, () => pullShared(folder, place, options));
    const records = await this.#openRecords();
    if (records !== null) await new SharedPacks(folder, { onNotice }).handOver(records);
    return report;
  }

  async pullWhenDue(signal: AbortSignal): Promise<void> {
    const { loadSettings, nowMs, onNotice } = this.#deps;
    try {
      if ((await loadSettings()).remote === null) return;
      if (isPullDue(await this.#deps.folder(), nowMs())) await this.pull({ signal });
    } catch (failure) {
      if (!(failure instanceof CodeIntelError)) throw failure;
      // It is reported by `share status` and `doctor`; being offline is no news.
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
    const records = await this.#openRecords();
    const options = { index, committed, records, maker: await readMaker(repo), signal, nowMs };
    return await folder.withLock(LOCK_WAIT_MS, () => pushShared(folder, place, options));
  }

  async readStatus(): Promise<ShareStatus> {
    const folder = await this.#deps.folder();
    const state = folder.readState();
    const parts = await this.#toParts();
    const configured = parts.settings.remote;
    const fault = await findShareFault(parts);
    const list = await loadList(folder);
    const packs = list.packs.filter(({ kind }) => isRead(kind));
    const places = [...list.places.values()];
    const count = (kind: string) => places.filter(({ pack }) => pack.kind === kind).length;
    const [records, runs] = [count(ANALYSES), count(RUNS)];
    return {
      ...state,
      refused: joinRefused(state),
      configured,
      fault,
      packs: packs.length,
      sizeBytes: sumSizes(packs),
      records,
      runs,
      vectors: places.length - records - runs,
      others: groupOthers(list.packs.filter(({ kind }) => !isRead(kind))),
    };
  }

  async countShared(): Promise<{ readonly shared: number; readonly contents: number }> {
    const { places } = await loadList(await this.#deps.folder());
    const held = await this.#deps.index.listContents();
    const shared = held.filter((content) => places.has(keyOfRecord(content))).length;
    return { shared, contents: held.length };
  }

  async #openRecords(): Promise<SharedRecords | null> {
    return await this.#deps.openRecords?.() ?? null;
  }

  async #findPlace(named: string | undefined, command: "pull" | "push"): Promise<SharePlace> {
    return await findSharePlace(named, await this.#toParts(), { command });
  }

  async #toParts(): Promise<PlaceParts> {
    const { loadSettings, openRepo, projectRoot } = this.#deps;
    return { projectRoot, openRepo, settings: await loadSettings() };
  }
}

function groupOthers(packs: readonly TreePack[]): readonly OtherPacks[] {
  return [...Map.groupBy(packs, ({ kind }) => kind)]
    .map(([kind, own]) => ({ kind, packs: own.length, sizeBytes: sumSizes(own) }))
    .sort((a, b) => a.kind < b.kind ? -1 : 1);
}

function sumSizes(packs: readonly TreePack[]): number {
  return packs.reduce((sum, one) => sum + one.keys.sizeBytes + one.pack.sizeBytes, 0);
}

/** Failures of a remote that is out of reach. */
const EXPECTED: readonly string[] = ["remote_unusable", "timed_out", "cancelled", "busy"];

/** The packs that this machine has. */
async function loadList(folder: ShareFolder): Promise<PackList> {
  const { tip } = folder.readState();
  if (tip === null || !await folder.store.holds(tip)) return NO_PACKS;
  return (await loadPackList(folder, tip)).list;
}

const MAX_MAKER_CHARS = 80;

async function readMaker(repo: Repository | null): Promise<string> {
  const person = await repo?.git.lineOrNull(["config", "--get", "user.name"]) ?? null;
  const name = (person ?? "somebody").replaceAll(/\s+/g, " ").slice(0, MAX_MAKER_CHARS);
  return `code-intel ${VERSION}, ${name}`;
}
