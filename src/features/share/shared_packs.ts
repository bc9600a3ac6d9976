/**
 * Gives records of the packs that were fetched to the index. The list of all keys is read once, packs when one of their
 * records is wanted; a pack with anything wrong is named and never used again.
 */
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { escapeLine } from "../../base/text/plain_text.ts";
import { UnfitRecord } from "../../analysis/record/record_bytes.ts";
import type { SharedContents, SharedRecord } from "../../index/read/view.ts";
import { ANALYSIS_VERSION } from "../../index/store/variant.ts";
import type { SharedRecords } from "../../index/seen_runs.ts";
import type { PackKey } from "./pack.ts";
import { openPack, readHead, readKeys } from "./pack.ts";
import type { ShareFolder } from "./share_folder.ts";
import { joinRefused } from "./share_state.ts";
import type { TreePack } from "./share_tree.ts";
import { readTree } from "./share_tree.ts";

/** What the packs are read with. */
export interface SharedPacksOptions {
  /** Called with one sentence that says which pack is refused. */
  readonly onNotice: (notice: string) => void;
}

/** Where a record is. */
export interface RecordPlace {
  readonly pack: TreePack;
  /** Its position in the pack. */
  readonly at: number;
}

/** The packs of a commit, and where each of their records is. */
export interface PackList {
  readonly tip: string;
  readonly packs: readonly TreePack[];
  readonly places: ReadonlyMap<string, RecordPlace>;
}

/** The list of a machine that has no packs. */
export const NO_PACKS: PackList = { tip: "", packs: [], places: new Map() };

/** How often it is looked whether there is something new. */
const LOOK_EVERY_MS = 2_000;
const OPEN_BYTES = LIMITS.shareMemoryBytes.value;
const LOCK_WAIT_MS = 10_000;

/** What the records of contents are, by this version of the analyser. */
export const ANALYSES = `analysis-${ANALYSIS_VERSION}`;

/** Records of contents by their keys. */
export class SharedPacks implements SharedContents {
  readonly #folder: ShareFolder;
  readonly #options: SharedPacksOptions;
  readonly #refused = new Set<string>();
  /** Those that are in no form at the commit that is in use: nothing was ever taken from them. */
  readonly #unfit = new Set<string>();
  /** Those that nobody has removed yet. */
  readonly #untaken: string[] = [];
  /** Packs of which a record was compared. */
  readonly #proved = new Set<string>();
  #list: Promise<PackList | null> | null = null;
  /** The same once it is read. */
  #current: PackList | null = null;
  #tip: string | null = null;
  #lookedAt = -Infinity;
  /** Packs that were made whole, the one that was used last at the end. */
  readonly #open = new Map<string, Promise<readonly Uint8Array[] | null>>();
  readonly #sizes = new Map<string, number>();

  /** @param folder where packs are kept; nothing is read yet. */
  constructor(folder: ShareFolder, options: SharedPacksOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  async find(key: PackKey): Promise<SharedRecord | null> {
    try {
      const list = await this.#readList();
      const place = list?.places.get(keyOfRecord(key));
      if (place === undefined || this.#isUnused(place.pack.name)) return null;
      const records = await this.#openPack(place.pack);
      const record = records?.[place.at];
      if (record === undefined || records === null) return null;
      return {
        record,
        pack: place.pack.name,
        isProof: this.#isProof(place.pack.name, records.length),
      };
    } catch (failure) {
      if (!(failure instanceof CodeIntelError)) throw failure;
      this.#options.onNotice(`What is shared cannot be read: ${failure.message}.`);
      this.#list = Promise.resolve(null);
      return null;
    }
  }

  #isUnused(pack: string): boolean {
    return this.#refused.has(pack) || this.#unfit.has(pack);
  }

  isRefused(pack: string): boolean {
    return this.#refused.has(pack);
  }

  takeRefused(): readonly string[] {
    return this.#untaken.splice(0);
  }

  /** Hands the packs of runs over that were not taken yet, and refuses those in which something wrong was found. */
  async handOver(records: SharedRecords): Promise<void> {
    try {
      const list = await this.#readList();
      const met = await records.readPacks();
      for (const pack of list?.packs ?? []) {
        const why = met.get(pack.name);
        if (pack.kind !== RUNS || why === "" || this.#isUnused(pack.name)) continue;
        await this.#takeRuns(pack, { records, why });
      }
    } catch (failure) {
      if (!(failure instanceof CodeIntelError)) throw failure;
      this.#options.onNotice(`Shared records of runs cannot be taken: ${failure.message}.`);
    }
  }

  async #takeRuns(
    pack: TreePack,
    { records, why }: { readonly records: SharedRecords; readonly why: string | undefined },
  ): Promise<void> {
    try {
      if (why !== undefined) throw new UnfitRecord(why);
      const found = await this.#openPack(pack);
      const maker = await this.#readMaker(pack.name);
      if (found !== null) await records.take({ name: pack.name, maker }, found);
    } catch (failure) {
      if (!(failure instanceof UnfitRecord)) throw failure;
      await this.refuse(pack.name, failure.message);
    }
  }

  async refuse(pack: string, reason: string): Promise<void> {
    await this.#refuse(pack, reason, "refused");
  }

  /** Where it is kept says how long it holds. */
  async #refuse(pack: string, reason: string, kept: "refused" | "unfit"): Promise<void> {
    if (this.#isUnused(pack)) return;
    const tip = this.#tip;
    if (kept === "unfit") this.#unfit.add(pack);
    else {
      this.#refused.add(pack);
      this.#untaken.push(pack);
    }
    const maker = await this.#readMaker(pack).catch(() => "nobody who says so");
    const why = escapeLine(`${reason} (it says that it was made by ${maker})`);
    this.#options.onNotice(escapeLine(`The shared pack ${pack} is not used: ${why}.`));
    await this.#folder.withLock(LOCK_WAIT_MS, async () => {
      const state = this.#folder.readState();
      if (kept === "unfit" && state.tip !== tip) return;
      await this.#folder.change({ [kept]: { ...state[kept], [pack]: why } });
    }).catch(() => {
      // It is refused again by the next process that meets it.
    });
  }

  /** The first record that is wanted of a pack is a proof, and whoever makes it cannot know which other ones are. */
  #isProof(pack: string, count: number): boolean {
    const isFirst = !this.#proved.has(pack);
    this.#proved.add(pack);
    const { shareProofs, shareProofEvery } = LIMITS;
    const share = Math.max(1 / shareProofEvery.value, shareProofs.value / count);
    return isFirst || Math.random() < share;
  }

  /** The packs of the commit that is in use; null where there is none. */
  async #readList(): Promise<PackList | null> {
    if (performance.now() - this.#lookedAt > LOOK_EVERY_MS) {
      this.#lookedAt = performance.now();
      const state = this.#folder.readState();
      const { tip } = state;
      for (const name of Object.keys(state.refused)) this.#refused.add(name);
      if (tip !== this.#tip) {
        this.#tip = tip;
        this.#unfit.clear();
        this.#list = tip === null ? null : this.#loadList(tip);
      }
    }
    return await this.#list;
  }

  async #loadList(tip: string): Promise<PackList | null> {
    const { list, unfit } = await loadPackList(this.#folder, tip);
    this.#current = list;
    for (const [name, why] of Object.entries(unfit)) await this.#refuse(name, why, "unfit");
    return list;
  }

  async #openPack(pack: TreePack): Promise<readonly Uint8Array[] | null> {
    const { name } = pack;
    const opening = this.#open.get(name) ?? this.#load(pack);
    this.#open.delete(name);
    this.#open.set(name, opening);
    const records = await opening;
    let size = 0;
    for (const one of [...this.#open.keys()].reverse()) {
      size += this.#sizes.get(one) ?? 0;
      if (size > OPEN_BYTES && one !== name) this.#open.delete(one);
    }
    return records;
  }

  async #load(pack: TreePack): Promise<readonly Uint8Array[] | null> {
    try {
      const records = await loadPack(this.#folder, pack);
      this.#sizes.set(pack.name, records?.reduce((sum, { length }) => sum + length, 0) ?? 0);
      return records;
    } catch (failure) {
      if (!(failure instanceof UnfitRecord)) throw failure;
      await this.#refuse(pack.name, failure.message, "unfit");
      return null;
    }
  }

  async #readMaker(name: string): Promise<string> {
    const pack = this.#current?.packs.find((one) => one.name === name);
    if (pack === undefined) return "nobody who says so";
    const [bytes] = await this.#folder.store.read([pack.pack.oid], pack.pack.sizeBytes);
    return readHead(bytes ?? new Uint8Array()).maker;
  }
}

/** What the records of vectors are; the model follows. */
export const VECTORS = "vectors";

/** What the records of runs are: they name functions as this version of the analyser does. */
export const RUNS = `runs-${ANALYSIS_VERSION}`;

/** One text for a key. */
export function keyOfRecord({ hash, variant }: PackKey): string {
  return `${hash.toHex()} ${variant}`;
}

/**
 * The packs of a commit, with the places of the records of accepted packs, and the packs whose list
 * of keys is wrong. What cannot be read, or is too much together with what was read before it,
 * stays without places: that is no fault of the pack.
 *
 * @throws {CodeIntelError} `git_failed`.
 */
export async function loadPackList(
  folder: ShareFolder,
  tip: string,
): Promise<{ readonly list: PackList; readonly unfit: Readonly<Record<string, string>> }> {
  const { store } = folder;
  const { packs, refused } = readTree(await store.list(tip), isRead);
  const known = joinRefused(folder.readState());
  const unfit: Record<string, string> = { ...refused };
  const places = new Map<string, RecordPlace>();
  let left = LIMITS.shareMemoryBytes.value;
  const read = packs.filter(({ name, kind }) => isRead(kind) && !Object.hasOwn(known, name));
  for (const some of splitPortions(read)) {
    if (left < 0) break;
    const lists = await store.read(some.map(({ keys }) => keys.oid), PORTION_BYTES);
    for (const [at, pack] of some.entries()) {
      const keys = lists[at] ?? null;
      if (keys === null) continue;
      try {
        // Of two packs with a record the one that is read first has it: no other kind can stand before analyses.
        readKeys(keys).forEach((key, at) => {
          if (!places.has(keyOfRecord(key))) places.set(keyOfRecord(key), { pack, at });
        });
        left -= keys.length;
      } catch (failure) {
        if (!(failure instanceof UnfitRecord)) throw failure;
        unfit[pack.name] = failure.message;
      }
    }
  }
  const fit = packs.filter(({ name }) => !Object.hasOwn(unfit, name));
  return { list: { tip, packs: fit, places }, unfit };
}

/** So many bytes of lists are read at once. */
const PORTION_BYTES = 16 * LIMITS.sharePackKeysBytes.value;

/** Packs in portions whose lists are read at once; those of this version come first. */
function splitPortions(packs: readonly TreePack[]): readonly (readonly TreePack[])[] {
  const portions: TreePack[][] = [];
  let size = Infinity;
  for (const pack of packs.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    size += pack.keys.sizeBytes;
    if (size > PORTION_BYTES) {
      portions.push([]);
      size = pack.keys.sizeBytes;
    }
    portions.at(-1)?.push(pack);
  }
  return portions;
}

/** Whether a kind of pack has records for this program: analyses and runs of its version, and vectors of any model. */
export function isRead(kind: string): boolean {
  return kind === ANALYSES || kind === RUNS || kind.startsWith(`${VECTORS}-`);
}

function rankOf({ kind }: TreePack): number {
  return kind === ANALYSES ? 0 : 1;
}

/**
 * The records of a pack; null where it is gone.
 *
 * @throws {UnfitRecord}
 * @throws {CodeIntelError} `git_failed`.
 */
export async function loadPack(
  { store }: ShareFolder,
  { id, kind, keys, pack }: TreePack,
): Promise<readonly Uint8Array[] | null> {
  const [keyBytes, packBytes] = await store.read(
    [keys.oid, pack.oid],
    keys.sizeBytes + pack.sizeBytes,
  );
  if (keyBytes === undefined || packBytes === undefined) return null;
  if (keyBytes === null || packBytes === null) return null;
  return await openPack({ id, keys: keyBytes, pack: packBytes }, kind);
}
