/**
 * Remembers what a person allowed for a repository: which commands may run, and which of its texts
 * may guide agents. Also which enforcement mode they confirmed. The file is sealed and in the
 * user's state folder, so that no repository can allow itself anything.
 */
import { createHash } from "node:crypto";
import { formatCanonicalJson } from "../../base/text/json_record.ts";
import type { ProjectConfig } from "../../base/settings/config_keys.ts";
import type { RunEnvironment } from "./run_environment.ts";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { CodeIntelError, makeIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { withLock } from "../../base/processes/lock_file.ts";
import type { Seal } from "../../base/files/seal.ts";
import type { Repository } from "../../git/repository.ts";
import { readSealedJson, writeSealedJson } from "./sealed_json.ts";
import type { CommandsUnderTrust } from "./trusted_commands.ts";

/** One text that guides agents. */
export interface GuidingText {
  /** The file that it stands in, relative to the project. */
  readonly path: string;
  /** The key in that file; empty for a whole file. */
  readonly name: string;
  readonly text: string;
}

/** SHA-256 of a text and its place; line ends count alike, because git may change them. */
export function hashGuidingText({ path, name, text }: GuidingText): string {
  const plain = text.replaceAll("\r\n", "\n");
  return createHash("sha256").update(formatCanonicalJson({ path, name, text: plain })).digest(
    "hex",
  );
}

/**
 * How the user answered: in a form of the server, or at a terminal. An agent's claim that the
 * user said so is not enough.
 */
export type TrustSource = "asked" | "terminal";

/** How strictly the ledger's findings are enforced. */
export type EnforcementMode = ProjectConfig["enforcement"];

/** Commands that a person allowed. */
export interface TrustEntry {
  /** Key of the repository, from {@link findRepositoryKey}. */
  readonly repository: string;
  /** Hash of the commands and the texts behind them. */
  readonly hash: string;
  readonly by: TrustSource;
  /** ISO time of the decision. */
  readonly at: string;
  /** The commands that the user was shown. */
  readonly commands: readonly { readonly name: string; readonly run: readonly string[] }[];
  /** Programs and variables of that moment; absent in older entries. */
  readonly surroundings?: RunEnvironment;
}

/** A mode that a person confirmed for a repository. */
export interface ConfirmedMode {
  readonly repository: string;
  readonly mode: EnforcementMode;
  readonly by: TrustSource;
  /** ISO time of the decision. */
  readonly at: string;
}

/** A decision in the name of the user that no start of a session has reported yet. */
export interface UnreportedDecision {
  readonly repository: string;
  /** What was allowed, in words. */
  readonly what: string;
  readonly by: TrustSource;
  /** ISO time of the decision. */
  readonly at: string;
}

/** A text of a repository that may guide agents there. */
export interface TrustedText {
  readonly repository: string;
  /** Hash of the text and its place. */
  readonly hash: string;
  readonly path: string;
  readonly name: string;
  /** Who allowed it; `update_context` where an agent of this machine wrote it by that tool. */
  readonly by: TrustSource | "update_context";
  /** ISO time of the decision. */
  readonly at: string;
}

/** All decisions of the user, oldest first. */
export interface TrustList {
  readonly entries: readonly TrustEntry[];
  readonly texts: readonly TrustedText[];
  /** Each holds for the next session alone. */
  readonly modes: readonly ConfirmedMode[];
  readonly untold: readonly UnreportedDecision[];
}

/** What the store needs. */
export interface TrustStoreOptions {
  /** The user's state folder; null without a home folder: then nothing is trusted. */
  readonly stateDir: string | null;
  readonly seal: Seal;
  readonly clock: Clock;
}

const FORMAT = 1;
/** Most decisions kept of one repository: its branches may have different scripts (guessed). */
const MAX_ENTRIES_OF_REPOSITORY = 20;
/** Most texts kept of one repository: its branches may have different ones (guessed). */
const MAX_TEXTS_OF_REPOSITORY = 500;
const NOTHING: TrustList = { entries: [], texts: [], modes: [], untold: [] };

/**
 * The key of a repository: its shared git folder, so that its worktrees ask once; without git the
 * project folder.
 */
export async function findRepositoryKey(
  projectRoot: string,
  repo: Pick<Repository, "commonDir"> | null,
): Promise<string> {
  const path = repo?.commonDir ?? projectRoot;
  return await Deno.realPath(path).catch((cause) => {
    throw makeIoError(`find "${path}"`, cause);
  });
}

/** The decisions of the user about repositories; nothing is read before the first question. */
export class TrustStore {
  readonly #options: TrustStoreOptions;

  constructor(options: TrustStoreOptions) {
    this.#options = options;
  }

  /** Whether exactly these commands, with exactly these texts behind them, were allowed. */
  async isTrusted(repository: string, hash: string): Promise<boolean> {
    const { entries } = await this.list();
    return entries.some((entry) => entry.repository === repository && entry.hash === hash);
  }

  /** @throws {CodeIntelError} `io_failed` without a state folder or a key, `busy`, `disk_full`. */
  async trust(
    repository: string,
    { hash, commands, surroundings }: CommandsUnderTrust & Pick<TrustEntry, "surroundings">,
    by: TrustSource,
  ): Promise<TrustEntry> {
    const entry: TrustEntry = {
      repository,
      hash,
      by,
      at: this.#now(),
      commands: commands.map(({ name, run }) => ({ name, run })),
      ...(surroundings === undefined ? {} : { surroundings }),
    };
    const names = entry.commands.map(({ name, run }) => `${name} (${run.join(" ")})`).join(", ");
    const word = { repository, what: `may run: ${names}`, by, at: entry.at };
    await this.#change(({ entries, untold }) => ({
      entries: addRows(entries, [entry], MAX_ENTRIES_OF_REPOSITORY),
      untold: [...untold, word],
    }));
    return entry;
  }

  /** Which of the texts were allowed with exactly this content, in their order. */
  async areTextsTrusted(
    repository: string,
    texts: readonly GuidingText[],
  ): Promise<readonly boolean[]> {
    const own = (await this.list()).texts.filter((row) => row.repository === repository);
    const known = new Set(own.map(({ hash }) => hash));
    return texts.map((text) => known.has(hashGuidingText(text)));
  }

  /** @throws {CodeIntelError} as {@link TrustStore.trust}. */
  async trustTexts(
    repository: string,
    texts: readonly GuidingText[],
    by: TrustedText["by"],
  ): Promise<void> {
    const at = this.#now();
    const rows = texts.map((text): TrustedText => {
      const { path, name } = text;
      return { repository, hash: hashGuidingText(text), path, name, by, at };
    });
    const places = rows.map(({ path, name }) => name === "" ? path : `${path} (${name})`);
    const what = `may guide agents: ${places.join(", ")}`;
    // What an agent stored by a tool is no decision of the user.
    const words = by === "update_context" ? [] : [{ repository, what, by, at }];
    await this.#change(({ texts: known, untold }) => ({
      texts: addRows(known, rows, MAX_TEXTS_OF_REPOSITORY),
      untold: [...untold, ...words],
    }));
  }

  /** Withdraws every decision about a repository; returns how many there were. */
  async revoke(repository: string): Promise<number> {
    let count = 0;
    await this.#change(({ entries, texts, modes }) => {
      const isOther = (row: { readonly repository: string }) => row.repository !== repository;
      count = [...entries, ...texts, ...modes].filter((row) => !isOther(row)).length;
      return {
        entries: entries.filter(isOther),
        texts: texts.filter(isOther),
        modes: modes.filter(isOther),
      };
    });
    return count;
  }

  /** All decisions. */
  async list(): Promise<TrustList> {
    const { stateDir, seal } = this.#options;
    if (stateDir === null) return NOTHING;
    const found = await readSealedJson(buildTrustPath(stateDir), seal);
    if (found.kind !== "whole" || found.value["format"] !== FORMAT) return NOTHING;
    const { format: _, ...list } = found.value;
    return { ...NOTHING, ...list };
  }

  /** @throws {CodeIntelError} as {@link TrustStore.trust}. */
  async confirmMode(repository: string, mode: EnforcementMode, by: TrustSource): Promise<void> {
    const at = this.#now();
    const what = `the mode ${mode} for the next session`;
    await this.#change(({ modes, untold }) => ({
      modes: [
        ...modes.filter((known) => known.repository !== repository),
        { repository, mode, by, at },
      ],
      untold: [...untold, { repository, what, by, at }],
    }));
  }

  /** The confirmed mode; null where none was, which means `strict`. */
  async readConfirmedMode(repository: string): Promise<EnforcementMode | null> {
    const { modes } = await this.list();
    return modes.find((known) => known.repository === repository)?.mode ?? null;
  }

  /** Takes the word for a mode back, because a session begins by it. */
  async useMode(repository: string): Promise<void> {
    await this.#change(({ modes }) => ({
      modes: modes.filter((known) => known.repository !== repository),
    }));
  }

  /**
   * Keeps what was allowed until the next start tells it, so that a person sees a word that was not theirs.
   *
   * @throws {CodeIntelError} as {@link TrustStore.trust}.
   */
  async noteWord(repository: string, what: string, by: TrustSource): Promise<void> {
    const at = this.#now();
    await this.#change(({ untold }) => ({ untold: [...untold, { repository, what, by, at }] }));
  }

  /** What was allowed since the last start that asked, oldest first; it is reported once. */
  async takeWords(repository: string): Promise<readonly UnreportedDecision[]> {
    const isOwn = (word: UnreportedDecision) => word.repository === repository;
    const known = (await this.list()).untold.filter(isOwn);
    if (known.length > 0) {
      await this.#change(({ untold }) => ({ untold: untold.filter((word) => !isOwn(word)) }));
    }
    return known;
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }

  async #change(change: (list: TrustList) => Partial<TrustList>): Promise<void> {
    const { stateDir, seal } = this.#options;
    const notice = await seal.readNotice();
    if (stateDir === null || notice !== null) {
      throw new CodeIntelError(
        "io_failed",
        `Cannot remember trust: ${notice ?? "no home folder"}`,
        { hint: "Set HOME, or CODE_INTEL_STATE_DIR to a folder that can be written." },
      );
    }
    const options = { timeoutMs: LIMITS.lockWaitMs.value, below: stateDir };
    await withLock(join(stateDir, "trust.lock"), options, async () => {
      const known = await this.list();
      const list = { format: FORMAT, ...known, ...change(known) };
      await writeSealedJson(buildTrustPath(stateDir), list, { seal, below: stateDir });
    });
  }
}

/** The rows with new ones at their end, each content once; of one repository the newest ones are kept. */
function addRows<T extends { readonly repository: string; readonly hash: string }>(
  known: readonly T[],
  added: readonly T[],
  most: number,
): readonly T[] {
  const repository = added[0]?.repository;
  const hashes = new Set(added.map(({ hash }) => hash));
  const own = known.filter((row) => row.repository === repository && !hashes.has(row.hash));
  const others = known.filter((row) => row.repository !== repository);
  return [...others, ...[...own, ...added].slice(-most)];
}

function buildTrustPath(stateDir: string): string {
  return join(stateDir, "trust.json");
}
