/** Records of runs in a push: what the remote lacks, and which older ones leave. */
import type { SharedKey } from "../../index/read/view.ts";
import type { HeldContent } from "../../index/read/record_queries.ts";
import { shortenHash } from "../../index/read/file_queries.ts";
import { UnfitRecord } from "../../analysis/record/record_bytes.ts";
import type { SharedRecords } from "../../index/seen_runs.ts";
import type { Committed } from "./committed.ts";
import type { PackRecord } from "./pack.ts";
import { readHead } from "./pack.ts";
import type { ShareFolder } from "./share_folder.ts";
import type { PackList } from "./shared_packs.ts";
import { RUNS } from "./shared_packs.ts";

/** The runs that the remote lacks, as far as they are about contents that the commit of HEAD has. */
export async function readMissingRuns(
  records: SharedRecords | null,
  { held, committed, isThere }: {
    readonly held: readonly HeldContent[];
    readonly committed: Committed;
    readonly isThere: (key: SharedKey) => boolean;
  },
): Promise<readonly PackRecord[]> {
  const keys = (await records?.list() ?? []).filter((key) => !isThere(key));
  if (keys.length === 0) return [];
  const known = await committed.find(held);
  const given = new Set(
    held.filter(({ blob }) => known.has(blob)).map(({ hash }) => shortenHash(hash)),
  );
  const found: PackRecord[] = [];
  for (const key of keys) {
    const record = await records?.read(key, (hash) => given.has(hash)) ?? null;
    if (record !== null) found.push({ ...key, record });
  }
  return found;
}

/** From so many packs of runs on all but the newest leave: a commit without its past costs each machine a fetch of all. */
const [MOST_PACKS, KEPT_PACKS] = [16, 4];

/** The names of packs of runs that newer ones take the place of. */
export async function findSuperseded(
  { store }: ShareFolder,
  { packs }: PackList,
): Promise<readonly string[]> {
  const own = packs.filter(({ kind }) => kind === RUNS);
  if (own.length < MOST_PACKS) return [];
  const sizeBytes = own.reduce((sum, { pack }) => sum + pack.sizeBytes, 0);
  const bytes = await store.read(own.map(({ pack }) => pack.oid), sizeBytes);
  const aged = own.map(({ name }, at) => ({ name, madeAt: readTime(bytes[at] ?? null) }));
  return aged.sort((one, other) => other.madeAt - one.madeAt).slice(KEPT_PACKS)
    .map(({ name }) => name);
}

/** Seconds since 1970; 0 where the pack is in no form. */
function readTime(pack: Uint8Array | null): number {
  try {
    return readHead(pack ?? new Uint8Array()).madeAt;
  } catch (failure) {
    if (!(failure instanceof UnfitRecord)) throw failure;
    return 0;
  }
}
