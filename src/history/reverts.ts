/**
 * Which commits were taken back and did not come back: by what later messages say of ids and subjects. A revert that
 * was taken back itself counts for nothing. Pure.
 */
import { once } from "../base/once.ts";
import type { Deed, Past } from "./past.ts";

const known = new WeakMap<Past, ReadonlyMap<number, number>>();

/** For the place of every commit that is taken back now, the place of the commit that did it. */
export function toReverts(past: Past): ReadonlyMap<number, number> {
  const made = known.get(past) ?? readReverts(past);
  known.set(past, made);
  return made;
}

function readReverts({ deeds }: Past): ReadonlyMap<number, number> {
  // Most messages say nothing of the kind, and a long past has many.
  const claims = new Map(
    deeds.flatMap(({ message }, place) => /evert|eappl/.test(message) ? [[place, message]] : []),
  );
  const reverts = new Map<number, number>();
  if (claims.size === 0) return reverts;
  const names = toNames(deeds);
  const bySubject = new Map<string, number[]>();
  // From the newest on, so that it is known of each commit whether it stands before what it says of older ones counts.
  for (const [place, deed] of deeds.entries()) {
    const last = reverts.has(place) ? undefined : bySubject.get(toSubject(deed.message))?.pop();
    if (last !== undefined) reverts.set(place, last);
    const claim = reverts.has(place) ? undefined : claims.get(place);
    if (claim === undefined) continue;
    const ids = readIds(claim);
    const older = ids.flatMap((id) => findById(names, deeds, id)).filter((one) => one > place);
    for (const one of older) reverts.set(one, place);
    const subject = readSubject(claim);
    if (older.length > 0 || subject === null) continue;
    // An id that is not here was given before a rebase or elsewhere; its subject says which one only where it is the only one.
    if (ids.length > 0 && names.subjects.get(subject) !== 1) continue;
    bySubject.set(subject, [...bySubject.get(subject) ?? [], place]);
  }
  return reverts;
}

interface Names {
  /** Places by the beginnings of ids. */
  readonly ids: ReadonlyMap<string, readonly number[]>;
  /** How many commits have a subject. */
  readonly subjects: ReadonlyMap<string, number>;
}

function toNames(deeds: readonly Deed[]): Names {
  const ids = new Map<string, number[]>();
  const subjects = new Map<string, number>();
  for (const [place, { id, message }] of deeds.entries()) {
    const start = id.slice(0, SHORTEST_ID);
    once<string, number[]>(ids, start, () => []).push(place);
    const subject = toSubject(message);
    subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
  }
  return { ids, subjects };
}

/** The place of the commit whose id begins so; empty where none or several do. */
function findById({ ids }: Names, deeds: readonly Deed[], id: string): readonly number[] {
  const found = (ids.get(id.slice(0, SHORTEST_ID)) ?? [])
    .filter((place) => deeds[place]?.id.startsWith(id) === true);
  return found.length === 1 ? found : [];
}

/** Shortest beginning of an id that messages are read for. */
export const SHORTEST_ID = 7;
const ID = "[0-9a-f]{7,64}\\b(?!\\.\\.)";
/**
 * `This reverts commit ID`, `(reverts ID, ID and ID)`, and `Revert ID` at the begin of a line: what is denied, wished or
 * done in part is no claim.
 */
const REVERTED_IDS = new RegExp(
  "(?:(?<!\\b(?:not|never|longer|which|partly|partially)\\s)\\breverts|(?<!\\w\\n)^[^\\w\\n]{0,8}(?:[\\w()/-]{1,40}: )?revert(?:ed|ing)?)" +
    `(?: the)?(?:\\s+commits?)?:?\\s+(${ID}(?:(?:,|,? and|,? &)\\s+(?:commits? )?${ID})*)`,
  "gim",
);

function readIds(message: string): readonly string[] {
  return [...message.matchAll(REVERTED_IDS)].flatMap(([, list = ""]) =>
    list.toLowerCase().match(/\b[0-9a-f]{7,64}\b/g) ?? []
  );
}

const REVERTED_SUBJECT = /^(?:[\w()/-]+: )?revert:? ["“](.+)["”](?: \(#\d+\))?$/i;
const REAPPLIED_SUBJECT = /^reapply ["“](.+)["”](?: \(#\d+\))?$/i;

/** The subject of the commit that a message takes back by its own subject. */
function readSubject(message: string): string | null {
  const own = toSubject(message);
  const reapplied = REAPPLIED_SUBJECT.exec(own)?.[1];
  if (reapplied !== undefined) return `Revert "${reapplied}"`;
  return REVERTED_SUBJECT.exec(own)?.[1] ?? null;
}

/** The first line of a message. */
export function toSubject(message: string): string {
  return message.split("\n", 1)[0]?.trim() ?? "";
}
