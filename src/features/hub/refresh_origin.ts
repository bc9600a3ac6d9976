/**
 * One job of a hub: brings the branches of an origin to their present commits. Only files whose
 * object is another one than before are read. A branch moves from one whole state to the next in
 * one transaction. A kill leaves the state before, and contents that the next attempt finds by
 * their hash.
 */
import { gzipSync } from "node:zlib";
import type { Analyser } from "../../analysis/analyser.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Mirror, MirrorFile } from "../../git/remote/mirror.ts";
import type { RemoteLocation } from "../../git/remote/remote_location.ts";
import type { NewContent, NewFile } from "./postgres/store_writer.ts";
import type { Variant } from "../../index/store/variant.ts";
import { expectForm } from "./postgres/store_schema.ts";
import { keyOfContent, removeIdle, StoreWriter } from "./postgres/store_writer.ts";
import { hashContent, judgeContent } from "../../index/scan/file_reader.ts";
import { createFileRules } from "../../index/scan/scanner.ts";
import { buildVariantPrefix, chooseVariant } from "../../index/store/variant.ts";
import type { HubRepository, HubStore, Lease } from "./hub_store.ts";
import { HUB_CHUNK_TOKENS, makeLostError } from "./hub_store.ts";
import { fetchBranch } from "./fetch_branch.ts";

/** What a job works with. */
export interface RefreshDeps {
  readonly store: HubStore;
  readonly lease: Lease;
  readonly mirror: Mirror;
  readonly place: RemoteLocation;
  readonly analyser: Analyser;
  readonly signal: AbortSignal;
}

/** What a job did. */
export interface RefreshReport {
  /** Files of which a new object was read. */
  readonly read: number;
  readonly analysed: number;
  /** Contents that left. */
  readonly removed: number;
  /** Branches that keep the state before, while the others were refreshed. */
  readonly failed: readonly BranchFailure[];
}

/** A branch that could not be refreshed. */
export interface BranchFailure {
  /** Name of the repository. */
  readonly name: string;
  readonly reason: string;
  /** Whether the remote has no such branch: trying again would not help. */
  readonly isGone: boolean;
}

// So much is read, analysed and written at once: a kill loses at most that.
const BATCH_FILES = 200;
const BATCH_BYTES = 8 * 1024 * 1024;

interface KnownFile {
  readonly objectId: string;
  readonly blob: number | null;
  readonly skipped: string | null;
}

/** Failures that may be those of one branch, while others of the same remote can be fetched and read. */
const OF_A_BRANCH: readonly string[] = ["remote_unusable", "git_failed"];

/**
 * Does a job. A branch that is gone from the remote, or that cannot be read, keeps the state before and says why; the others
 * are refreshed.
 *
 * @throws {CodeIntelError} `remote_unusable` where the remote does not answer or no branch can be fetched, `busy` where the lease is another indexer's;
 * `timed_out`, `cancelled`, those of the store.
 */
export async function refreshOrigin(deps: RefreshDeps): Promise<RefreshReport> {
  const { store, lease, mirror } = deps;
  await mirror.open();
  let [read, analysed] = [0, 0];
  const failed: BranchFailure[] = [];
  const causes: CodeIntelError[] = [];
  const branches = store.listBranches(lease.origin);
  for (const [at, repository] of branches.entries()) {
    try {
      const done = await fetchAndRefresh(deps, repository);
      if (done === null) failed.push(describeGone(repository));
      read += done?.read ?? 0;
      analysed += done?.analysed ?? 0;
    } catch (failure) {
      const isOwn = failure instanceof CodeIntelError && OF_A_BRANCH.includes(failure.code);
      if (!isOwn) throw failure;
      const isLast = at === branches.length - 1;
      if (!isLast && !await isReachable(deps, failure)) {
        noteProblems(deps, branches.slice(0, at), failed);
        throw failure;
      }
      causes.push(failure);
      failed.push({ name: repository.name, reason: failure.message, isGone: false });
    }
  }
  const [cause] = causes;
  // Then it is the remote that cannot be used, and the job says so.
  if (cause !== undefined && causes.length === branches.length) throw cause;
  noteProblems(deps, branches, failed);
  const removed = store.link.transaction(() => {
    checkLease(deps);
    return removeIdle(store.link, lease.origin);
  });
  return { read, analysed, removed, failed };
}

/**
 * Whether a failure may be a branch's own. A remote that does not even say which branches it has would let each of them wait
 * as long.
 */
async function isReachable(
  { store, lease, mirror, place, signal }: RefreshDeps,
  failure: CodeIntelError,
): Promise<boolean> {
  if (failure.code !== "remote_unusable") return true;
  const isUp = await mirror.isReachable(place, { signal });
  store.renew(lease);
  return isUp;
}

/** Null where the remote has no such branch. */
async function fetchAndRefresh(
  deps: RefreshDeps,
  repository: HubRepository,
): Promise<{ readonly read: number; readonly analysed: number } | null> {
  const commit = await fetchBranch(deps, repository);
  if (commit === null) return null;
  const variant = buildVariantPrefix(HUB_CHUNK_TOKENS);
  if (commit === repository.commit && variant === repository.variant) {
    return { read: 0, analysed: 0 };
  }
  return await refreshBranch(deps, repository, { commit, variant });
}

function describeGone({ name, branch, commit }: HubRepository): BranchFailure {
  const what = branch === null
    ? "The HEAD of the remote leads to no commit"
    : `The remote has no branch "${branch}"${commit === null ? "" : " any more"}`;
  const kept = commit === null ? "" : "; what was indexed last is kept and answered from";
  const way = commit === null
    ? `Where it is to come yet, \`code-intel hub refresh ${name}\` reads it then; else \`code-intel hub remove ${name}\` takes it out.`
    : `\`code-intel hub remove ${name}\` takes it out.`;
  const reason = `${what}${kept}. ${way}`;
  return { name, reason, isGone: true };
}

/** Writes down which branches failed and why; those that succeeded lose the reason of a failure before. */
function noteProblems(
  deps: RefreshDeps,
  branches: readonly HubRepository[],
  failed: readonly BranchFailure[],
): void {
  const reasons = new Map(failed.map(({ name, reason }) => [name, reason]));
  deps.store.link.transaction(() => {
    checkLease(deps);
    for (const { id, name } of branches) deps.store.noteProblem(id, reasons.get(name) ?? null);
  });
}

async function refreshBranch(
  deps: RefreshDeps,
  repository: HubRepository,
  { commit, variant }: { readonly commit: string; readonly variant: string },
): Promise<{ readonly read: number; readonly analysed: number }> {
  const { store, lease, mirror, signal } = deps;
  const { leaveOut } = createFileRules({
    sourceDirs: [],
    excludePatterns: [],
    ignoreText: "",
  });
  const listed = (await mirror.list(commit)).filter(({ path }) => leaveOut(path) === null);
  // What another version of the program analysed is all read again.
  const known = variant === repository.variant
    ? loadFiles(store, repository.id)
    : new Map<string, KnownFile>();
  const changed = listed.filter(({ path, objectId }) => known.get(path)?.objectId !== objectId);
  const writer = new StoreWriter(store.link);
  const files: NewFile[] = [];
  let analysed = 0;
  for (const batch of splitBatches(changed)) {
    signal.throwIfAborted();
    const done = await readBatch(deps, writer, batch);
    files.push(...done.files);
    analysed += done.analysed;
    store.renew(lease);
  }
  const present = new Set(listed.map(({ path }) => path));
  const gone = [...known.keys()].filter((path) => !present.has(path));
  const paths = writer.pathIds(files.map(({ path }) => path));
  store.link.transaction(() => {
    checkLease(deps);
    if (known.size === 0) {
      store.link.run("DELETE FROM files WHERE worktree = ?", repository.id);
    }
    putFiles(store, repository.id, { files, gone, paths });
    countRepository(store, repository.id, { commit, variant });
  });
  return { read: changed.length, analysed };
}

/** The lease counts when a state is changed, and nobody else may take it before that is done. */
function checkLease({ store, lease }: RefreshDeps): void {
  expectForm(store.link);
  const own = store.link.get(
    "SELECT 1 AS own FROM jobs WHERE origin = ? AND lease = ? FOR UPDATE",
    lease.origin,
    lease.token,
  );
  if (own === undefined) throw makeLostError();
}

function loadFiles(store: HubStore, repository: number): ReadonlyMap<string, KnownFile> {
  const rows = store.link.all(
    `SELECT path.path, file.object_id, file.blob, file.skipped FROM files AS file
      JOIN paths AS path ON path.id = file.path WHERE file.worktree = ?`,
    repository,
  );
  return new Map(rows.map((row) => [String(row["path"]), {
    objectId: String(row["object_id"]),
    blob: row["blob"] === null ? null : Number(row["blob"]),
    skipped: row["skipped"] === null ? null : String(row["skipped"]),
  }]));
}

function* splitBatches(files: readonly MirrorFile[]): Iterable<readonly MirrorFile[]> {
  let batch: MirrorFile[] = [];
  let bytes = 0;
  for (const file of files) {
    batch.push(file);
    bytes += Math.min(file.sizeBytes, LIMITS.fileBytes.value);
    if (batch.length < BATCH_FILES && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

interface ReadFile {
  readonly file: MirrorFile;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: Uint8Array;
  readonly variant: Variant;
}

async function readBatch(
  { lease, mirror, analyser }: RefreshDeps,
  writer: StoreWriter,
  batch: readonly MirrorFile[],
): Promise<{ readonly files: readonly NewFile[]; readonly analysed: number }> {
  const maxBytes = LIMITS.fileBytes.value;
  const skipped = new Map<string, string>();
  const small = batch.filter(({ path, sizeBytes }) => {
    if (sizeBytes > maxBytes) skipped.set(path, `larger than ${maxBytes} bytes`);
    return sizeBytes <= maxBytes;
  });
  const contents = await mirror.read(small);
  const read: ReadFile[] = [];
  small.forEach((file, at) => {
    const bytes = contents[at];
    const { path } = file;
    const why = bytes === null || bytes === undefined ? "gone" : judgeContent(path, bytes);
    if (why !== null || bytes === null || bytes === undefined) {
      skipped.set(path, why ?? "gone");
      return;
    }
    const own = new Uint8Array(bytes);
    read.push({
      file,
      bytes: own,
      hash: hashContent(own),
      variant: chooseVariant(path, HUB_CHUNK_TOKENS),
    });
  });
  const known = new Map(writer.findContents(lease.origin, read));
  const unknown = [
    ...new Map(read.map((one) => [keyOfContent(one.hash, one.variant.key), one])),
  ].filter(([key]) => !known.has(key)).map(([, one]) => one);
  const made = await analyseAll(analyser, unknown, skipped);
  for (const [key, blob] of writer.putContents(lease.origin, made)) known.set(key, blob);
  const blobs = new Map(
    read.map((one) => [one.file.path, known.get(keyOfContent(one.hash, one.variant.key))]),
  );
  const files = batch.map(({ path, objectId }): NewFile => {
    const blob = blobs.get(path) ?? null;
    return {
      path,
      objectId,
      blob,
      skipped: blob === null ? skipped.get(path) ?? "the analyser failed" : null,
    };
  });
  return { files, analysed: made.length };
}

async function analyseAll(
  analyser: Analyser,
  wanted: readonly ReadFile[],
  skipped: Map<string, string>,
): Promise<readonly NewContent[]> {
  const made: NewContent[] = [];
  const running = new Set<Promise<void>>();
  for (const { file, bytes, hash, variant } of wanted) {
    const sizeBytes = bytes.length;
    const source = new Uint8Array(gzipSync(bytes));
    const one = analyser.analyse({ path: file.path, bytes, chunkMaxTokens: HUB_CHUNK_TOKENS })
      .then((result) => {
        if (result.kind === "failed") skipped.set(file.path, result.reason);
        else made.push({ hash, variant, sizeBytes, content: result.content, source });
      }).finally(() => running.delete(one));
    running.add(one);
    if (running.size >= analyser.concurrency) await Promise.race(running);
  }
  await Promise.all(running);
  return made;
}

function putFiles(
  store: HubStore,
  repository: number,
  { files, gone, paths }: {
    readonly files: readonly NewFile[];
    readonly gone: readonly string[];
    readonly paths: ReadonlyMap<string, number>;
  },
): void {
  store.link.run(
    `DELETE FROM files WHERE worktree = ? AND path IN (
      SELECT id FROM paths WHERE path IN (
        SELECT value FROM jsonb_array_elements_text(?::jsonb) AS value))`,
    repository,
    JSON.stringify(gone),
  );
  const rows = files.map(({ path, objectId, blob, skipped }) => {
    const id = paths.get(path);
    if (id === undefined) {
      throw new CodeIntelError("store_failed", `The path "${path}" has no number`);
    }
    return { path: id, object_id: objectId, blob, skipped };
  });
  store.link.run(
    `INSERT INTO files (worktree, path, blob, skipped, object_id)
      SELECT ?, path, blob, skipped, object_id FROM jsonb_to_recordset(?::jsonb) AS one (path bigint,
        blob bigint, skipped text, object_id text)
      ON CONFLICT (worktree, path) DO UPDATE SET blob = excluded.blob, skipped = excluded.skipped,
        object_id = excluded.object_id`,
    repository,
    JSON.stringify(rows),
  );
}

function countRepository(
  store: HubStore,
  repository: number,
  { commit, variant }: { readonly commit: string; readonly variant: string },
): void {
  store.link.run(
    `UPDATE repositories SET commit_id = ?, variant = ?, indexed_at = clock_timestamp(),
        revision = revision + 1, files = counted.files, chunks = counted.chunks,
        tokens = counted.tokens
      FROM (SELECT count(*) AS files,
          coalesce((SELECT sum(chunk_count) FROM blobs WHERE id IN (
            SELECT blob FROM files WHERE worktree = ?)), 0) AS chunks,
          coalesce((SELECT sum(tokens) FROM texts WHERE blob IN (
            SELECT blob FROM files WHERE worktree = ?)), 0) AS tokens
        FROM files WHERE worktree = ? AND blob IS NOT NULL) AS counted
      WHERE id = ?`,
    commit,
    variant,
    repository,
    repository,
    repository,
    repository,
  );
}
