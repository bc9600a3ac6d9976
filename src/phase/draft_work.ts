/** The changed places of the work, and the items of a task that they show. Pure. */
import { isRecord } from "../base/text/json_record.ts";
import { stemWord } from "../base/text/stem.ts";
import { matchObserved } from "./contract/clauses.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A changed place that can be evidence, with the text that stands there. */
export interface WorkPlace {
  /** `path:line-line`, or `path:deleted` and the like. */
  readonly evidence: string;
  readonly path: string;
  readonly text: string;
}

/** An item of a task with its evidence; without a place with the agent's reason, or with nothing. */
export interface ReportRow {
  readonly item: string;
  readonly places: readonly WorkPlace[];
  /** What the agent said of the item; null where it said nothing. */
  readonly said: string | null;
  /** Changed places of the item that are no evidence: a comment, an empty body, lines that only moved. */
  readonly fallen?: readonly WorkPlace[];
}

/** Places as one text: `a.ts:1-3,9; b.ts:4`. */
export function joinPlaces(places: readonly WorkPlace[]): string {
  return places.map(({ evidence, path }, at) => {
    const isSame = places[at - 1]?.path === path && /:[\d-]+$/.test(evidence);
    return isSame ? `,${evidence.slice(path.length + 1)}` : `${at === 0 ? "" : "; "}${evidence}`;
  }).join("");
}

/** Keys that begin with the number of a clause, as the start names it, in place of its words. */
export function nameClauses(sent: Fields, clauses: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(sent).map(([key, value]) => {
      const [, number, rest = ""] = /^\s*(\d+)\b[.:)]?\s*(.*)$/s.exec(key) ?? [];
      const clause = clauses[Number(number ?? 0) - 1];
      const isNamed = clause !== undefined && clause.startsWith(rest.replace(/\s*…$/, ""));
      return [isNamed ? clause : key, value];
    }),
  );
}

/** What the agent said was done, by item; a text alone stands for all. Rows may name their clause in a field. */
export function readDone(
  { done }: Fields,
  items: readonly string[],
): Readonly<Record<string, string>> {
  if (typeof done === "string") return matchObserved(done, items);
  const isRows = Array.isArray(done) && done.every((row) => isRecord(row));
  if (Array.isArray(done) && !isRows) return matchObserved(done.map(toText).join("\n"), items);
  const rows = Array.isArray(done)
    ? done.flatMap((row) => isRecord(row) ? [splitRow(row)] : [])
    : Object.entries(isRecord(done) ? done : {});
  const texts = Object.entries(nameClauses(Object.fromEntries(rows), items))
    .map(([key, value]) => [key, toText(value)] as const);
  return matchObserved(Object.fromEntries(texts), items);
}

/** A row with its clause in its first field as what it says of the clause. */
function splitRow(row: Fields): readonly [string, unknown] {
  const [clause, ...rest] = Object.values(row);
  return [toText(clause), rest];
}

/** A text, or the texts of a list or of fields, as one. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).filter((text) => text !== "").join("; ");
  return isRecord(value) ? toText(Object.values(value)) : String(value ?? "");
}

/** Words by which an agent says that something cannot be done, at the beginning of what it says. */
const IMPOSSIBLE =
  /^\W*(?:(?:it|this|that)\s+)?(?:(?:can ?not|can.t|could ?n.t|could not) be (?:done|met|fixed|solved|implemented)|is (?:impossible|not possible))\b/i;

/** What the agent said where it says of each clause that it cannot be done; null where it says so of none or of some. */
export function readRetreat(sent: Fields, clauses: readonly string[]): string | null {
  const said = readDone(sent, clauses);
  const isAll = clauses.length > 0 && clauses.every((one) => IMPOSSIBLE.test(said[one] ?? ""));
  return isAll ? [...new Set(Object.values(said))].join("; ") : null;
}

/** All that the agent said of its work, as one text. */
export function formatSaid({ done, observed }: Fields): string {
  return [done, observed].flatMap((one) => one === undefined ? [] : JSON.stringify(one)).join("\n");
}

/** The evidence of each item, and the changed places that belong to none. */
export interface AssignedWork {
  readonly rows: readonly ReportRow[];
  readonly beyond: readonly WorkPlace[];
}

/**
 * Gives each changed place to the item that names it or shares the most telling words with it. A place that shares none
 * goes with its file; one alone in its file belongs to no item.
 */
export function assignWork(
  items: readonly string[],
  done: Readonly<Record<string, string>>,
  work: readonly WorkPlace[],
): AssignedWork {
  const said = items.map((item) => done[item] ?? null);
  // What is said to be impossible is shown by no change.
  const words = items.map((item, at) =>
    IMPOSSIBLE.test(said[at] ?? "") ? new Set<string>() : listStems(`${item} ${said[at] ?? ""}`)
  );
  const spread = new Map<string, number>();
  for (const set of words) for (const stem of set) spread.set(stem, (spread.get(stem) ?? 0) + 1);
  const chosen = new Map<WorkPlace, number>();
  for (const place of work) {
    const own = listStems(`${place.path} ${place.text}`);
    const scores = items.map((_, at) =>
      (names(said[at] ?? "", place) ? 100 : 0) +
      [...words[at] ?? []].reduce(
        (sum, stem) => sum + (own.has(stem) ? 1 / (spread.get(stem) ?? 1) : 0),
        0,
      )
    );
    const best = Math.max(...scores);
    if (best > 0 || items.length === 1 && words[0]?.size !== 0) {
      chosen.set(place, Math.max(0, scores.indexOf(best)));
    }
  }
  for (const place of work) {
    const beside = work.find((one) => one.path === place.path && chosen.has(one));
    const item = beside === undefined ? undefined : chosen.get(beside);
    if (!chosen.has(place) && item !== undefined) chosen.set(place, item);
  }
  return {
    rows: items.map((item, at) => ({
      item,
      said: said[at] ?? null,
      places: work.filter((place) => chosen.get(place) === at),
    })),
    beyond: work.filter((place) => !chosen.has(place)),
  };
}

/** Whether a text names the file of a place, and where it names lines, lines of it. */
function names(text: string, { path, evidence }: WorkPlace): boolean {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const at = text.indexOf(file);
  if (at < 0) return false;
  const [, start, end] = /^:(\d+)(?:-(\d+))?/.exec(text.slice(at + file.length)) ?? [];
  const [, from, to] = /:(\d+)(?:-(\d+))?$/.exec(evidence) ?? [];
  if (start === undefined || from === undefined) return true;
  return Number(from) <= Number(end ?? start) + NEAR_LINES &&
    Number(to ?? from) >= Number(start) - NEAR_LINES;
}

/** Lines are counted before or after an edit, so that a named range may be a little off (guessed). */
const NEAR_LINES = 5;

const COMMON_WORDS = new Set(
  "the and for with that this from when where which into are not its use add new all any can has have should must"
    .split(" "),
);

/** The words of a text as stems, those of names apart. */
function listStems(text: string): ReadonlySet<string> {
  const parted = text.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|_/gu, " ").toLowerCase();
  const words = parted.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON_WORDS.has(word)).map(stemWord));
}
