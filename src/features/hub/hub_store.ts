/**
 * What a hub knows of repositories as a whole: which there are, which jobs wait, and who does them. Contents and questions
 * are the index's; this only names the states between which they move.
 */
import { buildVariantPrefix } from "../../index/store/variant.ts";
import { CodeIntelError } from "../../base/errors.ts";
import type { RepositoryFacts } from "./postgres/postgres_source.ts";
import type { StorePlace } from "./postgres/store_place.ts";
import { PostgresLink } from "./postgres/link.ts";
import { expectForm, migrateStore } from "./postgres/store_schema.ts";
import type { SearchBounds } from "./search_budget.ts";
import { HUB_BOUNDS, SearchBudget } from "./search_budget.ts";
import { SourceReader } from "./source_reader.ts";

/** The largest chunk, as for a project without a configuration. */
export const HUB_CHUNK_TOKENS = 512;

/** What the analyses of a repository are to the program that reads them. */
export type AnalysisState =
  /** It made them, or there are none yet. */
  | "present"
  /** An older version made them: the next job of the repository reads all its files again. */
  | "older"
  /** A newer version made them: this program has to be updated. */
  | "newer";

/** Compares the version that a repository was analysed by with that of this program. */
export function toAnalysisState(
  { commit, variant }: Pick<HubRepository, "commit" | "variant">,
): AnalysisState {
  const present = buildVariantPrefix(HUB_CHUNK_TOKENS);
  if (commit === null || variant === present) return "present";
  return Number.parseInt(variant) > Number.parseInt(present) ? "newer" : "older";
}

/** A branch of an origin, as people name it. */
export interface HubRepository extends RepositoryFacts {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  /** Null for what the remote's HEAD names. */
  readonly branch: string | null;
  /** The commit that is indexed; null before the first. */
  readonly commit: string | null;
  /** ISO 8601. */
  readonly indexedAt: string | null;
  /** How the contents were analysed: the beginning of the keys of variants. */
  readonly variant: string;
  /** Why the last refresh failed for this branch alone; null where it did not. What fails for the whole origin is reported by its job. */
  readonly problem: string | null;
  /** What becomes of it now. */
  readonly job: HubJob | null;
}

/** A job of an origin that waits or is under way. */
export interface HubJob {
  readonly isLeased: boolean;
  readonly attempts: number;
  /** Why the last attempt did not succeed. */
  readonly failure: string | null;
}

/** A job that this process does. */
export interface Lease {
  readonly origin: number;
  readonly url: string;
  /** Tells this attempt from every other one. */
  readonly token: string;
}

/** A lease that is not renewed for so long is another indexer's. */
const LEASE = "interval '60 seconds'";
/** A job that failed waits so long for each attempt before it is tried again. */
const PAUSE = "interval '30 seconds' * attempts";

/** Longer reasons of failures are cut. */
const MAX_REASON_CHARS = 500;

const LIST = `SELECT repository.id, repository.origin, repository.name, origin.url,
    repository.branch, repository.commit_id, to_char(repository.indexed_at AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS indexed_at, repository.revision, repository.variant,
    repository.files, repository.chunks, repository.tokens, repository.problem, job.attempts,
    job.failure,
    job.leased_until > clock_timestamp() AND job.lease IS NOT NULL AS is_leased
  FROM repositories AS repository JOIN origins AS origin ON origin.id = repository.origin
  LEFT JOIN jobs AS job ON job.origin = repository.origin`;

/** How a store is opened. */
export interface HubStoreOptions {
  /** Longest time of a statement. */
  readonly statementMs?: number;
  /** How much a call may search; default {@link HUB_BOUNDS}. */
  readonly bounds?: SearchBounds;
  /** The tables were brought to their form before; nothing is asked yet. Default false. */
  readonly isPrepared?: boolean;
}

/** The store of a hub. */
export class HubStore {
  readonly link: PostgresLink;
  /** The texts of its repositories. */
  readonly sources: SourceReader;
  readonly #bounds: SearchBounds;
  #budget: SearchBudget;
  /** All repositories, while a state is held. */
  #held: readonly HubRepository[] | null = null;
  #holds = 0;

  private constructor(link: PostgresLink, bounds: SearchBounds) {
    this.link = link;
    this.sources = new SourceReader(link);
    this.#bounds = bounds;
    this.#budget = new SearchBudget(bounds);
  }

  /**
   * Connects, and brings the tables to their present form.
   *
   * @throws {CodeIntelError} `store_unreachable`, `store_refused`, `store_newer`, `network_denied`.
   */
  static async open(
    place: StorePlace,
    { bounds = HUB_BOUNDS, isPrepared = false, ...options }: HubStoreOptions = {},
  ): Promise<HubStore> {
    const link = await PostgresLink.open(place, options);
    try {
      if (!isPrepared) migrateStore(link);
      return new HubStore(link, bounds);
    } catch (error) {
      link.close();
      throw error;
    }
  }

  /**
   * Answers one call over one state of the store, for which the list of repositories is read once; a call that was under
   * way when the connection was lost is answered again. Calls of one store come one after the other.
   */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    return await this.link.hold(async () => {
      this.#holds++;
      try {
        this.#held = this.#list();
        this.#budget = new SearchBudget(this.#bounds);
        return await work();
      } finally {
        this.#held = null;
        // What a call read is not kept beyond it.
        this.#budget = new SearchBudget(this.#bounds);
      }
    });
  }

  /** Tells the state that is held from every other one; null while none is. */
  get state(): number | null {
    return this.#held === null ? null : this.#holds;
  }

  /** What the call that is answered may still search. */
  get budget(): SearchBudget {
    return this.#budget;
  }

  /** All repositories by name. */
  list(): readonly HubRepository[] {
    return this.#held ?? this.#list();
  }

  #list(): readonly HubRepository[] {
    return this.link.all(`${LIST} ORDER BY repository.name`).map(readRepositoryRow);
  }

  /** One repository; null where there is none of that name. */
  find(name: string): HubRepository | null {
    if (this.#held !== null) return this.#held.find((one) => one.name === name) ?? null;
    const row = this.link.get(`${LIST} WHERE repository.name = ?`, name);
    return row === undefined ? null : readRepositoryRow(row);
  }

  /** Adds a branch of an origin and asks for its index. */
  add({ name, url, branch }: Pick<HubRepository, "name" | "url" | "branch">): void {
    this.link.transaction(() => {
      this.link.run("INSERT INTO origins (url) VALUES (?) ON CONFLICT DO NOTHING", url);
      const origin = this.link.number("SELECT id FROM origins WHERE url = ?", url);
      const added = this.link.run(
        "INSERT INTO repositories (origin, name, branch) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        origin,
        name,
        branch,
      );
      if (added === 0) {
        throw new CodeIntelError(
          "bad_usage",
          `Cannot add "${name}": the hub has a repository of that name`,
          {
            hint:
              "Give another name by --name, or remove the present one by `code-intel hub remove`.",
          },
        );
      }
      this.#ask(origin);
    });
  }

  /** Forgets a repository; the next job of its origin removes contents that no branch has. */
  remove(name: string): boolean {
    return this.link.transaction(() => {
      const row = this.link.get("SELECT id, origin FROM repositories WHERE name = ?", name);
      if (row === undefined) return false;
      this.link.run("DELETE FROM files WHERE worktree = ?", Number(row["id"]));
      this.link.run("DELETE FROM repositories WHERE id = ?", Number(row["id"]));
      this.#ask(Number(row["origin"]));
      return true;
    });
  }

  /** Asks for the present state of a repository, or of all. */
  askRefresh(name: string | null): number {
    const rows = name === null
      ? this.link.all("SELECT id FROM origins ORDER BY id")
      : this.link.all("SELECT origin AS id FROM repositories WHERE name = ?", name);
    for (const { id } of rows) this.#ask(Number(id));
    return rows.length;
  }

  #ask(origin: number): void {
    this.link.run(
      `INSERT INTO jobs (origin) VALUES (?) ON CONFLICT (origin)
        DO UPDATE SET asked_at = clock_timestamp(), attempts = 0,
          leased_until = CASE WHEN jobs.lease IS NULL THEN NULL ELSE jobs.leased_until END`,
      origin,
    );
  }

  /**
   * Takes the job that waits longest and that nobody does; null where there is none.
   *
   * @throws {CodeIntelError} `store_newer` where a newer program has brought the store up to date.
   */
  take(): Lease | null {
    const token = crypto.randomUUID();
    const row = this.link.transaction(() => {
      expectForm(this.link);
      return this.link.get(
        `UPDATE jobs SET lease = ?, leased_until = clock_timestamp() + ${LEASE}, attempts = attempts + 1
          FROM origins WHERE origins.id = jobs.origin AND jobs.origin = (
            SELECT origin FROM jobs WHERE leased_until IS NULL OR leased_until < clock_timestamp()
              ORDER BY asked_at FOR UPDATE SKIP LOCKED LIMIT 1)
          RETURNING jobs.origin, origins.url`,
        token,
      );
    });
    return row === undefined
      ? null
      : { origin: Number(row["origin"]), url: String(row["url"]), token };
  }

  /**
   * Keeps the lease for longer.
   *
   * @throws {CodeIntelError} `busy` where it is another indexer's by now; `store_newer` as {@link take}.
   */
  renew({ origin, token }: Lease): void {
    expectForm(this.link);
    const kept = this.link.run(
      `UPDATE jobs SET leased_until = clock_timestamp() + ${LEASE} WHERE origin = ? AND lease = ?`,
      origin,
      token,
    );
    if (kept === 0) throw makeLostError();
  }

  /** Ends a job. One that was asked for again meanwhile waits again; one that failed waits for its next attempt. */
  finish({ origin, token }: Lease, startedAt: string, failure: string | null): void {
    if (failure === null) {
      this.link.run(
        "DELETE FROM jobs WHERE origin = ? AND lease = ? AND asked_at <= ?::timestamptz",
        origin,
        token,
        startedAt,
      );
      this.link.run(
        "UPDATE jobs SET lease = NULL, leased_until = NULL, failure = NULL WHERE origin = ? AND lease = ?",
        origin,
        token,
      );
      return;
    }
    this.link.run(
      `UPDATE jobs SET lease = NULL, failure = ?, leased_until = clock_timestamp() + ${PAUSE}
        WHERE origin = ? AND lease = ?`,
      shortenReason(failure),
      origin,
      token,
    );
  }

  /** Ends a job that failed for some branches alone: they tell why, and the job waits for its next attempt. */
  finishPartly({ origin, token }: Lease): void {
    this.link.run(
      `UPDATE jobs SET lease = NULL, failure = NULL, leased_until = clock_timestamp() + ${PAUSE}
        WHERE origin = ? AND lease = ?`,
      origin,
      token,
    );
  }

  /** Says why a branch could not be refreshed, or with null that it could. */
  noteProblem(repository: number, problem: string | null): void {
    const reason = problem === null ? null : shortenReason(problem);
    this.link.run(
      "UPDATE repositories SET problem = ? WHERE id = ? AND problem IS DISTINCT FROM ?",
      reason,
      repository,
      reason,
    );
  }

  /** The store's clock, for {@link HubStore.finish}. */
  now(): string {
    return String(this.link.get("SELECT clock_timestamp()::text AS now")?.["now"]);
  }

  /** The repositories of an origin. */
  listBranches(origin: number): readonly HubRepository[] {
    return this.link.all(`${LIST} WHERE repository.origin = ? ORDER BY repository.id`, origin)
      .map(readRepositoryRow);
  }

  /** Names of the repositories that mention a name, or that define it. */
  listHaving(name: string, { isDefined }: { readonly isDefined: boolean }): readonly string[] {
    return this.link.all(
      `SELECT DISTINCT repository.name FROM names AS name
        JOIN ${isDefined ? "symbols" : "occurrences"} AS entry ON entry.name = name.id
        JOIN files AS file ON file.blob = entry.blob
        JOIN repositories AS repository ON repository.id = file.worktree
        WHERE name.name = ? ORDER BY repository.name`,
      name,
    ).map((row) => String(row["name"]));
  }

  close(): void {
    this.link.close();
  }
}

/**
 * Why a repository is not as its remote has it; null where nothing failed. What the last job failed by holds for all branches
 * now, and goes before what one of them met earlier.
 */
export function findFailure(
  { job, problem }: Pick<HubRepository, "job" | "problem">,
): string | null {
  return job?.failure ?? problem;
}

/** The failure of who finds that another indexer took its job. */
export function makeLostError(): CodeIntelError {
  return new CodeIntelError("busy", "Cannot go on with the job: another indexer took it", {
    hint: "Nothing is lost: the other one does it, with what was analysed so far.",
  });
}

function readRepositoryRow(row: Readonly<Record<string, unknown>>): HubRepository {
  const { attempts, failure } = row;
  return {
    id: Number(row["id"]),
    origin: Number(row["origin"]),
    name: String(row["name"]),
    url: String(row["url"]),
    branch: readText(row["branch"]),
    commit: readText(row["commit_id"]),
    indexedAt: readText(row["indexed_at"]),
    revision: Number(row["revision"]),
    variant: String(row["variant"]),
    problem: readText(row["problem"]),
    files: Number(row["files"]),
    chunks: Number(row["chunks"]),
    tokens: Number(row["tokens"]),
    job: attempts === null ? null : {
      isLeased: row["is_leased"] === 1,
      attempts: Number(attempts),
      failure: readText(failure),
    },
  };
}

/** A reason as it is kept: PostgreSQL takes no text with a NUL character. */
function shortenReason(said: string): string {
  return said.replaceAll("\0", "").slice(0, MAX_REASON_CHARS);
}

function readText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
