/**
 * Gives what this machine analysed to a remote: what is missing there as new packs, in one commit.
 * The ref only moves from the commit that was read. So of two pushers at once, the second begins
 * again with what the first one brought.
 */
import { DAY_MS } from "../../base/clock.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { withLock } from "../../base/processes/lock_file.ts";
import type { CodeIndex } from "../../index/index_api.ts";
import type { HeldContent } from "../../index/read/record_queries.ts";
import type { VectorIndex } from "../../index/vectors/meaning_api.ts";
import { UnfitRecord } from "../../analysis/record/record_bytes.ts";
import type { PackKey, PackMaker, PackRecord, StoredPack } from "./pack.ts";
import { makePack, readHead } from "./pack.ts";
import type { Committed } from "./committed.ts";
import type { SharePlace } from "./pull.ts";
import { pullShared } from "./pull.ts";
import type { ShareFolder } from "./share_folder.ts";
import { joinRefused } from "./share_state.ts";
import type { PackList } from "./shared_packs.ts";
import {
  ANALYSES,
  keyOfRecord,
  loadPack,
  loadPackList,
  NO_PACKS,
  RUNS,
  VECTORS,
} from "./shared_packs.ts";
import type { SharedRecords } from "../../index/seen_runs.ts";
import { findSuperseded, readMissingRuns } from "./shared_runs.ts";
import type { PushPlan, TreePack } from "./share_tree.ts";
import { buildFileNames, planPush } from "./share_tree.ts";

/** What is pushed, and by whom. */
export interface PushOptions {
  readonly index: Pick<CodeIndex, "listContents" | "readRecords" | "meaning">;
  /** Tells what no commit has, which stays here. */
  readonly committed: Committed;
  /** Runs of the tests; null where none are recorded. */
  readonly records: SharedRecords | null;
  /** Program and person, on one line. */
  readonly maker: string;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

/** How a push ended. */
export interface PushReport {
  /** The commit that the remote has now. */
  readonly tip: string | null;
  /** Records that were added. */
  readonly added: number;
  /** Contents of this worktree that the remote has now. */
  readonly shared: number;
  /** Contents of this worktree, those included that are not shared: no other machine need find the same of them. */
  readonly contents: number;
  /** Contents of this worktree that stayed here, since the commit of HEAD has no such file. */
  readonly uncommitted: number;
  readonly packs: number;
  /** Bytes of all packs. */
  readonly sizeBytes: number;
  /** Bytes of the files that are new at the remote. */
  readonly sentBytes: number;
  /** Packs that left: unused for long, or wrong. */
  readonly dropped: readonly string[];
}

/** Other pushers come between so often at most (guessed). */
const MOST_TRIES = 25;
const PAUSE_MS = 200;
/** Contents that are read from the database before others have their turn. */
const READ_AT_ONCE = 50;

/**
 * Pushes; call it under the lock of the folder.
 *
 * @throws {CodeIntelError} `remote_unusable`, `busy` where others push all the time, `timed_out`, `cancelled`.
 */
export async function pushShared(
  folder: ShareFolder,
  place: SharePlace,
  options: PushOptions,
): Promise<PushReport> {
  const packer = new Packer(folder, options);
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    options.signal.throwIfAborted();
    const { tip } = await pullShared(folder, place, options);
    const report = await pushOnce(folder, { place, packer, tip }, options);
    if (report !== null) return report;
    const pauseMs = PAUSE_MS * tries * Math.random();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new CodeIntelError("busy", `Cannot push to "${place.named}": others push all the time`, {
    hint: "Run `code-intel share push` again in a moment.",
  });
}

interface Target {
  readonly place: SharePlace;
  readonly packer: Packer;
  /** The commit that the remote had. */
  readonly tip: string | null;
}

/** Null where another one was faster. */
async function pushOnce(
  folder: ShareFolder,
  { place, packer, tip }: Target,
  { index, committed, records, nowMs, signal }: PushOptions,
): Promise<PushReport | null> {
  const { list, unfit } = tip === null
    ? { list: NO_PACKS, unfit: {} }
    : await loadPackList(folder, tip);
  const refused = new Set([...Object.keys(unfit), ...Object.keys(joinRefused(folder.readState()))]);
  const held = await index.listContents();
  const vectors = await listVectors(await index.meaning());
  const toPlace = (key: PackKey) => {
    const found = list.places.get(keyOfRecord(key));
    return found === undefined || refused.has(found.pack.name) ? undefined : found.pack.name;
  };
  const used = new Set([...held, ...vectors].flatMap((key) => toPlace(key) ?? []));
  const isMissing = (one: PackKey & { readonly isOwn: boolean }) =>
    one.isOwn && toPlace(one) === undefined;
  const wanted = held.filter(isMissing);
  const lacking = vectors.filter(isMissing);
  const texts = new Set(lacking.flatMap(({ blobs }) => blobs));
  const known = await committed.find(
    held.filter((one) => isMissing(one) || texts.has(one.blob)),
  );
  const missing = {
    contents: wanted.filter(({ blob }) => known.has(blob)),
    vectors: lacking.filter(({ blobs }) => blobs.some((blob) => known.has(blob))),
    runs: await readMissingRuns(records, { held, committed, isThere: (key) => !!toPlace(key) }),
  };
  const superseded = missing.runs.length === 0 ? [] : await findSuperseded(folder, list);
  const day = Math.floor(nowMs() / DAY_MS);
  const there = { day, used, unfit: new Set([...refused, ...superseded]) };
  const { merged } = planPush(list.packs, { ...there, isOwn: () => true });
  const own = await packer.findOwn(merged, list);
  const plan = planPush(list.packs, { ...there, isOwn: (pack) => own.has(pack) });
  const added = await packer.pack(missing, plan.merged);
  const facts = {
    shared: held.filter((one) => toPlace(one) !== undefined).length + missing.contents.length,
    contents: held.length,
    uncommitted: wanted.length - missing.contents.length,
    added: missing.contents.length + missing.vectors.length + missing.runs.length,
    dropped: plan.dropped.map(({ name }) => name).filter((name) => !superseded.includes(name)),
  };
  const files = [...plan.kept, ...added.map(({ pack }) => ({ ...pack, usedDay: day }))];
  const sizes = {
    packs: files.length,
    sizeBytes: files.reduce((sum, one) => sum + one.keys.sizeBytes + one.pack.sizeBytes, 0),
    sentBytes: added.reduce((sum, { pack }) => sum + pack.keys.sizeBytes + pack.pack.sizeBytes, 0),
  };
  if (isSameTree(plan, list, added)) return { tip, ...facts, ...sizes };
  const commit = await folder.store.commit(files.flatMap(listFiles), {
    // What was left out must not stay behind the commit.
    parent: plan.dropped.length + plan.merged.length > 0 || place.isBundle ? null : tip,
    message: `Share ${facts.added} records\n\nBy ${packer.maker}`,
  });
  const isDone = await sendCommit(folder, place, { move: { old: tip, commit }, signal });
  return isDone ? { tip: commit, ...facts, ...sizes } : null;
}

/** Moves the ref of the remote to a commit, and remembers it; false where another machine was faster. */
async function sendCommit(
  folder: ShareFolder,
  place: Target["place"],
  { move, signal }: {
    readonly move: { readonly old: string | null; readonly commit: string };
    readonly signal: PushOptions["signal"];
  },
): Promise<boolean> {
  const isDone = place.isBundle
    ? await pushBundle(folder, place, move)
    : await folder.store.push(place, place.ref, move, { signal });
  if (!isDone) return false;
  await folder.store.keep(move.commit);
  await folder.change({ tip: move.commit });
  return true;
}

function isSameTree(plan: PushPlan, { packs }: PackList, added: readonly unknown[]): boolean {
  return added.length === 0 && plan.dropped.length === 0 && plan.kept.length === packs.length &&
    plan.kept.every((pack, at) => pack === packs[at]);
}

function listFiles(pack: TreePack) {
  const names = buildFileNames(pack);
  return [
    { name: names.keys, oid: pack.keys.oid },
    { name: names.pack, oid: pack.pack.oid },
  ];
}

const BUNDLE_LOCK_MS = 60_000;

/** A bundle file is replaced as a whole, by one pusher at a time. */
async function pushBundle(
  { store }: ShareFolder,
  place: SharePlace,
  { old, commit }: { readonly old: string | null; readonly commit: string },
): Promise<boolean> {
  const lock = { timeoutMs: BUNDLE_LOCK_MS, hint: "Run `code-intel share push` again." };
  return await withLock(`${place.url}.lock`, lock, async () => {
    if (await store.readTip(place, place.ref) !== old) return false;
    const fresh = `${place.url}.${crypto.randomUUID()}.tmp`;
    try {
      await store.writeBundle(fresh, place.ref, commit);
      await Deno.rename(fresh, place.url);
    } finally {
      await Deno.remove(fresh).catch(() => {});
    }
    return true;
  });
}

/** What the remote lacks. */
interface Missing {
  readonly contents: readonly HeldContent[];
  readonly vectors: readonly SharedVector[];
  readonly runs: readonly PackRecord[];
}

/** A vector of a text, by the hash of the text and the model. */
interface SharedVector extends PackRecord {
  readonly blobs: readonly number[];
  readonly isOwn: boolean;
}

async function listVectors(meaning: VectorIndex | null): Promise<readonly SharedVector[]> {
  if (meaning === null) return [];
  const variant = meaning.modelId;
  return (await meaning.listVectors())
    .map(({ hash, bytes, blobs, isOwn }) => ({ hash, variant, record: bytes, blobs, isOwn }));
}

function slugifyModel(model: string): string {
  return model.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "model";
}

/** A pack that was made, with its two files in the store. */
interface MadePack {
  readonly pack: Omit<TreePack, "usedDay">;
}

/** Makes packs; what was made for a push that came too late is made once. */
class Packer {
  readonly maker: string;
  readonly #folder: ShareFolder;
  readonly #options: PushOptions;
  #last: { readonly of: string; readonly made: readonly MadePack[] } | null = null;

  constructor(folder: ShareFolder, options: PushOptions) {
    this.#folder = folder;
    this.#options = options;
    this.maker = options.maker;
  }

  /**
   * Those of some packs that say that they are by the same maker, with records whose keys are known. Nobody signs a pack,
   * so that this is their own word: what is made of them says that it was put together and not analysed.
   */
  async findOwn(packs: readonly TreePack[], list: PackList): Promise<ReadonlySet<TreePack>> {
    const read = new Set([...list.places.values()].map(({ pack }) => pack));
    const own = new Set<TreePack>();
    for (const one of packs) {
      const { oid, sizeBytes } = one.pack;
      const [bytes] = read.has(one) ? await this.#folder.store.read([oid], sizeBytes) : [];
      try {
        const { maker } = readHead(bytes ?? new Uint8Array());
        if (maker === this.maker || maker === nameMergedMaker(this.maker)) own.add(one);
      } catch (failure) {
        if (!(failure instanceof UnfitRecord)) throw failure;
      }
    }
    return own;
  }

  /** Packs of what is missing, and of the records of packs that become one. */
  async pack(
    { contents, vectors, runs }: Missing,
    merged: readonly TreePack[],
  ): Promise<readonly MadePack[]> {
    const of = [[...contents, ...vectors, ...runs].map(keyOfRecord), merged.map(({ name }) => name)]
      .join();
    if (this.#last?.of === of) return this.#last.made;
    const made: MadePack[] = [];
    for (const [kind, records] of await this.#readMerged(merged)) {
      made.push(...await this.#makeAll(kind, records, nameMergedMaker(this.maker)));
    }
    made.push(...await this.#makeAll(ANALYSES, this.#readContents(contents)));
    for (const [model, own] of Map.groupBy(vectors, ({ variant }) => variant)) {
      made.push(...await this.#makeAll(`${VECTORS}-${slugifyModel(model)}`, own));
    }
    made.push(...await this.#makeAll(RUNS, runs));
    this.#last = { of, made };
    return made;
  }

  async *#readContents(contents: readonly HeldContent[]): AsyncGenerator<PackRecord> {
    for (let at = 0; at < contents.length; at += READ_AT_ONCE) {
      this.#options.signal.throwIfAborted();
      const some = contents.slice(at, at + READ_AT_ONCE);
      const records = await this.#options.index.readRecords(some.map(({ blob }) => blob));
      for (const [place, { hash, variant }] of some.entries()) {
        const record = records[place] ?? null;
        // One that is larger than a pack is analysed by everybody.
        if (record !== null && record.length <= MOST_RECORD_BYTES) yield { hash, variant, record };
      }
    }
  }

  /** Packs of one kind, each as full as it may be. */
  async #makeAll(
    kind: string,
    records: AsyncIterable<PackRecord> | Iterable<PackRecord>,
    maker = this.maker,
  ): Promise<readonly MadePack[]> {
    const made: MadePack[] = [];
    let batch: PackRecord[] = [];
    let size = 0;
    for await (const one of records) {
      batch.push(one);
      size += one.record.length;
      if (batch.length < LIMITS.sharePackRecords.value && size <= FULL_BYTES) continue;
      made.push(await this.#make(kind, batch, maker));
      [batch, size] = [[], 0];
    }
    if (batch.length > 0) made.push(await this.#make(kind, batch, maker));
    return made;
  }

  async #readMerged(merged: readonly TreePack[]): Promise<ReadonlyMap<string, PackRecord[]>> {
    const byKind = new Map<string, PackRecord[]>();
    if (merged.length === 0) return byKind;
    const tip = this.#folder.readState().tip ?? "";
    const { list } = await loadPackList(this.#folder, tip);
    const records = new Map<string, readonly Uint8Array[]>();
    for (const pack of merged) {
      try {
        records.set(pack.name, await loadPack(this.#folder, pack) ?? []);
      } catch (failure) {
        // It leaves with this push.
        if (!(failure instanceof UnfitRecord)) throw failure;
      }
    }
    for (const [text, { pack, at }] of list.places) {
      const record = records.get(pack.name)?.[at];
      if (record === undefined) continue;
      const [hex = "", variant = ""] = text.split(/ (.*)/s);
      const own = byKind.get(pack.kind) ?? [];
      own.push({ hash: Uint8Array.fromHex(hex), variant, record });
      byKind.set(pack.kind, own);
    }
    return byKind;
  }

  async #make(
    kind: string,
    records: readonly PackRecord[],
    maker: string,
  ): Promise<MadePack> {
    const madeAt = Math.floor(this.#options.nowMs() / 1000);
    const facts: PackMaker & { readonly kind: string } = { kind, maker, madeAt };
    return { pack: await this.#store(kind, await makePack(records, facts)) };
  }

  async #store(kind: string, { id, keys, pack }: StoredPack): Promise<MadePack["pack"]> {
    const { store } = this.#folder;
    const [keysOid, packOid] = [await store.write(keys), await store.write(pack)];
    const name = `${kind}.${id}`;
    return {
      name,
      kind,
      id,
      keys: { name, oid: keysOid, sizeBytes: keys.length },
      pack: { name, oid: packOid, sizeBytes: pack.length },
    };
  }
}

/** Who put the records of small packs into one, which others may have analysed in the same name. */
function nameMergedMaker(maker: string): string {
  return `${maker}, of packs in that name`;
}

/** A pack is full from here on, before it is compressed; records are far smaller. */
const FULL_BYTES = LIMITS.shareMemoryBytes.value / 4;
const MOST_RECORD_BYTES = LIMITS.shareMemoryBytes.value / 8;
