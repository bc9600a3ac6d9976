/**
 * What of a remote's tree is a pack, and what becomes of the packs with a push. A push adds what is missing as new packs, so
 * that little travels; packs that grew too many are made one, and packs that nobody uses are left out. Pure.
 */
import { LIMITS } from "../../base/settings/limits.ts";
import { escapeLine } from "../../base/text/plain_text.ts";

/** A file of the tree. */
export interface TreeFile {
  readonly name: string;
  readonly oid: string;
  readonly sizeBytes: number;
}

/** A pack of the tree. */
export interface TreePack {
  /** `<kind>.<id>`, the name of its files without their ending. */
  readonly name: string;
  /** What its records are, and by which version. */
  readonly kind: string;
  readonly id: string;
  /** Day of the last push that used it, counted since 1970. */
  readonly usedDay: number;
  readonly keys: TreeFile;
  readonly pack: TreeFile;
}

const FILE = /^([a-z]+(?:-[a-z0-9]+)*)\.([0-9a-f]{32})\.(?:(keys)|([0-9]{1,6})\.pack)$/;

/** The packs of a tree, and the files that are none, with the reason. */
export interface SharedTree {
  readonly packs: readonly TreePack[];
  readonly refused: Readonly<Record<string, string>>;
}

/**
 * Reads the names and sizes of a tree's files; packs beyond the most that are looked at are passed over.
 *
 * @param isRead says of a kind whether this program reads its records: such packs are looked at first, so that none of
 * another version, or of no version at all, takes their room.
 */
export function readTree(
  files: readonly TreeFile[],
  isRead: (kind: string) => boolean,
): SharedTree {
  const keys = new Map<string, TreeFile>();
  const packs = new Map<string, TreePack>();
  const refused: Record<string, string> = {};
  for (const file of files) {
    const [, kind = "", id = "", isKeys] = FILE.exec(file.name) ?? [];
    if (kind !== "" && isKeys !== undefined) keys.set(`${kind}.${id}`, file);
  }
  for (const file of files) {
    const [whole, kind = "", id = "", isKeys, day] = FILE.exec(file.name) ?? [];
    const name = `${kind}.${id}`;
    if (whole === undefined) {
      refused[escapeLine(file.name.slice(0, 80))] = "it has no name of a pack";
    }
    if (whole === undefined || isKeys !== undefined) continue;
    const own = keys.get(name);
    const fault = own === undefined
      ? "the list of its keys is missing"
      : file.sizeBytes > LIMITS.sharePackBytes.value ||
          own.sizeBytes > LIMITS.sharePackKeysBytes.value
      ? "it is too large"
      : null;
    if (fault !== null || own === undefined) refused[name] = fault ?? "";
    else packs.set(name, { name, kind, id, usedDay: Number(day), keys: own, pack: file });
  }
  const [read, others] = [true, false]
    .map((wanted) => [...packs.values()].filter(({ kind }) => isRead(kind) === wanted));
  // One too many is not wrong: it stands behind others that may leave.
  return { packs: [...read ?? [], ...others ?? []].slice(0, LIMITS.sharePacks.value), refused };
}

/** The names of the two files of a pack. */
export function buildFileNames(
  { kind, id, usedDay }: Pick<TreePack, "kind" | "id" | "usedDay">,
): { readonly keys: string; readonly pack: string } {
  return { keys: `${kind}.${id}.keys`, pack: `${kind}.${id}.${usedDay}.pack` };
}

/** What a push does with the packs that are there. */
export interface PushPlan {
  /** Packs that stay, with the day of their last use. */
  readonly kept: readonly TreePack[];
  /** Packs whose records go into new ones. */
  readonly merged: readonly TreePack[];
  /** Packs that leave. */
  readonly dropped: readonly TreePack[];
}

/** What a push knows. */
export interface PushFacts {
  /** Today, counted since 1970. */
  readonly day: number;
  /** Names of packs that this project's files use. */
  readonly used: ReadonlySet<string>;
  /** Names of packs that are wrong. */
  readonly unfit: ReadonlySet<string>;
  /** Whether a pack says that the pusher made it: what says another name is left as it is. */
  readonly isOwn: (pack: TreePack) => boolean;
}

/** Of so many packs of one size one is made. */
const MERGED_FROM = 16;
/** Sizes are distinguished by this factor; the smallest packs have up to so many bytes. */
const SIZE_FACTOR = 16;
const SMALLEST_BYTES = 64 * 1024;
/** Packs from this size on are left as they are. */
const LARGE_BYTES = 1024 * 1024;
/** The day of the last use is written again after so long: a new name of a file is a new commit for everybody. */
const DAYS_BETWEEN = 7;

/** The program is younger: a clock that says less stands still, and does not correct others. */
const EARLIEST_DAY = 20_000;

/** Decides what becomes of the packs. */
export function planPush(packs: readonly TreePack[], facts: PushFacts): PushPlan {
  const isDropped = (pack: TreePack) =>
    facts.unfit.has(pack.name) ||
    facts.day - pack.usedDay > LIMITS.archiveDays.value && !facts.used.has(pack.name);
  const dropped = packs.filter(isDropped);
  const rest = packs.filter((pack) => !isDropped(pack)).map((pack) => {
    // A day in the future would never be over. A clock may be ahead, or somebody may want a pack to
    // stay for ever.
    const isAhead = pack.usedDay > facts.day + 1 && facts.day >= EARLIEST_DAY;
    if (isAhead) return { ...pack, usedDay: facts.day };
    const isLong = facts.used.has(pack.name) && facts.day - pack.usedDay >= DAYS_BETWEEN;
    return isLong ? { ...pack, usedDay: facts.day } : pack;
  });
  const small = rest.filter((one) => one.pack.sizeBytes < LARGE_BYTES && facts.isOwn(one));
  const groups = Map.groupBy(small, ({ kind, pack }) => `${kind} ${classifySize(pack.sizeBytes)}`);
  const merged = [...groups.values()].filter(({ length }) => length >= MERGED_FROM).flat();
  const kept = rest.filter((pack) => !merged.includes(pack));
  return { kept, merged, dropped };
}

function classifySize(sizeBytes: number): number {
  return Math.max(0, Math.ceil(Math.log(sizeBytes / SMALLEST_BYTES) / Math.log(SIZE_FACTOR)));
}
