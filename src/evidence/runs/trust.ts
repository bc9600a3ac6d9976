/**
 * Remembers which commands of which repository a person allowed to run, which of its texts may guide agents, and which
 * enforcement mode they confirmed. The file is sealed and in the user's state folder, so that no repository can
 * allow itself anything.
 */
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { CodeIntelError, toIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { withLock } from "../../base/processes/lock_file.ts";
import type { Seal } from "../../base/files/seal.ts";
import type { Repository } from "../../git/repository.ts";
import type { GuidingText } from "./guiding_text.ts";
import { hashGuidingText } from "./guiding_text.ts";
import { readSealedJson, writeSealedJson } from "./sealed_json.ts";
import type {
  EnforcementMode,
  TrustedText,
  TrustEntry,
  TrustList,
  TrustSource,
  UntoldWord,
} from "./trust_list.ts";
import type { CommandsUnderTrust } from "./trusted_commands.ts";

/** The decisions of the user about repositories. */
export interface TrustStore {
  /** Whether exactly these commands, with exactly these texts behind them, were allowed. */
  isTrusted(repository: string, hash: string): Promise<boolean>;
  /** @throws {CodeIntelError} `io_failed` without a state folder or a key, `busy`, `disk_full`. */
  trust(
    repository: string,
    given: CommandsUnderTrust & Pick<TrustEntry, "surroundings">,
    by: TrustSource,
  ): Promise<TrustEntry>;
  /** Which of the texts were allowed with exactly this content, in their order. */
  areTextsTrusted(repository: string, texts: readonly GuidingText[]): Promise<readonly boolean[]>;
  /** @throws {CodeIntelError} as {@link TrustStore.trust}. */
  trustTexts(
    repository: string,
    texts: readonly GuidingText[],
    by: TrustedText["by"],
  ): Promise<void>;
  /** Withdraws every decision about a repository; returns how many there were. */
  revoke(repository: string): Promise<number>;
  list(): Promise<TrustList>;
  /** @throws {CodeIntelError} as {@link TrustStore.trust}. */
  confirmMode(repository: string, mode: EnforcementMode, by: TrustSource): Promise<void>;
  /** The confirmed mode; null where none was, which means `strict`. */
  readConfirmedMode(repository: string): Promise<EnforcementMode | null>;
  /** Takes the word for a mode back, because a session begins by it. */
  useMode(repository: string): Promise<void>;
  /**
   * Keeps what was allowed until the next start tells it, so that a person sees a word that was not theirs.
   *
   * @throws {CodeIntelError} as {@link TrustStore.trust}.
   */
  noteWord(repository: string, what: string, by: TrustSource): Promise<void>;
  /** What was allowed since the last start that asked, oldest first; it is told once. */
  takeWords(repository: string): Promise<readonly UntoldWord[]>;
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

/** Makes the store; nothing is read before the first question. */
export function createTrustStore(options: TrustStoreOptions): TrustStore {
  return new FileTrustStore(options);
}

/**
 * The key of a repository: its shared git folder, so that its worktrees ask once; without git the
 * project folder.
 */
export async function toRepositoryKey(
  projectRoot: string,
  repo: Pick<Repository, "commonDir"> | null,
): Promise<string> {
  const path = repo?.commonDir ?? projectRoot;
  return await Deno.realPath(path).catch((cause) => {
    throw toIoError(`find "${path}"`, cause);
  });
}

class FileTrustStore implements TrustStore {
  readonly #options: TrustStoreOptions;

  constructor(options: TrustStoreOptions) {
    this.#options = options;
  }

  async isTrusted(repository: string, hash: string): Promise<boolean> {
    const { entries } = await this.list();
    return entries.some((entry) => entry.repository === repository && entry.hash === hash);
  }

  async trust(
    repository: string,
    { hash, commands, surroundings }: CommandsUnderTrust & Pick<TrustEntry, "surroundings">,
    by: TrustSource,
  ): Promise<TrustEntry> {
    const entry: TrustEntry = {
      repository,
      hash,
      by,
      at: this.#options.clock.now().toISOString(),
      commands: commands.map(({ name, run }) => ({ name, run })),
      ...(surroundings === undefined ? {} : { surroundings }),
    };
    const names = entry.commands.map(({ name, run }) => `${name} (${run.join(" ")})`).join(", ");
    const word = { repository, what: `may run: ${names}`, by, at: entry.at };
    await this.#change(({ entries, untold = [], ...rest }) => {
      const kept = addRows(entries, [entry], MAX_ENTRIES_OF_REPOSITORY);
      return { ...rest, entries: kept, untold: [...untold, word] };
    });
    return entry;
  }

  async areTextsTrusted(
    repository: string,
    texts: readonly GuidingText[],
  ): Promise<readonly boolean[]> {
    const { texts: rows = [] } = await this.list();
    const own = rows.filter((row) => row.repository === repository);
    const known = new Set(own.map(({ hash }) => hash));
    return texts.map((text) => known.has(hashGuidingText(text)));
  }

  async trustTexts(
    repository: string,
    texts: readonly GuidingText[],
    by: TrustedText["by"],
  ): Promise<void> {
    const at = this.#options.clock.now().toISOString();
    const rows = texts.map((text): TrustedText => {
      const { path, name } = text;
      return { repository, hash: hashGuidingText(text), path, name, by, at };
    });
    const places = rows.map(({ path, name }) => name === "" ? path : `${path} (${name})`);
    const what = `may guide agents: ${places.join(", ")}`;
    // What an agent stored by a tool is no decision of the person.
    const words = by === "update_context" ? [] : [{ repository, what, by, at }];
    await this.#change(({ texts: known = [], untold = [], ...rest }) => ({
      ...rest,
      texts: addRows(known, rows, MAX_TEXTS_OF_REPOSITORY),
      untold: [...untold, ...words],
    }));
  }

  async revoke(repository: string): Promise<number> {
    let count = 0;
    await this.#change(({ entries, texts = [], modes, ...rest }) => {
      const isOther = (row: { readonly repository: string }) => row.repository !== repository;
      const left = {
        entries: entries.filter(isOther),
        texts: texts.filter(isOther),
        modes: modes.filter(isOther),
      };
      count = entries.length - left.entries.length + texts.length - left.texts.length +
        modes.length - left.modes.length;
      return { ...rest, ...left };
    });
    return count;
  }

  async list(): Promise<TrustList> {
    const { stateDir, seal } = this.#options;
    if (stateDir === null) return NOTHING;
    const found = await readSealedJson(toPath(stateDir), seal);
    if (found.kind !== "whole" || found.value["format"] !== FORMAT) return NOTHING;
    const { entries, texts = [], modes, untold = [] } = found.value;
    return { entries, texts, modes, untold } as TrustList;
  }

  async confirmMode(repository: string, mode: EnforcementMode, by: TrustSource): Promise<void> {
    const at = this.#options.clock.now().toISOString();
    const what = `the mode ${mode} for the next session`;
    await this.#change(({ modes, untold = [], ...rest }) => ({
      ...rest,
      modes: [
        ...modes.filter((known) => known.repository !== repository),
        { repository, mode, by, at },
      ],
      untold: [...untold, { repository, what, by, at }],
    }));
  }

  async useMode(repository: string): Promise<void> {
    await this.#change(({ modes, ...rest }) => ({
      ...rest,
      modes: modes.filter((known) => known.repository !== repository),
    }));
  }

  async noteWord(repository: string, what: string, by: TrustSource): Promise<void> {
    const at = this.#options.clock.now().toISOString();
    await this.#change(({ untold = [], ...rest }) => ({
      ...rest,
      untold: [...untold, { repository, what, by, at }],
    }));
  }

  async takeWords(repository: string): Promise<readonly UntoldWord[]> {
    const isOwn = (word: UntoldWord) => word.repository === repository;
    const { untold: known = [] } = await this.list();
    if (!known.some(isOwn)) return [];
    await this.#change(({ untold = [], ...rest }) => ({
      ...rest,
      untold: untold.filter((word) => !isOwn(word)),
    }));
    return known.filter(isOwn);
  }

  async readConfirmedMode(repository: string): Promise<EnforcementMode | null> {
    const { modes } = await this.list();
    return modes.find((known) => known.repository === repository)?.mode ?? null;
  }

  async #change(change: (list: TrustList) => TrustList): Promise<void> {
    const { stateDir, seal } = this.#options;
    const notice = await seal.readNotice();
    if (stateDir === null || notice !== null) {
      throw new CodeIntelError(
        "io_failed",
        `Cannot remember trust: ${notice ?? "no home folder"}`,
        {
          hint: "Set HOME, or CODE_INTEL_STATE_DIR to a folder that can be written.",
        },
      );
    }
    const lock = join(stateDir, "trust.lock");
    const options = { timeoutMs: LIMITS.lockWaitMs.value, below: stateDir };
    await withLock(lock, options, async () => {
      const list = { format: FORMAT, ...change(await this.list()) };
      await writeSealedJson(toPath(stateDir), list, { seal, below: stateDir });
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

function toPath(stateDir: string): string {
  return join(stateDir, "trust.json");
}
